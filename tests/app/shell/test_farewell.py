"""The end of the program, while the engine still writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt

from app.core.bridge import Bridge
from app.shell import farewell as module
from app.shell.farewell import Farewell, SavingCard
from engine import commands
from tests.app.conftest import Desk, MakeDesk
from tests.present import present

GIB = 1 << 30
PLACE = QRect(100, 100, 600, 400)


class Clock:
    """A clock that only moves when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


class Leaving(Farewell):
    """A farewell that keeps how often it said that it was over."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self.ends: list[bool] = []
        self.over.connect(lambda: self.ends.append(True))

    def shown_card(self) -> SavingCard:
        return present(self.card)


@pytest.fixture
def leaving(desk: Desk, clock: Clock) -> Iterator[Leaving]:
    """A window whose engine has three steps to write, frozen before the first."""
    desk.say("Hello")
    desk.loop.saves = [(0, 3 * GIB), (GIB, 3 * GIB), (3 * GIB, 3 * GIB)]
    desk.loop.steps = 1
    made = Leaving(desk.bridge)
    yield made
    if made.card is not None:
        made.card.hurried.disconnect()
        made.card.close()
        made.card.deleteLater()
    made._timer.stop()
    made.deleteLater()


class TestNothingToWrite:
    def test_it_is_over_at_once_and_no_card_shows(self, desk: Desk, clock: Clock) -> None:
        made = Farewell(desk.bridge)
        with desk.qtbot.waitSignal(made.over):
            made.begin(PLACE)
        assert made.card is None
        assert desk.loop.closed
        assert desk.bridge.over
        made.deleteLater()

    def test_an_engine_that_hangs_is_not_waited_for_for_ever(
        self, desk: Desk, clock: Clock
    ) -> None:
        desk.loop.hold = True
        made = Farewell(desk.bridge)
        ends = []
        made.over.connect(lambda: ends.append(True))
        made.begin(PLACE)
        clock.now += 9
        made.look()
        assert ends == []
        clock.now += 2
        made.look()
        assert ends == [True]
        assert made.card is None
        made.deleteLater()

    def test_an_engine_that_is_still_loading_is_not_waited_for(
        self, make_desk: MakeDesk, clock: Clock
    ) -> None:
        desk = make_desk()
        desk.bridge.open_model(Path("/models/large"))
        desk.loop.hold = True
        made = Farewell(desk.bridge)
        ends = []
        made.over.connect(lambda: ends.append(True))
        made.begin(PLACE)
        clock.now += 0.5
        made.look()
        assert ends == [True]
        made.deleteLater()

    def test_short_writing_shows_no_card(self, leaving: Leaving, desk: Desk, clock: Clock) -> None:
        leaving.begin(PLACE)
        for _ in range(6):
            clock.now += 0.05
            leaving.look()
        assert leaving.ends == [True]
        assert leaving.card is None


class TestWriting:
    def test_progress_is_shown_after_half_a_second(
        self, leaving: Leaving, desk: Desk, clock: Clock
    ) -> None:
        leaving.begin(PLACE)
        assert leaving.card is None
        clock.now += 0.6
        leaving.look()
        card = leaving.shown_card()
        assert card.isVisible()
        assert card.line.text() == "Saving the cache: 1.00 of 3.00 GiB"
        assert card.bar.value() == 333
        assert PLACE.contains(card.geometry().center())
        leaving.look()
        assert card.line.text() == "Saving the cache: 3.00 of 3.00 GiB"
        assert leaving.ends == []
        leaving.look()
        assert leaving.ends == [True]
        assert not card.isVisible()

    def test_slow_writing_is_waited_for(self, leaving: Leaving, desk: Desk, clock: Clock) -> None:
        leaving.begin(PLACE)
        leaving.look()
        desk.loop.hold = True
        for _ in range(50):
            clock.now += 10
            leaving.look()
        assert leaving.ends == []
        assert leaving.shown_card().isVisible()

    def test_the_button_goes_at_once(self, leaving: Leaving, desk: Desk, clock: Clock) -> None:
        leaving.begin(PLACE)
        clock.now += 1
        leaving.look()
        assert leaving.shown_card().button.text() == "Quit without saving the rest"
        desk.qtbot.mouseClick(leaving.shown_card().button, Qt.MouseButton.LeftButton)
        assert leaving.ends == [True]
        assert not leaving.shown_card().isVisible()

    def test_closing_the_card_goes_at_once(
        self, leaving: Leaving, desk: Desk, clock: Clock
    ) -> None:
        leaving.begin(PLACE)
        clock.now += 1
        leaving.look()
        leaving.shown_card().close()
        assert leaving.ends == [True]

    def test_a_second_goodbye_goes_at_once(
        self, leaving: Leaving, desk: Desk, clock: Clock
    ) -> None:
        leaving.begin(PLACE)
        assert leaving.ends == []
        leaving.begin(PLACE)
        assert leaving.ends == [True]
        leaving.begin(PLACE)
        assert leaving.ends == [True]

    def test_a_model_on_its_way_goes_too(self, leaving: Leaving, desk: Desk, clock: Clock) -> None:
        desk.found = None
        desk.bridge.open_model(desk.loop.folder / "other")
        leaving.begin(PLACE)
        assert desk.session.coming is None
        assert commands.Close() in desk.loop.posted
        desk.until(lambda: desk.bridge.over)


class TestWhileAnotherModelWaits:
    def test_the_button_of_the_model_says_what_is_written(self, desk: Desk) -> None:
        from pathlib import Path

        desk.loop.saves = [(GIB, 3 * GIB)] * 40
        desk.loop.steps = 1
        desk.bridge.open_model(Path("/models/other"))
        button = desk.window.model_button
        desk.until(lambda: button.toolTip().startswith("Saving"))
        saving, _ = button.toolTip().split("\n", 1)
        assert saving == "Saving the cache: 1.00 of 3.00 GiB, 33%"
        assert button.state == "Closing…"
        desk.until(lambda: len(desk.loops) == 2 and desk.session.engine.model is not None)
