"""A fenced code block: its language, a copy button, and highlighting once it is complete."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app import theme
from app.chat import highlight
from app.widgets import CopyButton, label


class _CodeText(QPlainTextEdit):
    """Read-only code, as tall as its lines, scrolling sideways only."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFont(theme.mono_font(13))
        self.document().setDocumentMargin(0)
        self.setAccessibleName("Code")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def fit(self) -> None:
        line = self.blockBoundingRect(self.firstVisibleBlock()).height()
        bar = self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(math.ceil(line * max(1, self.blockCount())) + bar + 2)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            super().wheelEvent(event)
        else:
            event.ignore()


class CodeBlock(QFrame):
    """One fenced block.

    Attributes:
        code: its text.
        closed: whether its end was seen.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("codeBlock")
        self.code = ""
        self.language = ""
        self.closed = False
        self._name = label("", "faint")
        self._copy = CopyButton(lambda: self.code, "Copy code")
        self._text = _CodeText(self)
        head = QHBoxLayout()
        head.setContentsMargins(12, 4, 6, 0)
        head.addWidget(self._name)
        head.addStretch(1)
        head.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 2)
        column.setSpacing(2)
        column.addLayout(head)
        inner = QHBoxLayout()
        inner.setContentsMargins(12, 0, 12, 0)
        inner.addWidget(self._text)
        column.addLayout(inner)

    @property
    def field(self) -> QPlainTextEdit:
        """The widget with its text."""
        return self._text

    def show_code(self, code: str, language: str, closed: bool) -> None:
        """Show the block; text that only grew is appended, so streaming stays cheap."""
        if (code, language, closed) == (self.code, self.language, self.closed):
            return
        if code.startswith(self.code) and self.code:
            cursor = QTextCursor(self._text.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(code[len(self.code) :])
        else:
            self._text.setPlainText(code)
        self.code, self.language, self.closed = code, language, closed
        self._name.setText(language or "code")
        if closed:
            self._colour()
        self._text.fit()

    def restyle(self) -> None:
        if self.closed:
            self._colour()

    def _colour(self) -> None:
        look = theme.current()
        cursor = QTextCursor(self._text.document())
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.setCharFormat(QTextCharFormat())
        # Qt counts UTF-16 units, Python counts characters; they differ beyond the BMP.
        wide = not self.code.isascii() and any(ord(c) > 0xFFFF for c in self.code)
        for span in [] if wide else highlight.spans(self.code, self.language):
            shape = QTextCharFormat()
            shape.setForeground(QColor(look.syntax[span.role]))
            cursor.setPosition(span.start)
            cursor.setPosition(span.start + span.length, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(shape)
        cursor.endEditBlock()
