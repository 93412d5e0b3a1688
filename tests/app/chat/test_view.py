"""The column of messages in a long conversation."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from app.chat.user_message import UserMessage
from app.chat.view import ChatView
from app.core.session.records import Conversation, Turn, TurnState
from tests.app.chat import editing
from tests.present import present


def long_talk(turns: int) -> Conversation:
    talk = Conversation(1)
    talk.turns = [
        Turn(n, "user" if n % 2 else "assistant", text="Some words. " * 30) for n in range(turns)
    ]
    return talk


def open_view(qtbot: QtBot, talk: Conversation) -> ChatView:
    view = ChatView()
    qtbot.addWidget(view)
    view.resize(700, 500)
    view.show()
    view.show_conversation(talk)
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() > 500)
    return view


class TestLongConversations:
    def test_it_opens_at_its_end_with_few_widgets(self, qtbot: QtBot) -> None:
        talk = long_talk(200)
        view = open_view(qtbot, talk)
        bar = view.verticalScrollBar()
        qtbot.waitUntil(lambda: bar.value() == bar.maximum())
        assert list(view.widgets) == [turn.id for turn in talk.turns[-len(view.widgets) :]]
        assert len(view.widgets) < 40

    def test_scrolling_up_makes_the_earlier_turns_and_keeps_the_place(self, qtbot: QtBot) -> None:
        view = open_view(qtbot, long_talk(200))
        bar = view.verticalScrollBar()
        qtbot.waitUntil(lambda: bar.value() == bar.maximum())
        seen: set[int] = set()
        while bar.value():
            id = present(view.first_on_screen())
            seen |= view.widgets.keys()
            before, most = end_of(view, id), bar.value()
            bar.setValue(bar.value() - 40)
            # Whatever became known of what is above, the text moves by what the user scrolled.
            assert end_of(view, id) - before == min(40, most)
            assert len(view.widgets) < 40
        assert seen == set(range(200))

    def test_a_shortened_conversation_shows_all_that_is_left(self, qtbot: QtBot) -> None:
        talk = long_talk(200)
        view = open_view(qtbot, talk)
        talk.turns = talk.turns[:5]
        view.show_conversation(talk)
        qtbot.waitUntil(lambda: list(view.widgets) == [0, 1, 2, 3, 4])


def end_of(view: ChatView, turn: int) -> int:
    """Where on screen a message ends."""
    widget = view.widgets[turn]
    return widget.mapTo(view.viewport(), QPoint(0, widget.height())).y()


class TestNews:
    """The button that leads to new text below."""

    @pytest.fixture
    def talk(self) -> Conversation:
        return long_talk(30)

    @pytest.fixture
    def view(self, qtbot: QtBot, talk: Conversation) -> ChatView:
        """A view of the middle of a conversation."""
        view = open_view(qtbot, talk)
        bar = view.verticalScrollBar()
        qtbot.waitUntil(lambda: bar.value() == bar.maximum())
        bar.setValue(bar.maximum() // 2)
        assert not view.following
        return view

    def test_editing_a_message_is_no_news(self, qtbot: QtBot, view: ChatView) -> None:
        bar = view.verticalScrollBar()
        # What is near the screen gets its height; from then on nothing changes by itself.
        qtbot.waitUntil(lambda: not view._ahead.isActive())
        before = bar.maximum()
        message = next(w for w in reversed(view.widgets.values()) if isinstance(w, UserMessage))
        message.start_edit()
        editing.editor(message).setFixedHeight(300)
        qtbot.waitUntil(lambda: bar.maximum() > before)
        assert not view.ends.pill.isVisible()

    def test_an_answer_that_grows_is(
        self, qtbot: QtBot, view: ChatView, talk: Conversation
    ) -> None:
        turn = talk.turns[-1]
        turn.state = TurnState.READING
        turn.text = ""
        view.show_turn(turn)
        assert not view.ends.pill.isVisible()
        turn.state, turn.text = TurnState.WRITING, "New words. " * 200
        view.show_turn(turn)
        assert view.ends.pill.isVisible()
        view.ends.pill.click()
        qtbot.waitUntil(lambda: view.following)
        assert not view.ends.pill.isVisible()

    def test_another_conversation_has_no_news(self, view: ChatView) -> None:
        view.ends.pill.show()
        other = Conversation(2)
        other.turns = [Turn(900, "user", text="Hello")]
        view.show_conversation(other)
        assert not view.ends.pill.isVisible()

    def test_an_error_below_is_news(self, view: ChatView, talk: Conversation) -> None:
        talk.turns.append(Turn(901, "error", text="It failed."))
        view.show_conversation(talk)
        assert view.ends.pill.isVisible()
