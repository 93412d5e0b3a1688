"""The text of a message as a column of parts, of which only the last is ever redrawn."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from app.chat.code_block import CodeBlock
from app.chat.markdown_stream import Block, MarkdownStream, Prose
from app.chat.prose import ProseView


class MessageBody(QWidget):
    """Shows Markdown that may still grow.

    Attributes:
        parts: one widget for each segment.
    """

    def __init__(self, px: int = 14, token: str = "text", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parts: list[ProseView | CodeBlock] = []
        self._px = px
        self._token = token
        self._stream = MarkdownStream()
        self._finished = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(10)

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
        self._show(self._stream.blocks, first)

    def text_fields(self) -> list[QTextEdit | QPlainTextEdit]:
        """The widgets that show its text, in reading order."""
        return [part if isinstance(part, ProseView) else part.field for part in self.parts]

    def restyle(self) -> None:
        for part in self.parts:
            part.restyle()

    def _show(self, blocks: list[Block], first: int) -> None:
        for index in range(first, len(blocks)):
            block = blocks[index]
            part = self._part(index, block)
            if isinstance(part, ProseView) and isinstance(block, Prose):
                part.show_markdown(block.text)
            elif isinstance(part, CodeBlock) and not isinstance(block, Prose):
                part.show_code(block.text, block.language, block.closed)
        for extra in self.parts[len(blocks) :]:
            self._column.removeWidget(extra)
            extra.hide()
            extra.deleteLater()
        del self.parts[len(blocks) :]

    def _part(self, index: int, block: Block) -> ProseView | CodeBlock:
        kind = ProseView if isinstance(block, Prose) else CodeBlock
        if index < len(self.parts):
            if isinstance(self.parts[index], kind):
                return self.parts[index]
            old = self.parts.pop(index)
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        made = (
            ProseView(self._px, self._token, self) if isinstance(block, Prose) else CodeBlock(self)
        )
        self._column.insertWidget(index, made)
        self.parts.insert(index, made)
        return made
