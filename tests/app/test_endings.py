"""Engines that are ending."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.core import changeover as module
from app.core.changeover import Endings
from engine import commands, events
from tests.present import present


class Loop:
    """Says what a test puts into `told`."""

    def __init__(self, ends: bool = True) -> None:
        self.told: list[events.Event] = []
        self.posted: list[commands.Command] = []
        self.closed: list[float | None] = []
        self.ends = ends

    def start(self) -> None:
        pass

    def post(self, command: commands.Command) -> None:
        self.posted.append(command)

    def drain(self) -> list[events.Event]:
        told, self.told = self.told, []
        return told

    def wake_with_next(self, wake: Callable[[], None]) -> None:
        raise AssertionError("a loop that ends is looked at with every frame")

    def close(self, timeout_s: float | None = None) -> bool:
        self.closed.append(timeout_s)
        return self.ends


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


class TestWaiting:
    def test_a_loop_is_asked_once_and_let_go_when_it_has_ended(self, clock: Clock) -> None:
        endings, loop = Endings(), Loop()
        endings.add(loop)
        assert loop.posted == [commands.Close()]
        assert endings.take() is None
        assert endings
        loop.told = [events.EngineClosed()]
        endings.take()
        assert not endings
        assert loop.closed == [0]

    def test_what_several_write_is_added_up(self, clock: Clock) -> None:
        endings, loops = Endings(), (Loop(), Loop(), Loop())
        for number, loop in enumerate(loops):
            endings.add(loop)
            if number:
                loop.told = [events.ClosingProgress(written=number, total=10 * number)]
        progress = present(endings.take())
        assert (progress.written, progress.total) == (3, 30)
        assert endings.take() == progress

    def test_what_became_of_an_answer_is_told_once(self, clock: Clock) -> None:
        endings, loop = Endings(), Loop()
        endings.add(loop)
        text = events.TextDelta(request=1, text="x", channel="answer", tokens=1)
        failed = events.RequestFailed(request=2, sentence="The engine is closed.")
        loop.told = [text, events.Notice(sentence="No."), failed, events.EngineClosed()]
        endings.take()
        assert endings.answers() == [text, failed]
        assert endings.answers() == []

    def test_one_that_hangs_is_given_up_and_one_that_writes_is_not(self, clock: Clock) -> None:
        endings, hanging, writing = Endings(), Loop(ends=False), Loop()
        endings.add(hanging)
        endings.add(writing)
        for written in range(5):
            clock.now += 20
            writing.told = [events.ClosingProgress(written=written, total=9)]
            endings.take()
        assert endings
        writing.told = [events.EngineClosed()]
        endings.take()
        assert not endings
        assert endings.close(0) is False
        assert hanging.closed == [0]
