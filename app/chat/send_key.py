"""Which key sends a message: Enter, or Ctrl+Enter so that Enter begins a new line."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_with_control = False


def set_send_key(name: str) -> None:
    """`name`: "enter" or "ctrl+enter"."""
    global _with_control
    _with_control = name == "ctrl+enter"


def sends(event: QKeyEvent) -> bool:
    """Whether a key pressed in a message field sends, or saves, what is in it."""
    held = event.modifiers()
    if event.key() not in _ENTER or held & Qt.KeyboardModifier.ShiftModifier:
        return False
    return not _with_control or bool(held & Qt.KeyboardModifier.ControlModifier)
