"""The run loop: it tells how far loading is, ends when it is asked to, and survives what fails."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import Engine, commands, events
from engine.config import EngineConfig, Sampling
from engine.errors import BiplaneError, ModelError, TraceError
from engine.journal.feed import JournalFed
from engine.journal.recorder import Recording
from engine.loop import RunLoop
from engine.message import Message, PromptOptions
from engine.run.core import Core, Emit
from engine.run.journal_feed import SPACING_S
from engine.run.turns import Pass, Work
from tests.engine.stub_core import Step, StubCore, fails

PATIENCE_S = 60.0


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
        loop.post(commands.WatchJournal(on=True))
        loop.post(commands.Submit(7, (Message("user", "Hello"),), Sampling(), PromptOptions()))
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
        from app.core.options.shared import demo_model_dir

        stop = threading.Event()
        came: list[events.Event] = []

        def hear(event: events.Event) -> None:
            came.append(event)
            if isinstance(event, events.LoadProgress) and event.fraction:
                opening.post(commands.Close())
                stop.set()

        config = EngineConfig(threads=1, cache_bytes=8 << 20)
        opening = RunLoop(demo_model_dir(), config, hear)
        opening.start()
        assert stop.wait(60)
        assert opening.close(60)
        assert isinstance(came[-1], events.EngineClosed)
        assert not any(isinstance(e, events.EngineFailed | events.EngineReady) for e in came)


class Panic(BaseException):
    """What a Rust library raises where it panics: no Exception."""


class TestOpeningFails:
    @pytest.mark.timeout(30)
    @pytest.mark.parametrize("error", [Panic("unwrap"), SystemExit(3), KeyError("layers")])
    def test_whatever_is_raised_opening_ends_with_a_sentence(
        self, monkeypatch: pytest.MonkeyPatch, error: BaseException
    ) -> None:
        monkeypatch.setattr(Core, "open", fails(error))
        with pytest.raises(ModelError, match="/models/broken"):
            Engine.open("/models/broken")

    @pytest.mark.timeout(30)
    def test_a_loop_that_ends_without_a_word_is_told_too(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(RunLoop, "_open", lambda loop: None)
        with pytest.raises(ModelError, match="stopped while opening"):
            Engine.open("/models/broken")

    def test_an_interrupt_of_the_caller_stays_one(
        self, monkeypatch: pytest.MonkeyPatch, loader: Loader
    ) -> None:
        from concurrent.futures import Future

        monkeypatch.setattr(Future, "result", fails(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            Engine.open("/models/large")
        monkeypatch.undo()
        thread = next(t for t in threading.enumerate() if t.name == "biplane-engine")
        loader.go.release(3)
        thread.join(PATIENCE_S)
        assert loader.told == 0, "nobody wants that model any more"


Open = Callable[..., tuple[RunLoop, StubCore]]


@pytest.fixture
def open_stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Starts loops on stub cores; each must end when it is closed."""
    loops: list[RunLoop] = []

    def open_one(config: EngineConfig | None = None, **does: Step) -> tuple[RunLoop, StubCore]:
        core = StubCore(**does).install(monkeypatch)
        loops.append(RunLoop("/models/stub", config or EngineConfig()))
        loops[-1].start()
        return loops[-1], core

    yield open_one
    for loop in loops:
        assert loop.close(PATIENCE_S)


def wait(loop: RunLoop, kind: type, count: int = 1) -> list[events.Event]:
    """Every event up to the `count`th of `kind`."""
    heard: list[events.Event] = []
    ends = time.monotonic() + PATIENCE_S
    while sum(isinstance(event, kind) for event in heard) < count:
        assert time.monotonic() < ends, f"no {kind.__name__} in {heard}"
        heard += loop.drain()
        time.sleep(0.001)
    return heard


def sentences(heard: list[events.Event]) -> list[str]:
    return [event.sentence for event in heard if isinstance(event, events.Notice)]


class TestRecording:
    """Whoever records is told whether a trace is being written, and whether one was."""

    @pytest.mark.parametrize(
        ("problem", "written"), [("", True), ("The trace t.gz cannot be written: full.", False)]
    )
    def test_it_begins_and_ends(self, open_stub: Open, problem: str, written: bool) -> None:
        done = Recording(Path("t.gz"), 3, problem)
        loop, _ = open_stub(record=lambda *_, **__: None, stop_recording=lambda: done)
        loop.post(commands.Record("t.gz"))
        wait(loop, events.RecordingBegan)
        loop.post(commands.StopRecording())
        ended = wait(loop, events.RecordingEnded)[-1]
        assert isinstance(ended, events.RecordingEnded)
        assert ended.written is written

    def test_one_that_cannot_be_begun_has_ended(self, open_stub: Open) -> None:
        loop, _ = open_stub(record=fails(TraceError("The trace t.gz cannot be written: full.")))
        loop.post(commands.Record("t.gz"))
        heard = wait(loop, events.RecordingEnded)
        assert sentences(heard) == ["The trace t.gz cannot be written: full."]
        assert not any(isinstance(event, events.RecordingBegan) for event in heard)

    def test_none_that_ran_is_not_said_to_be_written(self, open_stub: Open) -> None:
        loop, _ = open_stub(stop_recording=lambda: None)
        loop.post(commands.StopRecording())
        ended = wait(loop, events.RecordingEnded)[-1]
        assert isinstance(ended, events.RecordingEnded)
        assert not ended.written


class TestGuards:
    """Each command that fails fails alone."""

    @pytest.mark.parametrize("error", [UnicodeError("a surrogate"), Panic("unwrap")])
    @pytest.mark.parametrize(
        ("method", "command"),
        [
            ("node_text", commands.DescribeNode(1)),
            ("check_each", commands.CheckInvariants()),
            ("drop_cache", commands.DropCache()),
            ("record", commands.Record("/nowhere")),
            ("stop_recording", commands.StopRecording()),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_a_command(
        self,
        open_stub: Open,
        caplog: pytest.LogCaptureFixture,
        method: str,
        command: commands.Command,
        error: BaseException,
    ) -> None:
        loop, _ = open_stub(**{method: fails(error)})
        loop.post(command)
        (said,) = sentences(wait(loop, events.Notice))
        assert type(error).__name__ in said
        assert loop.call(lambda core: 7).result(PATIENCE_S) == 7
        (record,) = [r for r in caplog.records if r.levelno == logging.ERROR]
        assert record.exc_info is not None
        assert record.exc_info[1] is error

    @pytest.mark.parametrize("error", [ValueError("bad"), Panic("unwrap")])
    def test_a_request(
        self, open_stub: Open, caplog: pytest.LogCaptureFixture, error: BaseException
    ) -> None:
        def answer(*_: object) -> Work[None]:
            yield Pass()
            raise error

        loop, _ = open_stub(answer=answer)
        loop.post(commands.Submit(1, (1,), Sampling()))
        loop.post(commands.Submit(2, (1,), Sampling()))
        failed = [
            event
            for event in wait(loop, events.RequestFailed, 2)
            if isinstance(event, events.RequestFailed)
        ]
        assert [event.request for event in failed] == [1, 2]
        assert type(error).__name__ in failed[0].sentence
        assert error in [r.exc_info[1] for r in caplog.records if r.exc_info]

    def test_a_probe_that_fails_leaves_the_running_request_alone(self, open_stub: Open) -> None:
        def answer(submit: commands.Submit, emit: Emit, *_: object) -> Work[None]:
            emit(events.PrefillProgress(request=submit.request, done=0, total=1))
            while not core.calls.count("probe"):
                yield Pass()
            emit(events.TextDelta(request=submit.request, text="so", channel="answer", tokens=1))

        loop, core = open_stub(answer=answer, probe=fails(ValueError("bad")))
        loop.post(commands.Submit(1, (1,), Sampling()))
        wait(loop, events.PrefillProgress)
        loop.post(commands.Probe(1, (1, 2)))
        heard = wait(loop, events.TextDelta)
        assert not any(isinstance(event, events.RequestFailed) for event in heard)
        (refused,) = [event for event in heard if isinstance(event, events.ProbeRefused)]
        assert refused.probe == 1
        assert "ValueError: bad" in refused.sentence

    def test_a_count_that_fails_is_told(self, open_stub: Open) -> None:
        loop, _ = open_stub(text=None)
        loop.post(commands.CountTokens(1, ("a",)))
        assert "Counting tokens failed" in sentences(wait(loop, events.Notice))[0]
        assert loop.call(lambda core: 7).result(PATIENCE_S) == 7
        assert sentences(loop.drain()) == []

    def test_failing_background_work_and_feeds_are_told_once(self, open_stub: Open) -> None:
        feed = SimpleNamespace(take=fails(KeyError("node")))
        loop, core = open_stub(idle=fails(ValueError("bad")), feed=lambda: feed)
        loop.post(commands.WatchJournal(on=True))
        heard = wait(loop, events.Notice, 2)
        for _ in range(5):
            loop.call(lambda core: None).result(PATIENCE_S)
        told = sentences(heard + loop.drain())
        assert len([said for said in told if "Background work" in said]) == 1
        assert len(told) <= 3
        assert core.calls.count("idle") > 2

    def test_an_audit_that_fails_is_not_tried_in_a_circle(
        self, open_stub: Open, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("engine.run.idle_audits.AUDIT_AFTER_S", 0.0)
        loop, core = open_stub(EngineConfig(background_audit=True), audit=fails(ValueError("bad")))
        assert "when idle" in sentences(wait(loop, events.Notice))[0]
        for _ in range(3):
            loop.call(lambda core: None).result(PATIENCE_S)
        assert core.calls.count("audit") == 1

    def test_a_refusal_of_a_trace_is_its_sentence(self, open_stub: Open) -> None:
        loop, _ = open_stub(record=fails(BiplaneError("The folder is full.")))
        loop.post(commands.Record("/nowhere"))
        assert sentences(wait(loop, events.Notice)) == ["The folder is full."]

    def test_an_error_that_carries_a_whole_text_is_cut(self, open_stub: Open) -> None:
        loop, _ = open_stub(probe=fails(ValueError("x" * 10_000)))
        loop.post(commands.Probe(1, (1, 2)))
        refused = wait(loop, events.ProbeRefused)[-1]
        assert isinstance(refused, events.ProbeRefused)
        assert len(refused.sentence) < 300


class TestVerify:
    """An audit that was asked for gives way to whoever waits."""

    def long_audit(self, open_stub: Open) -> tuple[RunLoop, StubCore]:
        """A loop in the middle of an audit that ends only where it is asked to."""

        def verify(node: int, wanted: Callable[[], bool]) -> None:
            core.notices.add(f"Auditing {node}.")
            # Longer than anybody here waits for it.
            ends = time.monotonic() + 3 * PATIENCE_S
            while not wanted():
                assert time.monotonic() < ends
                time.sleep(0.001)
            return

        loop, core = open_stub(verify=verify)
        loop.post(commands.VerifyNode(5))
        wait(loop, events.Notice)
        return loop, core

    def test_a_close(self, open_stub: Open) -> None:
        loop, _ = self.long_audit(open_stub)
        assert loop.close(PATIENCE_S)
        stopped = [e for e in loop.drain() if isinstance(e, events.VerifyStopped)]
        assert [(e.node, "stopped" in e.sentence) for e in stopped] == [(5, True)]

    def test_a_stop_ends_those_that_wait_too(self, open_stub: Open) -> None:
        loop, core = self.long_audit(open_stub)
        loop.post(commands.VerifyNode(6))
        loop.post(commands.StopVerify())
        heard = wait(loop, events.VerifyStopped, 2)
        stopped = [e.node for e in heard if isinstance(e, events.VerifyStopped)]
        assert sorted(stopped) == [5, 6]
        assert core.calls.count("verify") == 1

    def test_a_request_runs_first_and_then_it_begins_anew(self, open_stub: Open) -> None:
        loop, core = self.long_audit(open_stub)
        loop.post(commands.Submit(1, (1,), Sampling()))
        said = sentences(wait(loop, events.Notice, 2))
        assert "starts over" in said[0]
        assert said[1] == "Auditing 5."
        order = [name for name in core.calls if name in ("verify", "answer")]
        assert order == ["verify", "answer", "verify"]
        loop.post(commands.StopVerify())
        wait(loop, events.VerifyStopped)

    def test_questions_are_answered_meanwhile(self, open_stub: Open) -> None:
        loop, core = self.long_audit(open_stub)
        loop.post(commands.CheckInvariants())
        wait(loop, events.InvariantsChecked)
        assert loop.call(lambda core: 3, anytime=True).result(PATIENCE_S) == 3
        assert core.calls.count("verify") == 1
        loop.post(commands.StopVerify())
        wait(loop, events.VerifyStopped)

    def test_one_that_fails_is_told(self, open_stub: Open) -> None:
        loop, _ = open_stub(verify=fails(ValueError("bad")))
        loop.post(commands.VerifyNode(5))
        (*_, said) = wait(loop, events.VerifyStopped)
        assert isinstance(said, events.VerifyStopped)
        assert "ValueError" in said.sentence


class TestIdle:
    """Waiting costs nothing; what others finish is told without a command."""

    def test_a_notice_of_another_thread_is_told_at_once(self, open_stub: Open) -> None:
        loop, core = open_stub()
        wait(loop, events.EngineReady)
        loop.call(lambda core: None).result(PATIENCE_S)
        core.notices.add("The trace cannot be written.")
        assert sentences(wait(loop, events.Notice)) == ["The trace cannot be written."]

    def test_the_last_batch_is_told_though_it_came_too_soon(self, open_stub: Open) -> None:
        waiting = [JournalFed(lines=()), JournalFed(lines=())]
        feed = SimpleNamespace(take=lambda: waiting.pop(0) if waiting else None, stop=lambda: None)
        loop, _ = open_stub(feed=lambda: feed)
        loop.post(commands.WatchJournal(on=True))
        wait(loop, JournalFed, 2)

    def test_the_loop_looks_again_only_while_the_writer_has_something(
        self, open_stub: Open
    ) -> None:
        left = iter([3, 2, 1])
        _, core = open_stub(settle=lambda: next(left, 0))
        ends = time.monotonic() + PATIENCE_S
        while core.calls.count("settle") < 4:
            assert time.monotonic() < ends
            time.sleep(0.001)
        time.sleep(3 * SPACING_S)
        assert core.calls.count("settle") == 4, "idle is idle"

    def test_somebody_who_watches_does_not_keep_it_awake(self, open_stub: Open) -> None:
        waiting: list[JournalFed | None] = [JournalFed(lines=())]
        feed = SimpleNamespace(take=lambda: waiting.pop() if waiting else None)
        loop, core = open_stub(feed=lambda: feed)
        loop.post(commands.WatchJournal(on=True))
        wait(loop, JournalFed)
        # What was begun may still be on the way; who is kept awake looks again each time.
        for _ in range(20):
            before = list(core.calls)
            loop.drain()
            time.sleep(3 * SPACING_S)
            if core.calls == before:
                break
        assert core.calls == before
        assert not [e for e in loop.drain() if isinstance(e, JournalFed)]

    def test_closing_tells_how_much_is_written(self, open_stub: Open) -> None:
        loop, _ = open_stub(close=lambda progress: progress(3, 9))
        wait(loop, events.EngineReady)
        assert loop.close(PATIENCE_S)
        told = [e for e in loop.drain() if isinstance(e, events.ClosingProgress)]
        assert [(e.written, e.total) for e in told] == [(3, 9)]
