"""The parts of a message and how tall each is, whether or not a widget shows it. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.chat.heights import Heights
from app.chat.markdown_stream import Block, Code, MarkdownStream, Prose

_GAP_PX = 10
_JOINED_PX = 4
# What estimates assume of the fonts: widths and heights as shares of the size in pixels.
_CHAR_SHARE = 0.52
_LINE_SHARE = 1.7
_CODE_LINE_PX = 17
_CODE_HEAD_PX = 52
# A line of a list or a paragraph ends before the edge.
_LOST_SHARE = 0.4


class BodyText:
    """What a message says. It outlives the widgets that show it.

    Attributes:
        blocks: its parts.
        heights: of the parts, at `width`.
        source: what the parts were made from, if it was not Markdown.
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
        """Take Markdown; if it continues the last one, only the new part is processed.

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
        """Whether the parts are those of a Markdown text."""
        return self._stream.fed == text

    def take(self, blocks: list[Block], first: int = 0) -> None:
        """Take parts; those before `first` are as they were."""
        self.blocks = blocks
        for index in range(first, len(blocks)):
            block = blocks[index]
            between = _GAP_PX if not block.joined else _JOINED_PX if isinstance(block, Prose) else 0
            gap = between if index else 0
            self.heights.put(index, self._estimate(block), gap=gap, measured=False)
        self.heights.cut(len(blocks))

    def lay_out(self, width: int) -> bool:
        """Take a width; False if it is the one it has."""
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
        """The code that begins with a part and goes on in those after it."""
        made = [self.blocks[index].text]
        for block in self.blocks[index + 1 :]:
            if not (isinstance(block, Code) and block.joined):
                break
            made.append(block.text)
        return "\n".join(made)

    def _estimate(self, block: Block) -> int:
        return estimate(block.text, self.width, self._px, code=isinstance(block, Code))


def estimate(text: str, width: int, px: int = 14, *, code: bool = False) -> int:
    """About how tall a text is at a width, in pixels."""
    breaks = text.count("\n")
    if code:
        return (breaks + 1) * _CODE_LINE_PX + _CODE_HEAD_PX
    fit = max(8.0, width / (px * _CHAR_SHARE))
    lines = max(breaks + 1.0, len(text) / fit + _LOST_SHARE * breaks + 1)
    return round(lines * px * _LINE_SHARE)


@dataclass(slots=True)
class TurnMemory:
    """What is kept of a turn while no widget shows it.

    Attributes:
        text, thought: the message, and the reasoning above it.
        opened: it is unfolded.
    """

    text: BodyText = field(default_factory=BodyText)
    thought: BodyText = field(default_factory=lambda: BodyText(13))
    opened: bool = False
