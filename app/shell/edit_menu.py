"""The Edit menu at work: it acts on the text widget that has the focus."""

from __future__ import annotations

from collections.abc import Mapping

import shiboken6
from PySide6.QtCore import QMetaObject, QObject, SignalInstance
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMenuBar,
    QWidget,
)

from app.shell.edit_target import (
    NOTHING,
    EditCommand,
    TextWidget,
    doable,
    perform,
    selected_text,
    text_widget,
)


class EditMenu(QObject):
    """Enables each action exactly while it can do something.

    Attributes:
        target: the text widget that the actions act on, None for none.
    """

    def __init__(
        self, window: QMainWindow, menu: QMenu, actions: Mapping[EditCommand, QAction]
    ) -> None:
        super().__init__(window)
        self._window, self._actions = window, actions
        self._target: TextWidget | None = None
        self._connections: list[QMetaObject.Connection] = []
        self._pasteable = False
        for command, action in actions.items():
            action.triggered.connect(lambda _on=False, command=command: self._perform(command))
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus)
        QGuiApplication.clipboard().dataChanged.connect(self._look_at_clipboard)
        # A selection in a label changes without a signal.
        menu.aboutToShow.connect(self._look_at_clipboard)
        self._look_at_clipboard()

    @property
    def target(self) -> TextWidget | None:
        target = self._target
        return target if target is not None and shiboken6.isValid(target) else None

    @property
    def selection(self) -> str:
        """What is selected in the target."""
        target = self.target
        return "" if target is None else selected_text(target)

    def refresh(self) -> None:
        """Enable what can be done now."""
        target = self.target
        can = NOTHING if target is None else doable(target, pasteable=self._pasteable)
        for command, action in self._actions.items():
            action.setEnabled(command in can)

    def _focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        # A menu takes the focus and gives it back before it acts; so does another window.
        if now is None or isinstance(now, (QMenu, QMenuBar)):
            return
        ours = now.window() is self._window
        self._take(text_widget(now) if ours else None)

    def _take(self, target: TextWidget | None) -> None:
        for connection in self._connections:
            QObject.disconnect(connection)
        self._target = target
        self._connections = [signal.connect(self.refresh) for signal in _signals(target)]
        self._look_at_clipboard()

    def _perform(self, command: EditCommand) -> None:
        target = self.target
        if target is not None:
            perform(target, command)
            self.refresh()

    def _look_at_clipboard(self) -> None:
        # Asked here and not at each letter: on X11 it may be another program that answers.
        held = QGuiApplication.clipboard().mimeData()
        # Some platforms hold nothing where others hold an empty text.
        self._pasteable = held is not None and held.hasText() and bool(held.text())
        self.refresh()


def _signals(target: TextWidget | None) -> list[SignalInstance]:
    """What tells that other commands can be done, besides the clipboard."""
    if target is None or isinstance(target, QLabel):
        return []
    if isinstance(target, QLineEdit):
        return [target.textChanged, target.selectionChanged]
    return [
        target.textChanged,
        target.selectionChanged,
        target.undoAvailable,
        target.redoAvailable,
        target.destroyed,
    ]
