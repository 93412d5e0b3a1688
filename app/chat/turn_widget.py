"""The widget of a turn, by its kind."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.chat.answer_message import AnswerMessage
from app.chat.body_text import TurnMemory
from app.chat.error_message import ErrorMessage
from app.chat.user_message import UserMessage
from app.session.records import Turn

TurnWidget = UserMessage | AnswerMessage | ErrorMessage


def make_widget(turn: Turn, parent: QWidget, memory: TurnMemory) -> TurnWidget:
    """The widget of a turn, as it was when it was last in sight."""
    if turn.role == "user":
        return UserMessage(turn, parent, memory)
    return AnswerMessage(turn, parent, memory) if turn.is_answer else ErrorMessage(turn, parent)
