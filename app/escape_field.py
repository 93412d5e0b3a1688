"""A one-line field that Esc leaves; elsewhere in the window it would stop a running answer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit


class EscapeField(QLineEdit):
    """Signals:
    left: Esc was pressed.
    """

    left = Signal()

    def event(self, event: QEvent) -> bool:
        claims = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if claims and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
