"""Splits streaming Markdown into parts that no longer change and one that still does.

Without Qt. Fenced code is a separate part; prose is cut at blank lines into chunks short enough
that redrawing the last one thirty times a second stays cheap. Nothing is scanned twice except the
last line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CHUNK_CHARS = 1200
_FENCE = re.compile(r"^(`{3,}|~{3,})\s*([^`]*)$")
_INNER_FENCE = re.compile(r"^\s+(`{3,}|~{3,})")
# A line that continues a list, a quote or a table, where a chunk must not be cut.
_CONTINUES = re.compile(r"^(\s|[-*+]\s|\d{1,9}[.)]\s|>|\|)")


@dataclass(frozen=True, slots=True)
class Prose:
    """Markdown without fenced code at its left edge."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A fenced block; `closed` once its end was seen and it is worth highlighting."""

    language: str
    text: str
    closed: bool


Block = Prose | Code


class MarkdownStream:
    """Consumes text piece by piece.

    Attributes:
        segments: the parts of the text so far. All but the last are final.
        fed: the whole text so far.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._pieces: list[str] = []
        self._length = 0
        self._line = ""
        self._prose: list[str] = []
        self._prose_chars = 0
        self._after_blank = False
        self._inner_fence = ""
        self._fence = ""
        self._language = ""
        self._code: list[str] = []
        self._final = 0

    @property
    def fed(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def feed(self, text: str) -> int:
        """Add text; returns the index of the first segment that changed."""
        first = self._final
        self._pieces.append(text)
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._take(line)
        self._show_tail(ended=False)
        return first

    def finish(self) -> int:
        """The text is complete: nothing is held back any more."""
        first = self._final
        self._show_tail(ended=True)
        return first

    def _take(self, line: str) -> None:
        if self._fence:
            mark = line.strip()
            if mark and set(mark) == {self._fence[0]} and len(mark) >= len(self._fence):
                self._close(Code(self._language, "\n".join(self._code), closed=True))
                self._fence, self._code = "", []
            else:
                self._code.append(line)
            return
        opened = None if self._inner_fence else _FENCE.match(line)
        if opened:
            self._close_prose()
            self._fence, self._language = opened[1], opened[2].strip().split(" ")[0]
            return
        self._track_inner_fence(line)
        cut_here = (
            self._after_blank
            and self._prose_chars >= CHUNK_CHARS
            and not self._inner_fence
            and line.strip()
            and not _CONTINUES.match(line)
        )
        if cut_here:
            self._close_prose()
        self._after_blank = not line.strip()
        self._prose.append(line)
        self._prose_chars += len(line) + 1

    def _track_inner_fence(self, line: str) -> None:
        """A fence inside a list item stays prose; do not cut at a blank line inside it."""
        found = _INNER_FENCE.match(line)
        if found and not self._inner_fence:
            self._inner_fence = found[1]
        elif self._inner_fence:
            closed = found is not None and found[1].startswith(self._inner_fence)
            left = line.strip() and not line.startswith(" ")
            if closed or left:
                self._inner_fence = ""

    def _close_prose(self) -> None:
        text = "\n".join(self._prose).strip("\n")
        self._prose, self._prose_chars, self._after_blank = [], 0, False
        if text.strip():
            self._close(Prose(text))

    def _close(self, block: Block) -> None:
        del self.blocks[self._final :]
        self.blocks.append(block)
        self._final += 1

    def _show_tail(self, *, ended: bool) -> None:
        del self.blocks[self._final :]
        if self._fence:
            partial = self._line.strip()
            closing = partial and set(partial) == {self._fence[0]}
            complete = bool(closing) and len(partial) >= len(self._fence) and ended
            lines = self._code if closing else [*self._code, self._line]
            text = "\n".join(lines) if ended or lines != [""] else ""
            self.blocks.append(Code(self._language, text, closed=complete))
            return
        # Backticks at the start of a line may become a fence: showing them first would flicker.
        held = (
            not ended
            and self._line[:1] in ("`", "~")
            and self._line[:3] == self._line[0] * len(self._line[:3])
        )
        fence = ended and not self._inner_fence and _FENCE.match(self._line)
        shown = self._prose if held or fence else [*self._prose, self._line]
        text = "\n".join(shown).strip("\n")
        if text.strip():
            self.blocks.append(Prose(text))


def split(text: str) -> list[Block]:
    """The segments of a complete text."""
    stream = MarkdownStream()
    stream.feed(text)
    stream.finish()
    return stream.blocks
