"""Splits streaming Markdown into final parts and a last one that may still change.

Without Qt. Fenced code is a separate part; prose is cut at blank lines into chunks short enough
that redrawing the last one thirty times a second stays cheap. Text without blank lines (a long
list, table or paragraph) is cut later, between items, rows or words: the last part is never long,
so a flush costs the same at the end of a megabyte as at its beginning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CHUNK_CHARS = 1200
# Lists, tables and paragraphs up to this length stay whole, and no line is longer.
LONG_CHARS = 2400
# Code is cut after this many lines.
CODE_LINES = 200
_FENCE = re.compile(r"^(`{3,}|~{3,})\s*([^`]*)$")
_INNER_FENCE = re.compile(r"^\s+(`{3,}|~{3,})")
# A line that continues a list, a quote or a table, where a chunk must not be cut.
_CONTINUES = re.compile(r"^(\s|[-*+]\s|\d{1,9}[.)]\s|>|\|)")
_ITEM = re.compile(r"^(?:[-*+]|(\d{1,9})[.)])\s")
_TABLE_RULE = re.compile(r"^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")


@dataclass(frozen=True, slots=True)
class Prose:
    """Markdown without fenced code at its left edge.

    `joined`: it continues the list, table or paragraph of the part before it.
    """

    text: str
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Code:
    """A fenced block; `closed` once its end was seen and it is worth highlighting.

    `joined`: it continues the code of the part before it.
    """

    language: str
    text: str
    closed: bool
    joined: bool = False


Block = Prose | Code


class MarkdownStream:
    """Consumes text piece by piece.

    Attributes:
        segments: the parts of the text so far. All but the last are final.
        fed: the whole text so far.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.fed = ""
        self._line = ""
        self._prose: list[str] = []
        self._prose_chars = 0
        self._after_blank = False
        self._joined = False
        self._inner_fence = ""
        self._fence = ""
        self._language = ""
        self._code: str | None = None
        self._code_lines = 0
        self._code_joined = False
        self._new_code: list[str] = []
        self._final = 0

    def feed(self, text: str) -> int:
        """Add text; returns the index of the first segment that changed."""
        first = self._final
        self.fed += text
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._take(self._shortened(line))
        self._line = self._shortened(self._line)
        self._show_tail(ended=False)
        return first

    def finish(self) -> int:
        """The text is complete: flush what is held back."""
        first = self._final
        self._show_tail(ended=True)
        return first

    def _shortened(self, line: str) -> str:
        """The rest of a line that is too long to redraw, after closing parts of it."""
        while len(line) > LONG_CHARS and not self._fence and not line.startswith("|"):
            space = line.rfind(" ", 0, LONG_CHARS)
            at = space + 1 if space > 0 else LONG_CHARS
            self._take(line[:at].rstrip())
            self._close_prose()
            self._joined = True
            line = line[at:]
        return line

    def _take(self, line: str) -> None:
        if self._fence:
            mark = line.strip()
            if mark and set(mark) == {self._fence[0]} and len(mark) >= len(self._fence):
                if self._code_lines or not self._code_joined:
                    self._close_code()
                self._fence, self._code_joined = "", False
            else:
                self._new_code.append(line)
                self._code_lines += 1
                if self._code_lines >= CODE_LINES:
                    self._close_code()
                    self._code_joined = True
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
        elif self._prose_chars >= LONG_CHARS and not self._inner_fence:
            self._cut_inside(line)
        self._after_blank = not line.strip()
        self._prose.append(line)
        self._prose_chars += len(line) + 1

    def _cut_inside(self, line: str) -> None:
        """Cut a list before an item, a table before a row, a paragraph before a line."""
        item = _ITEM.match(line)
        if line.startswith("|"):
            head = self._table_head()
            if head:
                self._close_prose()
                self._joined, self._prose = True, head
        elif item:
            # An ordered list is only cut where numbering continues: "1." would restart it.
            if item[1] is None or int(item[1]) > 1:
                self._close_prose()
                self._joined = True
        elif line.strip() and not _CONTINUES.match(line) and not self._after_blank:
            self._close_prose()
            self._joined = True

    def _table_head(self) -> list[str]:
        """The header of the table that the last lines belong to; repeated after a cut."""
        rows = next(
            (i for i, line in enumerate(reversed(self._prose)) if not line.startswith("|")),
            len(self._prose),
        )
        head = self._prose[len(self._prose) - rows :][:2]
        return head if rows > 2 and _TABLE_RULE.match(head[1]) else []

    def _close_code(self) -> None:
        text = self._whole_code()
        self._close(Code(self._language, text, closed=True, joined=self._code_joined))
        self._code, self._code_lines = None, 0

    def _whole_code(self) -> str:
        if self._new_code:
            added = "\n".join(self._new_code)
            self._code = added if self._code is None else f"{self._code}\n{added}"
            self._new_code = []
        return self._code or ""

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
        joined, self._joined = self._joined, False
        self._prose, self._prose_chars, self._after_blank = [], 0, False
        if text.strip():
            self._close(Prose(text, joined))

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
            text = self._whole_code()
            if not closing and self._line:
                text = self._line if self._code is None else f"{text}\n{self._line}"
            if self._code_joined and not text and not self._code_lines:
                return
            self.blocks.append(Code(self._language, text, complete, self._code_joined))
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
            self.blocks.append(Prose(text, self._joined))


def split(text: str) -> list[Block]:
    """The segments of a complete text."""
    stream = MarkdownStream()
    stream.feed(text)
    stream.finish()
    return stream.blocks


def split_fences(text: str) -> list[Block]:
    """The fenced blocks of a complete text, and the text between them, uncut."""
    made: list[Block] = []
    lines: list[str] = []
    fence, language = "", ""

    def close() -> None:
        nonlocal lines
        whole = "\n".join(lines)
        if fence or whole.strip():
            made.append(Code(language, whole, closed=True) if fence else Prose(whole))
        lines = []

    for line in text.split("\n"):
        mark = line.strip()
        opened = None if fence else _FENCE.match(line)
        if opened:
            close()
            fence, language = opened[1], opened[2].strip().split(" ")[0]
        elif fence and mark and set(mark) == {fence[0]} and len(mark) >= len(fence):
            close()
            fence, language = "", ""
        else:
            lines.append(line)
    close()
    return made
