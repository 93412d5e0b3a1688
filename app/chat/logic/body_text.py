"""The parts of a message and their heights, independent of widgets. Without Qt."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from app.chat.logic.markdown_stream import Block, Code, MarkdownStream, Prose

_GAP_PX = 10
_JOINED_PX = 4
# Estimates of font metrics: widths and heights as shares of the pixel size.
_CHAR_SHARE = 0.52
_LINE_SHARE = 1.7
_CODE_LINE_PX = 17
_CODE_HEAD_PX = 52
# The share of a line lost to wrapping in a list or paragraph.
_LOST_SHARE = 0.4


class Heights:
    """Item heights in a column, with a gap before each.

    Changing an item costs time only for the items below it.
    """

    def __init__(self) -> None:
        self._heights: list[int] = []
        self._gaps: list[int] = []
        self._measured: list[bool] = []
        self._tops: list[int] = []

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def total(self) -> int:
        """The height of the whole column."""
        return self.bottom(len(self) - 1) if self._heights else 0

    def put(self, index: int, height: int, *, gap: int | None = None, measured: bool) -> None:
        """Set an item, or append one; without a gap it keeps the one it has."""
        if index == len(self._heights):
            self._heights.append(height)
            self._gaps.append(gap or 0)
            self._measured.append(measured)
            return
        if gap is not None and gap != self._gaps[index]:
            self._gaps[index] = gap
            del self._tops[index:]
        if height != self._heights[index]:
            self._heights[index] = height
            del self._tops[index + 1 :]
        self._measured[index] = measured

    def cut(self, length: int) -> None:
        """Drop the items from an index on."""
        for values in (self._heights, self._gaps, self._measured, self._tops):
            del values[length:]

    def rescale(self, ratio: float) -> None:
        """The column's width changed: measured heights become estimates."""
        self._heights = [max(1, round(height * ratio)) for height in self._heights]
        self._measured = [False] * len(self._measured)
        self._tops = []

    def measured(self, index: int) -> bool:
        return self._measured[index]

    def height(self, index: int) -> int:
        return self._heights[index]

    def top(self, index: int) -> int:
        tops = self._tops
        while len(tops) <= index:
            at = len(tops)
            above = tops[at - 1] + self._heights[at - 1] if at else 0
            tops.append(above + self._gaps[at])
        return tops[index]

    def bottom(self, index: int) -> int:
        return self.top(index) + self._heights[index]

    def at(self, y: int) -> int:
        """The item at a height, or the one above the gap there; clamped at both ends.

        There must be at least one.
        """
        assert self._heights
        self.top(len(self._heights) - 1)
        return max(0, bisect_right(self._tops, y) - 1)


class BodyText:
    """The text of a message. It outlives the widgets that show it.

    Attributes:
        blocks: its parts.
        heights: of the parts, at `width`.
        source: what the parts were created from, if not Markdown.
    """

    def __init__(self, px: int = 14) -> None:
        self.blocks: list[Block] = []
        self.heights = Heights()
        self.width = 0
        self.source: str | None = None
        self._px = px
        self._stream = MarkdownStream()
        self._finished = False

    def write(self, text: str, *, finished: bool) -> int:
        """Set the Markdown; if it continues the last one, only the new part is processed.

        Returns the index of the first part that changed.
        """
        known = self._stream.fed
        if self._finished and (text != known or not finished):
            known = "\0"
        if not text.startswith(known):
            self._stream, self._finished = MarkdownStream(), False
            known = ""
        first = len(self.blocks) if known else 0
        if len(text) > len(known):
            first = min(first, self._stream.feed(text[len(known) :]))
        if finished and not self._finished:
            first = min(first, self._stream.finish())
            self._finished = True
        self.take(self._stream.blocks, first)
        return first

    def says(self, text: str) -> bool:
        """Whether the parts come from this Markdown text."""
        return self._stream.fed == text

    def take(self, blocks: list[Block], first: int = 0) -> None:
        """Set parts; those before `first` are unchanged."""
        self.blocks = blocks
        for index in range(first, len(blocks)):
            block = blocks[index]
            between = _GAP_PX if not block.joined else _JOINED_PX if isinstance(block, Prose) else 0
            gap = between if index else 0
            self.heights.put(index, self._estimate(block), gap=gap, measured=False)
        self.heights.cut(len(blocks))

    def lay_out(self, width: int) -> bool:
        """Set the width; False if it is unchanged."""
        if width in (0, self.width):
            return False
        if self.width:
            self.heights.rescale(self.width / width)
        else:
            self.width = width
            self.heights.cut(0)
            self.take(self.blocks)
        self.width = width
        return True

    def code_from(self, index: int) -> str:
        """The code that begins with a part and continues in those joined to it."""
        made = [self.blocks[index].text]
        for block in self.blocks[index + 1 :]:
            if not (isinstance(block, Code) and block.joined):
                break
            made.append(block.text)
        return "\n".join(made)

    def _estimate(self, block: Block) -> int:
        return estimate(block.text, self.width, self._px, code=isinstance(block, Code))


def estimate(text: str, width: int, px: int = 14, *, code: bool = False) -> int:
    """The estimated height of a text at a width, in pixels."""
    breaks = text.count("\n")
    if code:
        return (breaks + 1) * _CODE_LINE_PX + _CODE_HEAD_PX
    fit = max(8.0, width / (px * _CHAR_SHARE))
    lines = max(breaks + 1.0, len(text) / fit + _LOST_SHARE * breaks + 1)
    return round(lines * px * _LINE_SHARE)


@dataclass(slots=True)
class TurnMemory:
    """State of a turn that is kept while it has no widget.

    Attributes:
        text, thought: the message, and the reasoning above it.
        opened: whether it is unfolded.
    """

    text: BodyText = field(default_factory=BodyText)
    thought: BodyText = field(default_factory=lambda: BodyText(13))
    opened: bool = False
