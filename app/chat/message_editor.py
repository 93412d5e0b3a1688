"""Edits a message in place; also defines the send key."""

from __future__ import annotations

import math

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.chat.file_chips import files_of
from app.core.words.tr import tr

_FEWEST_LINES, _MOST_LINES, _FRAME_PX = 2, 16, 22
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_with_control = False


def set_send_key(name: str) -> None:
    """`name`: "enter" or "ctrl+enter"."""
    global _with_control
    _with_control = name == "ctrl+enter"


def sends(event: QKeyEvent) -> bool:
    """Whether a key pressed in a message field sends or saves its text."""
    held = event.modifiers()
    if event.key() not in _ENTER or held & Qt.KeyboardModifier.ShiftModifier:
        return False
    return not _with_control or bool(held & Qt.KeyboardModifier.ControlModifier)


class _Field(QPlainTextEdit):
    """Signals:
    done: Enter without Shift.
    left: Esc was pressed.
    """

    done = Signal()
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self.fit)

    def fit(self) -> None:
        """Fit the height to the text, within limits."""
        lines, taken, layout = 0, 0.0, self.document().documentLayout()
        block = self.document().firstBlock()
        while block.isValid() and lines < _MOST_LINES:
            # Querying the rectangle wraps the text at the current width.
            taken += layout.blockBoundingRect(block).height()
            lines += block.lineCount()
            block = block.next()
        policy = Qt.ScrollBarPolicy
        # Below its full height it needs no bar; Qt would show one until the new height applies.
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if lines < _MOST_LINES else policy.ScrollBarAsNeeded
        )
        line = self.fontMetrics().lineSpacing()
        # Letters from a fallback font may be taller.
        shown = min(_MOST_LINES * line, max(_FEWEST_LINES * line, math.ceil(taken)))
        self.setFixedHeight(shown + _FRAME_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.fit()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Reject files: dropped ones go to the composer."""
        return not files_of(source) and super().canInsertFromMimeData(source)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if sends(event):
            self.done.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class MessageEditor(QWidget):
    """A field and two buttons; hidden until `begin`.

    Signals:
        saved: the new text.
        left: the user cancelled.
    """

    saved = Signal(str)
    left = Signal()

    def __init__(self, what: str, save: str, hint: str, parent: QWidget | None = None) -> None:
        """what: the field's accessible name; save, hint: the button's text and tooltip."""
        super().__init__(parent)
        self.field = _Field(self)
        self.field.setProperty("kind", "field")
        self.field.setAccessibleName(what)
        self.field.setTabChangesFocus(True)
        self.field.done.connect(self._save)
        self.field.left.connect(self.left)
        cancel, done = QPushButton(tr("Cancel"), self), QPushButton(save, self)
        self._done = done
        cancel.setProperty("kind", "small")
        done.setProperty("kind", "primarySmall")
        cancel.setToolTip("Esc")
        done.setToolTip(hint)
        cancel.clicked.connect(self.left)
        done.clicked.connect(self._save)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(done)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addLayout(row)
        self.hide()

    def begin(self, text: str) -> None:
        """Edit a text, with the cursor at its end."""
        self.resume(text)
        self.field.setFocus()
        self.field.moveCursor(QTextCursor.MoveOperation.End)

    def resume(self, text: str) -> None:
        """Resume an earlier edit, without taking the focus."""
        self.field.setPlainText(text)
        self.show()
        self.field.fit()

    def set_ready(self, ready: bool) -> None:
        """Set whether the text can be saved now."""
        self._done.setEnabled(ready)

    def _save(self) -> None:
        if self._done.isEnabled():
            self.saved.emit(self.field.toPlainText())
