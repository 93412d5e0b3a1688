"""A user's text: detects code, keeps the lines of prose, and shortens long messages.

Without Qt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from app.chat.logic.markdown_stream import CODE_LINES, LONG_CHARS, Block, Code, Prose, split_fences
from app.core.session.attachments import Attachment, joined, parted
from app.core.words import format as fmt
from app.core.words.tr import tr

# Limit for the files of an unfolded message: more would block the window.
_MOST_FILE_CHARS = 60_000
# A longer message is shortened.
MOST_LINES = 14
MOST_CHARS = 1_400
_SHOWN_LINES = 8
_SHOWN_CHARS = 700

_INDENTED = re.compile(r"^(\t| {2,})\S")
_CODE_LINE = re.compile(
    r"[;{}]\s*$|^\s*[})\]]+[,;]?\s*$|^\s*(#include|//|/\*|\*/|</?\w)"
    r"|^\s*(def|class|if|for|while|with|elif|else|try|except|fn|func|function|switch)\b.*[:{]\s*$"
    r"|^\s*(return|import|from|const|let|var|public|private|static|package|using|SELECT|INSERT)\b"
    r"(?!.*[.?!]$)|^\s*@\w+|^\s*[\w.\[\]\"']+\s*(=|\+=|:=|->)\s*\S|\w\([^)]*\)\s*$|^\s*[\w.]+\("
)
_LIST_ITEM = re.compile(r"^\s*([-*+•]|\d{1,3}[.)])\s")


def cut(block: Block) -> list[Block]:
    """Split a long part; all but the first piece are joined to the one before."""
    if isinstance(block, Code):
        lines = block.text.split("\n")
        pieces = [lines[at : at + CODE_LINES] for at in range(0, len(lines), CODE_LINES)]
        return [
            Code(block.language, "\n".join(piece), block.closed, joined=block.joined or at > 0)
            for at, piece in enumerate(pieces)
        ]
    if len(block.text) <= LONG_CHARS:
        return [block]
    texts = _lines_together(block.text)
    return [Prose(text, joined=block.joined or at > 0) for at, text in enumerate(texts)]


def _lines_together(text: str) -> Iterator[str]:
    """Chunks of lines, each as long as the limit allows."""
    taken: list[str] = []
    length = 0
    for line in (short for whole in text.split("\n") for short in _shortened(whole)):
        if taken and length + len(line) > LONG_CHARS:
            yield "\n".join(taken)
            taken, length = [], 0
        taken.append(line)
        length += len(line) + 1
    yield "\n".join(taken)


def _shortened(line: str) -> Iterator[str]:
    """Pieces of a line that are not too long, cut between words if possible."""
    at = 0
    while len(line) - at > LONG_CHARS:
        space = line.rfind(" ", at, at + LONG_CHARS)
        end = space + 1 if space > at else at + LONG_CHARS
        yield line[at:end].rstrip()
        at = end
    yield line[at:]


@dataclass(frozen=True, slots=True)
class Shortened:
    """A folded message: its files by name, and the beginning of its text.

    Attributes:
        text: the part shown.
        lines: number in the whole message.
        files: those attached to it.
    """

    text: str
    lines: int
    files: tuple[Attachment, ...] = ()


def shortened(message: str) -> Shortened | None:
    """A folded message; None if it is short enough to show in full, and has no files."""
    found = parted(message)
    text = _beginning(found.text)
    if text is None and not found.files:
        return None
    lines = message.count("\n") + 1
    return Shortened(found.text if text is None else text, lines, found.files)


def unfolded(message: str) -> str:
    """The full message; large files are cut, and say how much follows."""
    found = parted(message)
    most = _MOST_FILE_CHARS // max(1, len(found.files))
    if all(len(file.text) <= most for file in found.files):
        return message
    return joined((_shorter(file, most) for file in found.files), found.text)


def _shorter(file: Attachment, most: int) -> Attachment:
    if len(file.text) <= most:
        return file
    shown = file.text[: file.text.rfind("\n", 0, most)] if "\n" in file.text[:most] else ""
    shown = shown or file.text[:most]
    left = file.text.count("\n", len(shown))
    more = (
        tr("{lines}, not shown").format(lines=fmt.plural(left, "more line"))
        if left
        else tr("more, not shown")
    )
    return replace(file, text=f"{shown}\n… {more}")


def _beginning(text: str) -> str | None:
    lines = text.split("\n")
    if len(lines) <= MOST_LINES and len(text) <= MOST_CHARS:
        return None
    shown = "\n".join(lines[:_SHOWN_LINES])
    if len(shown) > _SHOWN_CHARS:
        space = shown.rfind(" ", 0, _SHOWN_CHARS)
        shown = shown[: space if space > _SHOWN_CHARS // 2 else _SHOWN_CHARS].rstrip() + " …"
    return shown.rstrip()


def user_blocks(text: str) -> list[Block]:
    """The parts of a user's message: fenced or indented code in a monospaced face, the rest as
    lines."""
    made: list[Block] = []
    for block in split_fences(text):
        made += [block] if isinstance(block, Code) else _prose_and_code(block.text)
    return [piece for block in made for piece in cut(block)]


def _prose_and_code(text: str) -> list[Block]:
    """Turn paragraphs that look like code into code; adjacent ones of a kind stay together."""
    groups: list[tuple[bool, list[str]]] = []
    for paragraph in re.split(r"\n(?=[ \t]*\n)", text):
        lines = paragraph.split("\n")
        code = _looks_like_code(lines, after_code=bool(groups) and groups[-1][0])
        if groups and groups[-1][0] == code:
            groups[-1][1].extend(lines)
        else:
            groups.append((code, lines))
    made: list[Block] = []
    for code, lines in groups:
        shown = "\n".join(lines).strip("\n")
        if shown.strip():
            made.append(Code("", shown, closed=True) if code else Prose(shown))
    return made


def _looks_like_code(lines: list[str], *, after_code: bool) -> bool:
    filled = [line for line in lines if line.strip()]
    listed = sum(bool(_LIST_ITEM.match(line)) for line in filled)
    if not filled or listed:
        return after_code and not filled
    hits = sum(bool(_INDENTED.match(line) or _CODE_LINE.search(line)) for line in filled)
    least = 1 if after_code else 2
    return hits >= least and 2 * hits > len(filled)
