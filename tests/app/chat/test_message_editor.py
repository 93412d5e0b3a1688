"""Editing a message in its place: the size of the field, and what is hidden meanwhile."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.chat.answer_message import AnswerMessage
from app.chat.logic.body_text import TurnMemory
from app.chat.message_editor import MessageEditor
from app.chat.user_message import UserMessage
from app.core.session.records import Turn
from app.ui.widgets import CopyButton
from tests.present import present


@pytest.fixture
def holder(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(800, 700)
    made.show()
    return made


def message_of(holder: QWidget, role: str, text: str) -> UserMessage | AnswerMessage:
    turn = Turn(1, "user" if role == "user" else "assistant", text)
    made = UserMessage(turn, holder) if role == "user" else AnswerMessage(turn, holder)
    made.resize(500, 300)
    made.lay_out(500)
    made.show()
    return made


class TestField:
    def open(self, holder: QWidget, width: int) -> MessageEditor:
        editor = MessageEditor("Edit", "Save", "Enter", holder)
        editor.resize(width, 500)
        return editor

    def test_it_shows_all_of_a_long_paragraph(self, holder: QWidget) -> None:
        editor = self.open(holder, 400)
        editor.begin("One line of words that wrap. " * 12)
        QApplication.processEvents()
        assert editor.field.verticalScrollBar().maximum() == 0
        assert editor.field.document().size().height() > 4

    def test_it_grows_when_it_gets_narrower_and_with_what_is_typed(self, holder: QWidget) -> None:
        editor = self.open(holder, 600)
        editor.begin("One line of words that wrap. " * 6)
        QApplication.processEvents()
        wide = editor.field.height()
        editor.resize(300, 500)
        QApplication.processEvents()
        narrow = editor.field.height()
        assert narrow > wide
        editor.field.appendPlainText("and\nmore\nlines")
        QApplication.processEvents()
        assert editor.field.height() > narrow
        assert editor.field.verticalScrollBar().maximum() == 0

    @pytest.mark.parametrize("lines", [0, 12, 500])
    def test_one_goes_on_writing_at_the_end(
        self, holder: QWidget, qtbot: QtBot, lines: int
    ) -> None:
        editor = self.open(holder, 400)
        editor.begin("A line.\n" * lines + "The last")
        qtbot.waitUntil(editor.field.hasFocus)
        qtbot.keyClicks(editor.field, " one.")
        assert editor.field.toPlainText() == "A line.\n" * lines + "The last one."
        field = editor.field
        assert field.viewport().rect().contains(field.cursorRect())

    def test_a_very_long_text_scrolls(self, holder: QWidget) -> None:
        editor = self.open(holder, 400)
        editor.begin("A line.\n" * 500)
        QApplication.processEvents()
        assert editor.field.height() < 400
        assert editor.field.verticalScrollBar().maximum() > 0


@pytest.mark.parametrize("role", ["user", "assistant"])
class TestMessage:
    def test_its_buttons_are_away_while_it_is_edited(self, holder: QWidget, role: str) -> None:
        message = message_of(holder, role, "What was said.")
        copy = present(message.findChild(CopyButton))
        assert copy.isVisible()
        message.start_edit()
        assert not copy.isVisible()
        message.cancel_edit()
        assert copy.isVisible()

    def test_an_editor_does_not_go_over_to_another_turn(self, holder: QWidget, role: str) -> None:
        message = message_of(holder, role, "What was said.")
        message.start_edit()
        other = Turn(2, message.turn.role, "What was said elsewhere.")
        message.change_turn(other, TurnMemory())
        assert not message.editing
        assert present(message.findChild(CopyButton)).isVisible()
        assert message.body.isVisible()
        message.cancel_edit()
        assert message.turn is other
