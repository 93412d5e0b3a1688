"""The field in which a message is edited."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.chat.message_editor import MessageEditor
from tests.present import present


def editor(message: QWidget) -> MessageEditor:
    return present(message.findChild(MessageEditor))


def field(message: QWidget) -> QPlainTextEdit:
    return editor(message).field
