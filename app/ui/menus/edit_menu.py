"""The logic of the Edit menu, which acts on the focused text widget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import shiboken6
from PySide6.QtCore import QMetaObject, QObject, Qt, SignalInstance
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

EditCommand = Literal["undo", "redo", "cut", "copy", "paste", "select_all"]
TextWidget = QTextEdit | QPlainTextEdit | QLineEdit | QLabel
NOTHING: frozenset[EditCommand] = frozenset()


def text_widget(widget: QWidget | None) -> TextWidget | None:
    """The widget, if its text can be selected."""
    if isinstance(widget, QLabel):
        return widget if _selectable(widget) else None
    return widget if isinstance(widget, (QTextEdit, QPlainTextEdit, QLineEdit)) else None


def doable(widget: TextWidget, *, pasteable: bool) -> frozenset[EditCommand]:
    """The commands with an effect now; `pasteable`: the clipboard holds text."""
    match widget:
        case QLineEdit():
            return _in_field(widget, pasteable)
        case QLabel():
            return _in_label(widget)
    return _in_document(widget, pasteable)


def perform(widget: TextWidget, command: EditCommand) -> None:
    """Run one of the enabled commands."""
    if isinstance(widget, QLabel):
        if command == "copy":
            QGuiApplication.clipboard().setText(widget.selectedText())
        else:
            widget.setSelection(0, len(widget.text()))
        return
    match command:
        case "undo":
            widget.undo()
        case "redo":
            widget.redo()
        case "cut":
            widget.cut()
        case "copy":
            widget.copy()
        case "paste":
            widget.paste()
        case "select_all":
            widget.selectAll()


def selected_text(widget: TextWidget) -> str:
    if isinstance(widget, (QLabel, QLineEdit)):
        return widget.selectedText()
    # Qt uses its own line separator, and a character for a picture.
    return widget.textCursor().selectedText().replace("\u2029", "\n").replace("\ufffc", "")


def _in_document(widget: QTextEdit | QPlainTextEdit, pasteable: bool) -> frozenset[EditCommand]:
    document, cursor = widget.document(), widget.textCursor()
    length = document.characterCount() - 1
    can: set[EditCommand] = set()
    if cursor.hasSelection():
        can.add("copy")
    if cursor.selectionEnd() - cursor.selectionStart() < length:
        can.add("select_all")
    if not widget.isReadOnly() and widget.isEnabled():
        can |= {"cut"} if cursor.hasSelection() else set()
        can |= {"paste"} if pasteable else set()
        can |= {"undo"} if document.isUndoAvailable() else set()
        can |= {"redo"} if document.isRedoAvailable() else set()
    return frozenset(can)


def _in_field(widget: QLineEdit, pasteable: bool) -> frozenset[EditCommand]:
    can: set[EditCommand] = set()
    if widget.hasSelectedText():
        can.add("copy")
    if widget.selectedText() != widget.text():
        can.add("select_all")
    if not widget.isReadOnly() and widget.isEnabled():
        can |= {"cut"} if widget.hasSelectedText() else set()
        can |= {"paste"} if pasteable else set()
        can |= {"undo"} if widget.isUndoAvailable() else set()
        can |= {"redo"} if widget.isRedoAvailable() else set()
    return frozenset(can)


def _in_label(widget: QLabel) -> frozenset[EditCommand]:
    can: set[EditCommand] = set()
    if widget.hasSelectedText():
        can.add("copy")
    if widget.selectedText() != widget.text():
        can.add("select_all")
    return frozenset(can)


def _selectable(label: QLabel) -> bool:
    by_mouse = Qt.TextInteractionFlag.TextSelectableByMouse
    return bool(label.textInteractionFlags() & by_mouse)


class EditMenu(QObject):
    """Enables each action exactly while it has an effect.

    Attributes:
        target: the text widget that the actions act on; None if there is none.
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
        # A label emits no signal when its selection changes.
        menu.aboutToShow.connect(self._look_at_clipboard)
        self._look_at_clipboard()

    @property
    def target(self) -> TextWidget | None:
        target = self._target
        return target if target is not None and shiboken6.isValid(target) else None

    @property
    def selection(self) -> str:
        """The selected text of the target."""
        target = self.target
        return "" if target is None else selected_text(target)

    def refresh(self) -> None:
        """Enable the possible actions."""
        target = self.target
        can = NOTHING if target is None else doable(target, pasteable=self._pasteable)
        for command, action in self._actions.items():
            action.setEnabled(command in can)

    def _focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        # An open menu has the focus until its action runs; so does another window.
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
        # Not on every keystroke: on X11 another program may have to answer.
        held = QGuiApplication.clipboard().mimeData()
        # With an empty clipboard, some platforms have no data and others an empty text.
        self._pasteable = held is not None and held.hasText() and bool(held.text())
        self.refresh()


def _signals(target: TextWidget | None) -> list[SignalInstance]:
    """The signals on which to refresh, apart from the clipboard's."""
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
