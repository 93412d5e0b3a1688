"""Edits the text of a message in its place."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.chat.file_drops import files_of

_MOST_PX, _LINE_PX, _FRAME_PX = 320, 20, 34


class _Field(QPlainTextEdit):
    """Signals:
    done: Enter without Shift.
    left: Esc was pressed.
    """

    done = Signal()
    left = Signal()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Files that are dropped here are for the composer."""
        return not files_of(source) and super().canInsertFromMimeData(source)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not shifted:
            self.done.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class MessageEditor(QWidget):
    """A field and two buttons; hidden until `begin`.

    Signals:
        saved: the new text.
        left: no change is wanted.
    """

    saved = Signal(str)
    left = Signal()

    def __init__(self, what: str, save: str, hint: str, parent: QWidget | None = None) -> None:
        """what: the accessible name of the field; save, hint: of the button, and its tooltip."""
        super().__init__(parent)
        self.field = _Field(self)
        self.field.setProperty("kind", "field")
        self.field.setAccessibleName(what)
        self.field.setTabChangesFocus(True)
        self.field.done.connect(self._save)
        self.field.left.connect(self.left)
        cancel, done = QPushButton("Cancel", self), QPushButton(save, self)
        cancel.setProperty("kind", "small")
        done.setProperty("kind", "small")
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
        """Show a text and select all of it."""
        self.field.setPlainText(text)
        self.field.setFixedHeight(min(_MOST_PX, _FRAME_PX + _LINE_PX * (2 + text.count("\n"))))
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def _save(self) -> None:
        self.saved.emit(self.field.toPlainText())
