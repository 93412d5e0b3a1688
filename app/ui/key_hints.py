"""The shortcuts that commands have now, so that tooltips never name one that was given away."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.ui.theme import PerApplication


class KeyHints(QObject):
    """The menus tell it what is bound.

    Signals:
        changed: some shortcuts are others now.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._keys: dict[str, str] = {}

    def show_bound(self, bound: Mapping[str, tuple[str, ...]]) -> None:
        """Take the shortcuts of every command that has one, as this system writes them."""
        keys = {id: written[0] for id, written in bound.items()}
        if keys != self._keys:
            self._keys = keys
            self.changed.emit()

    def of(self, command: str) -> str:
        """The shortcut of a command, by its id; "" while it has none."""
        return self._keys.get(command, "")

    def beside(self, text: str, command: str) -> str:
        """ "Regenerate (Ctrl+R)", or the text alone."""
        keys = self.of(command)
        return f"{text} ({keys})" if keys else text


hints = PerApplication(KeyHints)
"""The application's shortcuts, by command."""


class KeyTip(QObject):
    """The tooltip of a widget that does what a command does: a text, and the command's key."""

    def __init__(self, widget: QWidget, text: str, command: str) -> None:
        super().__init__(widget)
        self._text, self._command = text, command
        hints().changed.connect(self._show)
        self._show()

    def say(self, text: str) -> None:
        """Give it another text."""
        self._text = text
        self._show()

    def _show(self) -> None:
        widget = self.parent()
        assert isinstance(widget, QWidget), "it is a child of what it is about"
        widget.setToolTip(hints().beside(self._text, self._command))
