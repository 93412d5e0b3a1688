"""The engine's object: iterators of events that are dropped before they were used."""

from __future__ import annotations

import threading
import time

import pytest

from engine import Engine, events
from engine.commands import Submit
from tests.engine.stub_core import StubCore

PATIENCE_S = 10.0


@pytest.fixture
def started() -> threading.Event:
    return threading.Event()


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, started: threading.Event):  # type: ignore[no-untyped-def]
    """One whose requests end only where they are cancelled."""

    def run(submit: Submit, emit, cancelled) -> None:  # type: ignore[no-untyped-def]
        started.set()
        ends = time.monotonic() + PATIENCE_S
        while not cancelled():
            assert time.monotonic() < ends, "nobody cancelled it"
        emit(events.RequestFailed(request=submit.request, sentence="It was cancelled."))

    StubCore(run=run).install(monkeypatch)
    with Engine.open("/models/stub") as made:
        yield made


def idle(engine: Engine) -> bool:
    """Waits until every request before is over."""
    return engine.on_core(lambda core: True)


class TestGenerate:
    def test_closing_one_that_never_started_cancels_it(self, engine: Engine) -> None:
        stream = engine.generate((1, 2))
        stream.close()
        assert idle(engine)
        assert list(stream) == []
        stream.close()

    def test_dropping_one_that_never_started_cancels_it(
        self, engine: Engine, started: threading.Event
    ) -> None:
        stream = engine.generate((1, 2))
        assert started.wait(PATIENCE_S)
        del stream
        assert idle(engine)

    def test_closing_one_in_the_middle_waits_for_its_end(self, engine: Engine) -> None:
        with engine.generate((1, 2)) as stream:
            assert isinstance(next(stream), events.RequestQueued)
        assert idle(engine)

    def test_a_queued_one_never_runs(self, engine: Engine, started: threading.Event) -> None:
        first, second = engine.generate((1, 2)), engine.generate((1, 2))
        second.close()
        first.close()
        assert idle(engine)

    def test_after_the_engine_it_ends(self, engine: Engine) -> None:
        stream = engine.generate((1, 2))
        engine.close()
        last = list(stream)[-1]
        assert isinstance(last, events.RequestFailed)


def test_an_audit_gives_way_to_close(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    def verify(node: int, wanted) -> None:  # type: ignore[no-untyped-def]
        begun.set()
        ends = time.monotonic() + PATIENCE_S
        while not wanted():
            assert time.monotonic() < ends, "nobody wanted it to stop"
        return

    StubCore(verify=verify).install(monkeypatch)
    engine = Engine.open("/models/stub")
    asker = threading.Thread(target=engine.verify, args=(3,))
    asker.start()
    assert begun.wait(PATIENCE_S)
    engine.close()
    asker.join(PATIENCE_S)
    assert not asker.is_alive()
