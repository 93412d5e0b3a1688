"""Branches of a conversation, by mouse and by keyboard."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app.chat.answer_message import AnswerMessage
from app.chat.user_message import UserMessage
from app.core.session.fork import Fork
from engine.commands import Probe, Submit
from tests.app.buttons import button, choose
from tests.app.chat import editing
from tests.app.conftest import Desk
from tests.app.fake_loop import messages_of
from tests.present import present

LEFT = Qt.MouseButton.LeftButton


class Nudge(QObject):
    """Scrolls a little whenever a message is hidden; `count` is how often."""

    def __init__(self, message: QWidget, desk: Desk) -> None:
        super().__init__(message)
        self._bar = desk.window.chat.view.verticalScrollBar()
        self.count = 0
        message.installEventFilter(self)

    def eventFilter(self, _message: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Hide:
            self.count += 1
            self._bar.setValue(self._bar.value() - 30)
        return False


@pytest.fixture
def talk(desk: Desk) -> Desk:
    """Two questions, answered."""
    desk.say("One")
    desk.say("Two")
    return desk


def widgets(desk: Desk) -> list[UserMessage | AnswerMessage]:
    shown = desk.window.chat.view.widgets.values()
    return [widget for widget in shown if isinstance(widget, UserMessage | AnswerMessage)]


def click(desk: Desk, message: UserMessage | AnswerMessage, name: str) -> None:
    QApplication.processEvents()
    desk.qtbot.mouseClick(button(message, name), LEFT)
    desk.until(lambda: not desk.session.busy)


def said(desk: Desk) -> list[str]:
    return [turn.text for turn in desk.turns]


def version(message: UserMessage | AnswerMessage) -> str:
    """Its "2/3"; "" if there is only one."""
    found = [
        part.text()
        for part in message.findChildren(QLabel)
        if part.accessibleName().startswith("Version") and part.isVisibleTo(message)
    ]
    return found[0] if found else ""


class TestByMouse:
    def test_an_edited_question_is_a_second_version(self, talk: Desk) -> None:
        first = widgets(talk)[0]
        click(talk, first, "Edit and send as a new version")
        editing.field(first).setPlainText("Uno")
        click(talk, first, "Send")
        assert said(talk) == ["Uno", "You said **Uno**."]
        assert version(widgets(talk)[0]) == "2/2"
        click(talk, widgets(talk)[0], "Previous version")
        assert said(talk)[0::2] == ["One", "Two"]
        assert version(widgets(talk)[0]) == "1/2"
        assert version(widgets(talk)[2]) == ""

    def test_cancel_leaves_the_question_alone(self, talk: Desk) -> None:
        first = widgets(talk)[0]
        click(talk, first, "Edit and send as a new version")
        editing.field(first).setPlainText("Uno")
        click(talk, first, "Cancel")
        assert not first.editing
        assert said(talk)[0] == "One"

    def test_any_answer_can_be_regenerated(self, talk: Desk) -> None:
        click(talk, widgets(talk)[1], "Regenerate")
        assert said(talk)[0] == "One"
        assert len(said(talk)) == 2
        assert version(widgets(talk)[1]) == "2/2"

    def test_an_edited_answer_says_whose_it_is(self, talk: Desk) -> None:
        answer = widgets(talk)[3]
        click(talk, answer, "Edit as a new version")
        assert isinstance(answer, AnswerMessage)
        editing.field(answer).setPlainText("Mine")
        click(talk, answer, "Save as a new version")
        edited = widgets(talk)[3]
        assert isinstance(edited, AnswerMessage)
        assert edited.stats.text() == "edited by you"
        assert version(edited) == "2/2"
        talk.say("And?")
        (asked,) = [c for c in talk.loop.posted if isinstance(c, Submit)][-1:]
        assert [m.content for m in messages_of(asked)][-2:] == ["Mine", "And?"]

    def test_a_fork_opens_beside_the_original_which_keeps_its_draft(self, talk: Desk) -> None:
        source = talk.session.current.id
        talk.window.chat.composer.set_text("not sent yet")
        choose(widgets(talk)[1], "Fork to a new conversation")
        talk.until(lambda: not talk.session.busy)
        assert talk.session.current.id != source
        assert said(talk) == ["One", "You said **One**."]
        assert talk.window.chat.composer.text == ""
        talk.window.drafts.select(source)
        assert talk.window.chat.composer.text == "not sent yet"
        assert len(said(talk)) == 4


class TestByKeyboard:
    def test_the_arrows_step_through_the_versions_of_the_last_fork(self, talk: Desk) -> None:
        menus = talk.window.menus
        assert not menus.before.isEnabled()
        menus.regenerate.trigger()
        talk.until(lambda: not talk.session.busy)
        assert menus.before.isEnabled()
        assert not menus.after.isEnabled()
        menus.before.trigger()
        assert version(widgets(talk)[3]) == "1/2"
        assert menus.after.isEnabled()

    def test_the_focus_stays_on_the_arrow(self, talk: Desk) -> None:
        talk.window.menus.regenerate.trigger()
        talk.until(lambda: not talk.session.busy)
        button(widgets(talk)[3], "Previous version").setFocus()
        QApplication.processEvents()
        talk.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
        assert version(widgets(talk)[3]) == "1/2"
        # The first version has none before it: the focus is on the way back.
        assert QApplication.focusWidget() is button(widgets(talk)[3], "Next version")

    def test_the_last_message_and_the_last_answer_are_edited_by_key(self, talk: Desk) -> None:
        talk.window.menus.edit_last.trigger()
        question = widgets(talk)[2]
        assert question.editing
        editing.field(question).selectAll()
        talk.qtbot.keyClicks(editing.field(question), "Due")
        talk.qtbot.keyClick(editing.field(question), Qt.Key.Key_Return)
        talk.until(lambda: not talk.session.busy)
        assert said(talk)[2:] == ["Due", "You said **Due**."]
        talk.window.menus.edit_answer.trigger()
        answer = widgets(talk)[3]
        talk.qtbot.keyClicks(editing.field(answer), "Mine")
        talk.qtbot.keyClick(editing.field(answer), Qt.Key.Key_Escape)
        assert said(talk)[3] == "You said **Due**."

    def test_forking_by_key_copies_the_whole_branch(self, talk: Desk) -> None:
        talk.window.menus.fork.trigger()
        assert len(said(talk)) == 4
        assert talk.session.current.title == "Fork: One"


class TestForecast:
    def test_a_sibling_shows_what_going_there_would_cost(self, talk: Desk) -> None:
        talk.window.menus.regenerate.trigger()
        talk.until(lambda: not talk.session.busy)
        talk.bridge.perform(talk.session.probe_conversation())
        talk.until(lambda: bool(talk.session.forecast.siblings))
        arrow = button(widgets(talk)[3], "Previous version")
        assert "tokens are in the cache" in arrow.toolTip()
        asked = [c for c in talk.loop.posted if isinstance(c, Probe)][-1]
        assert messages_of(asked)[-1].content == ""


class TestSeeking:
    def test_a_message_far_up_comes_to_the_top_of_the_view(self, talk: Desk) -> None:
        for number in range(12):
            talk.say(f"Question {number} " + "word " * 200)
        view = talk.window.chat.view
        sought = talk.turns[0].id
        talk.bridge.perform(talk.session.show_message(talk.session.current.id, sought))
        talk.qtbot.waitUntil(lambda: view.verticalScrollBar().value() < 40)
        assert view.first_on_screen() == sought


class TestArrows:
    def test_no_arrow_moves_when_the_wait_becomes_known(self, talk: Desk) -> None:
        """Who clicks twice must not hit something else."""
        for _ in range(2):
            talk.window.menus.regenerate.trigger()
            talk.until(lambda: not talk.session.busy)
        talk.window.menus.before.trigger()
        answer = widgets(talk)[3]
        arrows = [button(answer, name) for name in ("Previous version", "Next version")]

        def places() -> list[int]:
            QApplication.processEvents()
            return [arrow.mapTo(answer, arrow.rect().topLeft()).x() for arrow in arrows]

        answer.show_fork(Fork(2, 3))
        before = places()
        plan = present(present(answer.turn.report).plan)
        for known in (plan, replace(plan, predicted_seconds=12.3)):
            answer.show_fork(Fork(2, 3, known, known))
            assert places() == before

    def test_the_title_is_that_of_the_branch_on_screen(self, talk: Desk) -> None:
        first = widgets(talk)[0]
        click(talk, first, "Edit and send as a new version")
        editing.field(first).setPlainText("Uno")
        click(talk, first, "Send")
        titles = [talk.session.current.title]
        for name in ("Previous version", "Next version"):
            click(talk, widgets(talk)[0], name)
            titles.append(talk.session.current.title)
        assert titles == ["Uno", "One", "Uno"]

    def test_after_an_edit_one_writes_the_next_message(self, talk: Desk) -> None:
        talk.window.activateWindow()
        for action in (talk.window.menus.edit_last, talk.window.menus.edit_answer):
            action.trigger()
            QApplication.processEvents()
            field = QApplication.focusWidget()
            talk.qtbot.keyClicks(field, "Changed\r")
            talk.until(lambda: not talk.session.busy)
            focused = QApplication.focusWidget()
            assert focused is not None
            assert focused.accessibleName() == "Message"

    def test_what_scrolls_while_messages_are_exchanged_is_no_harm(self, talk: Desk) -> None:
        """Qt does so where the message that has the focus goes."""
        for number in range(12):
            talk.say(f"Question {number}. " + "Word " * 60)
        nudges = [Nudge(message, talk) for message in widgets(talk)]
        assert len(nudges) > 2
        talk.bridge.perform(talk.session.edit(talk.turns[0].id, "Uno"))
        talk.until(lambda: not talk.session.busy)
        assert sum(nudge.count for nudge in nudges) >= len(nudges)
        assert [widget.turn.text for widget in widgets(talk)] == ["Uno", "You said **Uno**."]


class TestUnsavedEdits:
    def begun(self, talk: Desk) -> UserMessage | AnswerMessage:
        first = widgets(talk)[0]
        first.start_edit()
        editing.field(first).setPlainText("Half a thou")
        return first

    def test_they_are_there_again_in_their_conversation(self, talk: Desk) -> None:
        source = talk.session.current.id
        self.begun(talk)
        talk.window.menus.new.trigger()
        talk.say("Elsewhere")
        assert not any(widget.editing for widget in widgets(talk))
        talk.window.drafts.select(source)
        assert widgets(talk)[0].unsaved == "Half a thou"

    def test_another_answer_leaves_them_alone(self, talk: Desk) -> None:
        first = self.begun(talk)
        talk.window.menus.regenerate.trigger()
        # While an answer is written it cannot be sent, and is not lost either.
        talk.qtbot.keyClick(editing.field(first), Qt.Key.Key_Return)
        assert first.unsaved == "Half a thou"
        talk.until(lambda: not talk.session.busy)
        talk.qtbot.keyClick(editing.field(first), Qt.Key.Key_Return)
        talk.until(lambda: not talk.session.busy)
        assert said(talk)[0] == "Half a thou"

    def test_one_that_was_given_up_does_not_come_back(self, talk: Desk) -> None:
        source = talk.session.current.id
        self.begun(talk).cancel_edit()
        talk.window.menus.new.trigger()
        talk.window.drafts.select(source)
        assert not any(widget.editing for widget in widgets(talk))
