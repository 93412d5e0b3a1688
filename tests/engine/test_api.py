"""The engine's object: iterators of events that are dropped before they were used."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from engine import Engine, EngineConfig, events
from engine.commands import Submit
from engine.errors import BiplaneError
from engine.run.turns import Pass, Work
from tests.engine.stub_core import StubCore

PATIENCE_S = 60.0


class Runner:
    """Runs requests that end only where they are cancelled.

    Attributes:
        started: the first one runs.
        ends: how each ended.
    """

    def __init__(self) -> None:
        self.started = threading.Event()
        self.ends: list[str] = []

    def answer(
        self, submit: Submit, emit: Callable[[events.Event], None], cancelled: Callable[[], bool]
    ) -> Work[None]:
        self.started.set()
        give_up = time.monotonic() + PATIENCE_S
        while not (asked := cancelled()) and time.monotonic() < give_up:
            time.sleep(0.001)
            yield Pass()
        self.ends.append("cancelled" if asked else "given up")
        emit(events.RequestFailed(request=submit.request, sentence="It was cancelled."))


@pytest.fixture
def runner() -> Runner:
    return Runner()


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, runner: Runner) -> Iterator[Engine]:
    StubCore(answer=runner.answer).install(monkeypatch)
    with Engine.open("/models/stub", EngineConfig(parallel=1)) as made:
        yield made


def settle(engine: Engine) -> None:
    """Wait until every request before is over."""
    engine.on_core(lambda core: None)


class TestGenerate:
    def test_closing_one_that_never_started_cancels_it(
        self, engine: Engine, runner: Runner
    ) -> None:
        stream = engine.generate((1, 2))
        assert runner.started.wait(PATIENCE_S)
        stream.close()
        settle(engine)
        assert runner.ends == ["cancelled"]
        assert list(stream) == []
        stream.close()

    def test_dropping_one_that_never_started_cancels_it(
        self, engine: Engine, runner: Runner
    ) -> None:
        stream = engine.generate((1, 2))
        assert runner.started.wait(PATIENCE_S)
        del stream
        settle(engine)
        assert runner.ends == ["cancelled"]

    def test_closing_one_in_the_middle_waits_for_its_end(
        self, engine: Engine, runner: Runner
    ) -> None:
        with engine.generate((1, 2)) as stream:
            assert isinstance(next(stream), events.RequestQueued)
            assert runner.started.wait(PATIENCE_S)
        assert runner.ends == ["cancelled"]

    def test_a_queued_one_never_runs(self, engine: Engine, runner: Runner) -> None:
        first, second = engine.generate((1, 2)), engine.generate((1, 2))
        assert runner.started.wait(PATIENCE_S)
        second.close()
        first.close()
        settle(engine)
        assert runner.ends == ["cancelled"]

    def test_closing_one_whose_events_another_thread_takes(
        self, engine: Engine, runner: Runner
    ) -> None:
        stream = engine.generate((1, 2))
        heard: list[events.Event] = []
        taker = threading.Thread(target=lambda: heard.extend(stream), daemon=True)
        closers = [threading.Thread(target=stream.close, daemon=True) for _ in range(3)]
        taker.start()
        assert runner.started.wait(PATIENCE_S)
        for closer in closers:
            closer.start()
        for waiting in (taker, *closers):
            waiting.join(PATIENCE_S)
            assert not waiting.is_alive()
        assert runner.ends == ["cancelled"]
        assert list(stream) == []

    def test_one_that_cannot_be_asked_leaves_nothing(self, engine: Engine) -> None:
        with pytest.raises(TypeError):
            engine.generate(5)  # type: ignore[arg-type]
        assert not engine._listeners

    def test_after_the_engine_it_ends(self, engine: Engine) -> None:
        stream = engine.generate((1, 2))
        engine.close()
        last = list(stream)[-1]
        assert isinstance(last, events.RequestFailed)


def test_an_audit_gives_way_to_close(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()
    ends: list[bool] = []

    def verify(node: int, wanted: Callable[[], bool]) -> None:
        begun.set()
        give_up = time.monotonic() + PATIENCE_S
        while not wanted() and time.monotonic() < give_up:
            time.sleep(0.001)
        ends.append(wanted())

    StubCore(verify=verify).install(monkeypatch)
    engine = Engine.open("/models/stub")
    asker = threading.Thread(target=engine.verify, args=(3,))
    asker.start()
    assert begun.wait(PATIENCE_S)
    engine.close()
    asker.join(PATIENCE_S)
    assert ends == [True]


def test_logits_give_way_to_close(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    def read(*_: object, reuse: bool, cancelled: Callable[[], bool]) -> None:
        begun.set()
        give_up = time.monotonic() + PATIENCE_S
        while not cancelled() and time.monotonic() < give_up:
            time.sleep(0.001)

    StubCore(read=read).install(monkeypatch)
    engine = Engine.open("/models/stub")
    said: list[str] = []

    def ask() -> None:
        with pytest.raises(BiplaneError) as raised:
            engine.logits([1, 2, 3])
        said.append(str(raised.value))

    asker = threading.Thread(target=ask)
    asker.start()
    assert begun.wait(PATIENCE_S)
    began = time.monotonic()
    engine.close()
    asker.join(PATIENCE_S)
    assert time.monotonic() - began < PATIENCE_S / 2
    assert said == ["The engine is closed."]
