"""The text of a message as a column of parts, of which only the last is ever redrawn."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QTextEdit, QWidget

from app.chat.body_selection import BodySelection
from app.chat.code_block import CodeBlock
from app.chat.markdown_stream import Block, MarkdownStream, Prose
from app.chat.prose import ProseView

_GAP_PX = 10
_JOINED_PX = 4


class MessageBody(QWidget):
    """Shows Markdown that may still grow.

    It places its parts itself: a layout would visit all of them whenever the last one grows.

    Attributes:
        parts: one widget for each segment.
        selection: what the user selected, across parts.
    """

    def __init__(
        self,
        px: int = 14,
        token: str = "text",
        parent: QWidget | None = None,
        *,
        markdown: bool = True,
    ) -> None:
        super().__init__(parent)
        self.parts: list[ProseView | CodeBlock] = []
        self.selection = BodySelection(self)
        self._gaps: list[int] = []
        self._px = px
        self._token = token
        self._markdown = markdown
        self._stream = MarkdownStream()
        self._finished = False
        self._height = 0
        self._laid_px = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str, *, finished: bool) -> None:
        """Show a text; if it continues the last one, only the new part is processed."""
        known = self._stream.fed
        if self._finished and (text != known or not finished):
            known = "\0"
        if not text.startswith(known):
            self._stream, self._finished = MarkdownStream(), False
            known = ""
        first = len(self.parts)
        if len(text) > len(known):
            first = min(first, self._stream.feed(text[len(known) :]))
        if finished and not self._finished:
            first = min(first, self._stream.finish())
            self._finished = True
        if not known:
            first = 0
        self.show_blocks(self._stream.blocks, first)

    def text_fields(self) -> list[QTextEdit]:
        """The widgets that show its text, in reading order."""
        return [part.text_view for part in self.parts]

    def show_blocks(self, blocks: list[Block], first: int = 0) -> None:
        """Show parts; those before `first` are as they were."""
        for index in range(first, len(blocks)):
            block = blocks[index]
            part = self._part(index, block)
            if isinstance(part, ProseView) and isinstance(block, Prose):
                if self._markdown:
                    part.show_markdown(block.text)
                else:
                    part.show_plain(block.text)
            elif isinstance(part, CodeBlock) and not isinstance(block, Prose):
                part.show_code(block.text, block.language, block.closed)
            joined = isinstance(block, Prose) and block.joined
            self._gaps[index:] = [0 if index == 0 else _JOINED_PX if joined else _GAP_PX]
        for extra in self.parts[len(blocks) :]:
            self._drop(extra)
        del self.parts[len(blocks) :], self._gaps[len(blocks) :]
        self._place(first)

    def restyle(self) -> None:
        for part in self.parts:
            part.restyle()
        self._place(0)

    def ideal_width(self) -> int:
        """The width at which no line has to break."""
        return max((part.ideal_width() for part in self.parts), default=0)

    def sizeHint(self) -> QSize:
        return QSize(200, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self._height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.lay_out(event.size().width())

    def lay_out(self, width: int) -> None:
        """Take the height for a width; before it is shown, when Qt does not tell it yet."""
        if width != self._laid_px:
            self._laid_px = width
            self._place(0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Only now do code blocks have the fonts that the style sheet gives them.
        self._place(0)

    def _place(self, first: int) -> None:
        """Put the parts from `first` on below each other, once it is known how wide they are."""
        width = self._laid_px
        if not width:
            return
        top = self.parts[first - 1].geometry().bottom() + 1 if 0 < first <= len(self.parts) else 0
        for part, gap in zip(self.parts[first:], self._gaps[first:], strict=True):
            top += gap
            part.setGeometry(0, top, width, part.height_for(width))
            top += part.height()
        if top != self._height:
            self._height = top
            self.setFixedHeight(top)

    def _part(self, index: int, block: Block) -> ProseView | CodeBlock:
        kind = ProseView if isinstance(block, Prose) else CodeBlock
        if index < len(self.parts):
            if isinstance(self.parts[index], kind):
                return self.parts[index]
            self._drop(self.parts.pop(index))
        made = (
            ProseView(self._px, self._token, self) if isinstance(block, Prose) else CodeBlock(self)
        )
        self.selection.watch(made.text_view)
        made.show()
        self.parts.insert(index, made)
        return made

    def _drop(self, part: ProseView | CodeBlock) -> None:
        self.selection.forget(part.text_view)
        part.hide()
        part.deleteLater()
