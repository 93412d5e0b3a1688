"""Files attached to a message: embed them in its text, and parse them out again.

Once a message is sent, its text is the only record of them: the template, the cache, exports and
other programs need no special case. Without Qt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

# Size limit of a message's files; a model reads about four bytes per token.
MOST_FILE_BYTES = 1 << 20
MOST_BYTES = 4 << 20
MOST_FILES = 20
_HEAD = re.compile(r"File: ([^\n]+)\n(`{3,})\n")
_TICKS = re.compile(r"`{3,}")
_GAP = "\n\n"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text file attached to a message.

    Attributes:
        id: its number among the drafts; 0 for a file of a message that was sent.
        name: without its folder, on one line.
        text: its lines, without the end of the last one.
        size: of its text, in bytes.
        fence: encloses the text: more backticks than there are in a row inside.
        tokens: in the open model's vocabulary; None until counted.
    """

    id: int
    name: str
    text: str
    size: int
    fence: str
    tokens: int | None = None

    @property
    def block(self) -> str:
        """Its form within a message."""
        return f"File: {self.name}\n{self.fence}\n{self.text}\n{self.fence}"


@dataclass(frozen=True, slots=True)
class Parted:
    """A message split into its files and the written text."""

    files: tuple[Attachment, ...]
    text: str

    @property
    def title(self) -> str:
        """The message's name in a list."""
        return self.text if self.text.strip() or not self.files else self.files[0].name


def attachment(name: str, text: str, size: int) -> Attachment:
    """A file that is not part of a message yet."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=2)
    return Attachment(0, _on_one_line(name), text, size, "`" * (longest + 1))


def joined(files: Iterable[Attachment], text: str) -> str:
    """The whole message; `parted` is the inverse."""
    parts = [file.block for file in files]
    return _GAP.join([*parts, text.strip()] if text.strip() else parts)


def parted(message: str) -> Parted:
    """Split a message into its leading files and the rest."""
    files: list[Attachment] = []
    at = 0
    while (head := _HEAD.match(message, at)) is not None:
        name, fence = head.groups()
        ends = message.find(f"\n{fence}", head.end())
        after = ends + 1 + len(fence)
        if ends < 0 or not (after == len(message) or message.startswith(_GAP, after)):
            break
        text = message[head.end() : ends]
        files.append(Attachment(0, name, text, len(text.encode("utf-8", "replace")), fence))
        at = min(len(message), after + len(_GAP))
    return Parted(tuple(files), message[at:])


def first_lines(file: Attachment, lines: int = 12, columns: int = 80) -> str:
    """The beginning of a file, as a preview."""
    # Not the whole text: a line may be as long as the file.
    begun = file.text[: lines * (columns + 1) * 4].split("\n", lines)
    shown = [line if len(line) <= columns else f"{line[:columns]}…" for line in begun[:lines]]
    more = len(begun) > lines or len("\n".join(begun)) < len(file.text)
    return "\n".join([*shown, "…"] if more else shown)


def _on_one_line(name: str) -> str:
    """A file's name may hold anything but a slash."""
    kept = "".join(c if c.isprintable() else "\ufffd" for c in name)
    return kept.strip() or "file"
