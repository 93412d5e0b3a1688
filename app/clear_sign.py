"""The sign at the end of a field that empties it; it is there while there is text."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit

from app import theme
from app.icons import icon
from app.words.tr import tr

_SIGN_PX = 14


class ClearSign(QAction):
    """For the mouse; the field itself is emptied with Esc. What it does is up to its field."""

    def __init__(self, field: QLineEdit, name: str) -> None:
        super().__init__(name, field)
        self.setToolTip(tr("{name} (Esc)").format(name=name))
        self.setVisible(False)
        field.addAction(self, QLineEdit.ActionPosition.TrailingPosition)
        field.textChanged.connect(self._show_for)
        theme.keeper().changed.connect(self._tint)
        self._tint()

    def _show_for(self, text: str) -> None:
        self.setVisible(bool(text))

    def _tint(self) -> None:
        self.setIcon(icon("close", theme.current().colours["dim"], _SIGN_PX))
