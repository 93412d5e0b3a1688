"""The field above the list in which words are looked up in all conversations."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.clear_sign import ClearSign
from app.escape_field import EscapeField
from app.key_hints import KeyTip
from app.words.tr import tr

_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: 5,
    Qt.Key.Key_PageUp: -5,
}


class SearchField(EscapeField):
    """Keeps the focus while the keys go through the results.

    Signals:
        stepped: go so many results on.
        opened: open the result.
    """

    stepped = Signal(int)
    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("search")
        self.setPlaceholderText(tr("Search"))
        self.setAccessibleName(tr("Search conversations"))
        KeyTip(self, tr("Search titles and messages"), "search")
        self._clear = ClearSign(self, tr("Clear the search"))
        self._clear.triggered.connect(self.left)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.stepped.emit(_STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        else:
            super().keyPressEvent(event)
