"""A fenced code block: its language, a copy button, and highlighting once it is complete."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QTextEdit, QVBoxLayout, QWidget

from app import theme
from app.chat import highlight
from app.widgets import CopyButton, label, set_state
from app.words.tr import tr

_SIDE_PX = 12
_GAP_PX = 2


class _CodeText(QTextEdit):
    """Read-only code, as tall as its lines, which wrap or scroll sideways."""

    def __init__(self, parent: QWidget, *, wraps: bool) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        if wraps:
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        else:
            self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
            self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFont(theme.mono_font(13))
        self.document().setDocumentMargin(0)
        self.setAccessibleName(tr("Code"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def fit(self) -> None:
        bar = self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(math.ceil(self.document().size().height()) + bar + 2)

    def show_text(self, text: str, before: str) -> None:
        """Show a text in place of `before`; what only grew is appended, and a selection stays."""
        if not (before and text.startswith(before)):
            self.setPlainText(text)
            return
        at = self.textCursor()
        ends = at.anchor(), at.position()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text[len(before) :])
        if at.hasSelection() and max(ends) != max(at.anchor(), at.position()):
            # The end of the text moves on, and a selection that reached it would grow with it.
            at.setPosition(ends[0])
            at.setPosition(ends[1], QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(at)

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

    def __init__(self, parent: QWidget | None = None, *, wraps: bool = False) -> None:
        """wraps: its lines, instead of being scrolled."""
        super().__init__(parent)
        self._wraps = wraps
        self.setObjectName("codeBlock")
        self.code = ""
        self.language = ""
        self.closed = False
        self._joined = False
        self._all: Callable[[], str] | None = None
        self._name = label("", "faint")
        self._copy = CopyButton(self._whole, tr("Copy code"))
        self._text = _CodeText(self, wraps=wraps)
        self._top = QWidget(self)
        head = QHBoxLayout(self._top)
        head.setContentsMargins(12, 4, 6, 0)
        head.addWidget(self._name)
        head.addStretch(1)
        head.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, _GAP_PX)
        column.setSpacing(_GAP_PX)
        column.addWidget(self._top)
        inner = QHBoxLayout()
        inner.setContentsMargins(_SIDE_PX, 0, _SIDE_PX, 0)
        inner.addWidget(self._text)
        column.addLayout(inner)

    def show_code(
        self,
        code: str,
        language: str,
        closed: bool,
        *,
        joined: bool = False,
        whole: Callable[[], str] | None = None,
    ) -> None:
        """Show the block; text that only grew is appended, so streaming stays cheap.

        Args:
            joined: it continues the block above it.
            whole: the text of all that continues it, for copying.
        """
        self._all = whole
        if joined != self._joined:
            self._joined = joined
            self._top.setVisible(not joined)
            set_state(self, "joined", joined)
        if (code, language, closed) == (self.code, self.language, self.closed):
            return
        self._text.show_text(code, self.code)
        self.code, self.language, self.closed = code, language, closed
        self._name.setText(language or tr("code"))
        if closed:
            self._colour()
        self._text.fit()

    @property
    def text_view(self) -> QTextEdit:
        return self._text

    def height_for(self, width: int) -> int:
        """The height that the code needs at a width.

        Asking the layout for it would give the height before the last text: it notices later.
        """
        frame = 2 * self.frameWidth()
        if self._wraps:
            self._text.document().setTextWidth(width - frame - 2 * _SIDE_PX)
            self._text.fit()
        head = 0 if self._joined else self._top.sizeHint().height() + _GAP_PX
        return frame + head + self._text.height() + _GAP_PX

    def ideal_width(self) -> int:
        """The width at which no line has to be scrolled, or to wrap."""
        longest = max(self.code.split("\n"), key=len)
        return self._text.fontMetrics().horizontalAdvance(longest) + 2 * _SIDE_PX + 8

    def _whole(self) -> str:
        return self.code if self._all is None else self._all()

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
