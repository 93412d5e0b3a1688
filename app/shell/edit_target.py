"""What the commands of the Edit menu can do to one widget, and doing it."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

EditCommand = Literal["undo", "redo", "cut", "copy", "paste", "select_all"]
EDIT_COMMANDS: tuple[EditCommand, ...] = ("undo", "redo", "cut", "copy", "paste", "select_all")
TextWidget = QTextEdit | QPlainTextEdit | QLineEdit | QLabel
NOTHING: frozenset[EditCommand] = frozenset()


def text_widget(widget: QWidget | None) -> TextWidget | None:
    """The widget, if it holds text that can be selected."""
    if isinstance(widget, QLabel):
        return widget if _selectable(widget) else None
    return widget if isinstance(widget, (QTextEdit, QPlainTextEdit, QLineEdit)) else None


def doable(widget: TextWidget, *, pasteable: bool) -> frozenset[EditCommand]:
    """The commands that would change something now; `pasteable`: the clipboard holds text."""
    match widget:
        case QLineEdit():
            return _in_field(widget, pasteable)
        case QLabel():
            return _in_label(widget)
    return _in_document(widget, pasteable)


def perform(widget: TextWidget, command: EditCommand) -> None:
    """Carry out one of the commands that are doable."""
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
    # Qt separates lines by a character of its own.
    return widget.textCursor().selectedText().replace("\u2029", "\n")


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
