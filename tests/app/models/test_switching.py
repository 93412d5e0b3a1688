"""A conversation and its model: never another one without a word; by mouse and by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.core.folder_check import Found
from app.core.session.records import EnginePhase
from engine import commands
from tests.app.conftest import Desk, MakeDesk
from tests.present import present


def named(desk: Desk) -> str:
    model = desk.session.engine.model
    return "" if model is None else Path(model.folder).name


def switched(desk: Desk, name: str) -> None:
    desk.until(lambda: named(desk) == name and desk.session.engine.phase is EnginePhase.READY)


def asked(desk: Desk) -> list[str]:
    """The questions that the open model was asked."""
    submits = [posted for posted in desk.loop.posted if isinstance(posted, commands.Submit)]
    return [submit.prompt[-1].content for submit in submits]  # type: ignore[union-attr]


@pytest.fixture
def two(desk: Desk) -> Desk:
    """A conversation with each of two models; that of the first one is on screen."""
    desk.say("Hello")
    desk.window.menus.new.trigger()
    desk.bridge.open_model(Path("/models/other"))
    switched(desk, "other")
    desk.say("Who are you?")
    desk.window.drafts.select(desk.session.conversations[1].id)
    assert desk.turns[0].text == "Hello"
    return desk


class TestTheNotice:
    def test_it_says_which_model_and_what_going_there_costs(self, two: Desk) -> None:
        two.session.load_times.add("/models/model", 6.2)
        two.window.refresh()
        notice = two.window.chat.model_notice
        assert notice.isVisible()
        assert notice.sentence.text().startswith(
            "This conversation is with model, and Qwen3.5-0.8B is open. Opening it takes about "
            "6.2 s; its "
        )
        assert (notice.switch.text(), notice.stay.text()) == (
            "Open model",
            "Go on with Qwen3.5-0.8B",
        )

    def test_the_right_model_needs_no_words(self, desk: Desk) -> None:
        desk.say("Hello")
        assert not desk.window.chat.model_notice.isVisible()
        assert not desk.window.menus.switch_model.isEnabled()

    def test_an_empty_conversation_is_with_any_model(self, two: Desk) -> None:
        two.window.menus.new.trigger()
        assert not two.window.chat.model_notice.isVisible()

    def test_without_a_model_its_own_is_offered_alone(self, make_desk: MakeDesk) -> None:
        desk = make_desk()
        desk.session.current.model = "/models/kept"
        desk.window.refresh()
        notice = desk.window.chat.model_notice
        assert notice.isVisible()
        assert notice.switch.text() == "Open kept"
        assert not notice.stay.isVisible()
        notice.switch.click()
        switched(desk, "kept")
        assert not notice.isVisible()


class TestAsking:
    def test_no_other_model_answers(self, two: Desk) -> None:
        two.say("Still there?", wait=False)
        for _ in range(20):
            two.bridge.take()
        assert "Still there?" not in asked(two)
        assert two.turns[-1].state.active
        assert "Your message waits" in two.window.chat.model_notice.sentence.text()

    def test_the_message_goes_to_its_own_model(self, two: Desk) -> None:
        two.say("Still there?", wait=False)
        two.qtbot.mouseClick(two.window.chat.model_notice.switch, Qt.MouseButton.LeftButton)
        switched(two, "model")
        two.until(lambda: not two.session.busy)
        assert two.turns[-1].text == "You said **Still there?**."
        assert two.turns[-1].model == "/models/model"
        assert asked(two) == ["Still there?"]
        assert not two.window.chat.model_notice.isVisible()

    def test_with_memory_for_both_too(self, two: Desk) -> None:
        two.found = Found(beside=True)
        two.say("Still there?", wait=False)
        two.window.chat.model_notice.switch.click()
        switched(two, "model")
        two.until(lambda: not two.session.busy)
        assert two.turns[-1].model == "/models/model"

    def test_or_on_the_users_word_to_the_open_one_which_it_stays_with(self, two: Desk) -> None:
        two.say("Still there?", wait=False)
        two.qtbot.mouseClick(two.window.chat.model_notice.stay, Qt.MouseButton.LeftButton)
        two.until(lambda: not two.session.busy)
        assert two.turns[-1].model == "/models/other"
        assert two.session.current.model == "/models/other"
        assert len(two.loops) == 2
        assert not two.window.chat.model_notice.isVisible()

    def test_escape_takes_the_message_back(self, two: Desk) -> None:
        two.say("Still there?", wait=False)
        two.window.menus.stop.trigger()
        assert not two.session.busy
        assert two.window.chat.model_notice.isVisible()
        assert "Your message waits" not in two.window.chat.model_notice.sentence.text()

    def test_it_waits_if_its_model_cannot_be_opened(self, two: Desk) -> None:
        two.say("Still there?", wait=False)
        two.found = Found("There is not enough memory.")
        two.window.chat.model_notice.switch.click()
        two.until(two.window.card.isVisible)
        assert two.turns[-1].state.active
        two.window.card.back.click()
        two.window.chat.model_notice.stay.click()
        two.until(lambda: not two.session.busy)
        assert two.turns[-1].model == "/models/other"

    def test_regenerating_waits_too(self, two: Desk) -> None:
        two.window.menus.regenerate.trigger()
        for _ in range(20):
            two.bridge.take()
        assert asked(two) == ["Who are you?"]
        two.window.chat.model_notice.switch.click()
        switched(two, "model")
        two.until(lambda: not two.session.busy)
        assert two.turns[-1].model == "/models/model"


class TestFollowing:
    def test_the_conversation_in_which_a_model_was_opened_goes_on_with_it(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.bridge.open_model(Path("/models/other"))
        switched(desk, "other")
        assert desk.session.current.model == "/models/other"
        assert not desk.window.chat.model_notice.isVisible()

    def test_the_others_do_not(self, two: Desk) -> None:
        two.bridge.open_model(Path("/models/third"))
        switched(two, "third")
        two.window.drafts.select(two.session.conversations[0].id)
        assert two.session.current.model == "/models/other"
        assert two.window.chat.model_notice.isVisible()

    def test_one_that_was_cancelled_changes_nothing(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.found = None
        desk.bridge.open_model(Path("/models/other"))
        desk.bridge.cancel_opening()
        assert desk.session.current.model == "/models/model"


class TestByKeyboard:
    def test_the_menu_keys(self, two: Desk) -> None:
        two.qtbot.keyClick(
            present(two.window.focusWidget()),
            Qt.Key.Key_M,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
        )
        switched(two, "model")
        assert not two.window.chat.model_notice.isVisible()

    def test_the_buttons(self, two: Desk) -> None:
        stay = two.window.chat.model_notice.stay
        stay.setFocus(Qt.FocusReason.TabFocusReason)
        two.qtbot.keyClick(stay, Qt.Key.Key_Space)
        assert two.session.current.model == "/models/other"
        # Who typed goes on typing.
        assert two.window.chat.composer.isAncestorOf(present(QApplication.focusWidget()))


class TestUnasked:
    def test_it_opens_after_a_moment(self, two: Desk) -> None:
        two.window.book.set("own_model", "always")
        two.window.refresh()
        two.qtbot.waitUntil(lambda: len(two.loops) == 3)
        switched(two, "model")

    def test_but_not_for_one_that_is_passed_by(self, two: Desk) -> None:
        two.window.book.set("own_model", "always")
        two.window.refresh()
        two.window.drafts.select(two.session.conversations[0].id)
        two.qtbot.wait(1100)
        assert len(two.loops) == 2

    def test_one_that_cannot_be_opened_is_tried_once(self, two: Desk) -> None:
        two.window.book.set("own_model", "always")
        two.found = Found("It is broken.")
        two.window.refresh()
        two.qtbot.waitUntil(two.window.card.isVisible)
        two.window.card.back.click()
        looked = len(two.looks)
        two.qtbot.wait(1100)
        assert len(two.looks) == looked


class TestRestart:
    def test_a_kept_conversation_is_still_with_its_model(self, make_desk: MakeDesk) -> None:
        desk = make_desk()
        desk.session.current.model = "/models/kept"
        desk.bridge.open_model(Path("/models/first"), follow=False)
        switched(desk, "first")
        assert desk.window.chat.model_notice.isVisible()
