"""The card while a model is being opened: stage and bytes, and Cancel by mouse and by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.core.folder_check import Found
from app.core.session.records import EnginePhase
from engine import events
from tests.app.conftest import Desk, MakeDesk
from tests.present import present


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    """A window with a model that is ready, on engines that take one step at a time."""
    made = make_desk(steps=1)
    made.open()
    return made


def half_open(desk: Desk, name: str = "large") -> None:
    """A model that is half loaded, and goes no further."""
    desk.bridge.open_model(Path("/models") / name)
    desk.until(lambda: desk.loop.folder.name == name)
    desk.loop.hold = True
    desk.loop.take()
    desk.loop.emit(
        events.LoadProgress(stage="loading weights", fraction=0.5, total_bytes=3_400_000_000)
    )
    desk.bridge.take()


class TestWhatIsShown:
    def test_stage_and_bytes(self, make_desk: MakeDesk) -> None:
        desk = make_desk(steps=1)
        half_open(desk)
        card = desk.window.loading
        desk.qtbot.waitUntil(card.isVisible)
        assert card.title.text() == "Opening large"
        assert card.stage.text() == "Loading weights: 1.58 of 3.17 GiB"
        assert (card.bar.value(), card.bar.maximum()) == (500, 1000)
        assert "answered once it is open" in card.toolTip()
        desk.loop.hold = False
        desk.until(lambda: desk.session.engine.phase is EnginePhase.READY)
        assert not card.isVisible()

    def test_a_small_model_makes_nothing_flash(self, make_desk: MakeDesk) -> None:
        desk = make_desk()
        desk.open()
        assert not desk.window.loading.isVisible()

    def test_the_open_one_is_named_while_another_comes(self, desk: Desk) -> None:
        desk.found = Found(beside=True)
        half_open(desk, "other")
        card = desk.window.loading
        desk.qtbot.waitUntil(card.isVisible)
        assert card.title.text() == "Opening other"
        assert card.toolTip() == "Qwen3.5-0.8B stays open until then."


class TestCancel:
    def back(self, desk: Desk) -> None:
        desk.loop.hold = False
        desk.until(lambda: desk.session.engine.phase is EnginePhase.READY)
        assert Path(present(desk.session.engine.model).folder).name == "model"
        assert not desk.window.card.isVisible()
        desk.say("Still there?")
        assert desk.turns[-1].text == "You said **Still there?**."

    def test_the_model_before_comes_back(self, desk: Desk) -> None:
        half_open(desk)
        card = desk.window.loading
        desk.qtbot.waitUntil(card.isVisible)
        assert card.toolTip().endswith("Cancel goes back to Qwen3.5-0.8B.")
        desk.qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)
        desk.loops[1].hold = False
        desk.loops[1]._ready = True
        self.back(desk)
        assert [loop.folder.name for loop in desk.loops] == ["model", "large", "model"]

    def test_by_keyboard(self, desk: Desk) -> None:
        half_open(desk)
        card = desk.window.loading
        desk.qtbot.waitUntil(card.isVisible)
        card.button.setFocus(Qt.FocusReason.TabFocusReason)
        desk.qtbot.keyClick(card.button, Qt.Key.Key_Space)
        assert desk.window.chat.composer.isAncestorOf(present(desk.window.focusWidget()))
        desk.loops[1].hold = False
        desk.loops[1]._ready = True
        self.back(desk)

    def test_while_the_model_before_is_still_writing(self, desk: Desk) -> None:
        desk.loop.hold = True
        desk.bridge.open_model(Path("/models/large"))
        desk.until(lambda: desk.session.engine.phase is EnginePhase.CLOSING)
        desk.bridge.cancel_opening()
        desk.loops[0].hold = False
        self.back(desk)
        assert [loop.folder.name for loop in desk.loops] == ["model", "model"]

    def test_the_way_back_can_be_cancelled_too(self, desk: Desk) -> None:
        half_open(desk)
        desk.bridge.cancel_opening()
        desk.loops[1].hold = False
        desk.loops[1]._ready = True
        desk.until(lambda: len(desk.loops) == 3)
        desk.loop.hold = True
        desk.bridge.cancel_opening()
        assert desk.session.engine.phase is EnginePhase.NONE
        assert desk.window.card.isVisible()

    def test_what_was_sent_meanwhile_returns_to_the_composer(self, desk: Desk) -> None:
        half_open(desk)
        desk.say("For the large one", wait=False)
        desk.bridge.cancel_opening()
        assert desk.window.chat.composer.text == "For the large one"
        assert desk.turns[-1].text.startswith("Opening the other model was cancelled")
