"""The run loop while a model loads: it tells how far it is, and ends when it is asked to."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import commands, events
from engine.config import EngineConfig, Sampling
from engine.errors import BiplaneError, ModelError
from engine.loop import RunLoop
from engine.message import PromptOptions
from engine.run.core import Core

PATIENCE_S = 10.0


class Loader:
    """Stands in for Core.open: tells a stage each time it is let, and never gets done by itself.

    Attributes:
        told: stages that the callback took.
    """

    def __init__(self) -> None:
        self.told = 0
        self.waits = threading.Event()
        self.go = threading.Semaphore(0)

    def open(self, folder: Path, config: EngineConfig, progress: Callable[..., None]) -> Core:
        while True:
            self.waits.set()
            assert self.go.acquire(timeout=PATIENCE_S)
            progress("Loading weights", self.told / 10)
            self.told += 1
            if self.told == 10:
                raise ModelError("The last shard is damaged.")


@pytest.fixture
def loader(monkeypatch: pytest.MonkeyPatch) -> Loader:
    made = Loader()
    monkeypatch.setattr(Core, "open", made.open)
    return made


@pytest.fixture
def loop(loader: Loader) -> RunLoop:
    made = RunLoop("/models/large", EngineConfig())
    made.start()
    assert loader.waits.wait(PATIENCE_S)
    return made


class TestCancel:
    def test_a_close_ends_loading_at_the_next_stage(self, loop: RunLoop, loader: Loader) -> None:
        loader.go.release(2)
        while loader.told < 2:
            time.sleep(0.001)
        assert not loop.close(0)
        loader.go.release()
        assert loop.close(PATIENCE_S)
        assert loader.told == 2
        came = loop.drain()
        assert [e.fraction for e in came if isinstance(e, events.LoadProgress)] == [0.0, 0.0, 0.1]
        assert isinstance(came[-1], events.EngineClosed)
        assert not any(isinstance(e, events.EngineFailed | events.EngineReady) for e in came)

    def test_other_commands_do_not_and_are_answered_in_the_end(
        self, loop: RunLoop, loader: Loader
    ) -> None:
        loop.post(commands.WatchCache(True))
        loop.post(commands.Submit(7, "Hello", Sampling(), PromptOptions()))
        asked = loop.call(lambda core: 1)
        loader.go.release()
        while loader.told < 1:
            time.sleep(0.001)
        assert loop.alive
        assert not loop.close(0)
        loader.go.release()
        assert loop.close(PATIENCE_S)
        failed = [e for e in loop.drain() if isinstance(e, events.RequestFailed)]
        assert [e.request for e in failed] == [7]
        with pytest.raises(BiplaneError):
            asked.result(PATIENCE_S)

    def test_without_a_close_a_failure_is_told(self, loop: RunLoop, loader: Loader) -> None:
        loader.go.release(10)
        loop._thread.join(PATIENCE_S)
        came = loop.drain()
        told = [e.sentence for e in came if isinstance(e, events.EngineFailed)]
        assert told == ["The last shard is damaged."]
        assert isinstance(came[-1], events.EngineClosed)


class TestRealModel:
    def test_loading_the_bundled_model_can_be_cancelled(self) -> None:
        from app.commands.options import demo_model_dir

        stop = threading.Event()
        came: list[events.Event] = []

        def hear(event: events.Event) -> None:
            came.append(event)
            if isinstance(event, events.LoadProgress) and event.fraction:
                loop.post(commands.Close())
                stop.set()

        loop = RunLoop(demo_model_dir(), EngineConfig(threads=1, cache_bytes=8 << 20), hear)
        loop.start()
        assert stop.wait(60)
        assert loop.close(60)
        assert isinstance(came[-1], events.EngineClosed)
        assert not any(isinstance(e, events.EngineFailed | events.EngineReady) for e in came)
