"""The current shortcuts of commands, so that tooltips never name an outdated one."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.ui.theme import PerApplication


class KeyHints(QObject):
    """The menus publish their shortcuts here.

    Signals:
        changed: some shortcuts have changed.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._keys: dict[str, str] = {}

    def show_bound(self, bound: Mapping[str, tuple[str, ...]]) -> None:
        """Set the shortcuts of all commands that have one, in the system's notation."""
        keys = {id: written[0] for id, written in bound.items()}
        if keys != self._keys:
            self._keys = keys
            self.changed.emit()

    def of(self, command: str) -> str:
        """The shortcut of a command, by its id; "" if it has none."""
        return self._keys.get(command, "")

    def beside(self, text: str, command: str) -> str:
        """ "Regenerate (Ctrl+R)", or the text alone."""
        keys = self.of(command)
        return f"{text} ({keys})" if keys else text


hints = PerApplication(KeyHints)
"""The application's shortcuts, by command."""


class KeyTip(QObject):
    """The tooltip of a widget that triggers a command: a text, and the command's shortcut."""

    def __init__(self, widget: QWidget, text: str, command: str) -> None:
        super().__init__(widget)
        self._text, self._command = text, command
        hints().changed.connect(self._show)
        self._show()

    def say(self, text: str) -> None:
        """Set another text."""
        self._text = text
        self._show()

    def _show(self) -> None:
        widget = self.parent()
        assert isinstance(widget, QWidget), "its parent is the widget"
        widget.setToolTip(hints().beside(self._text, self._command))
