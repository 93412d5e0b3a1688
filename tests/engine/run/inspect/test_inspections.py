"""The lab's questions in the run loop: answered when nothing else is to be done, and harmless."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec.structs import replace

from engine import EngineConfig, Sampling, events
from engine.commands import InspectMemory, InspectRecall, StopInspecting, Submit
from engine.errors import PromptError
from engine.loop import RunLoop
from engine.run.inspect import private_run
from engine.run.inspect.private_run import WATCHED_TOKENS, watched_ends
from tests.engine.run.conftest import Opener, ids
from tests.engine.run.inspect.conftest import MakeSubject

T = TypeVar("T", bound=events.Event)


class Heard:
    """A loop on the tiny model, and every event so far."""

    def __init__(self, folder: Path) -> None:
        self.loop = RunLoop(folder, EngineConfig(cache_bytes=32 << 20, threads=1))
        self.events: list[events.Event] = []
        self.loop.start()
        self.first(events.EngineReady)

    def first(self, kind: type[T], done: Callable[[T], bool] = lambda _: True) -> T:
        """The first event of a kind that is as wanted; waits for it."""
        for _ in range(4000):
            self.events += self.loop.drain()
            for event in self.events:
                if isinstance(event, kind) and done(event):
                    return event
            time.sleep(0.005)
        raise AssertionError(f"no {kind.__name__} came")

    def all(self, kind: type[T]) -> list[T]:
        self.events += self.loop.drain()
        return [event for event in self.events if isinstance(event, kind)]


@pytest.fixture
def heard(tiny_folder: Path) -> Iterator[Heard]:
    made = Heard(tiny_folder)
    yield made
    made.loop.close()


class TestAnswers:
    def test_a_memory_with_progress(self, heard: Heard) -> None:
        heard.loop.post(InspectMemory(7, ids(1, 300), full=3, linear=1))
        answer = heard.first(events.MemoryInspected)
        assert (answer.number, answer.reading.total, answer.reading.start) == (7, 300, 172)
        assert len(answer.reading.texts) == 128
        done = [(e.done, e.total) for e in heard.all(events.InspectProgress)]
        assert done == [(128, 300), (172, 300), (236, 300), (300, 300)]

    def test_a_typed_text(self, heard: Heard) -> None:
        heard.loop.post(InspectMemory(8, (), text="w17 w18 w19"))
        reading = heard.first(events.MemoryInspected).reading
        assert (reading.total, reading.start) == (3, 0)
        assert [text.strip() for text in reading.texts[1:]] == ["w18", "w19"]

    def test_the_newest_question_is_answered(self, heard: Heard) -> None:
        for number in (1, 2, 3):
            heard.loop.post(InspectRecall(number, ids(1, 600), needle=(number, number + 1)))
        assert heard.first(events.RecallInspected).number == 3
        assert len(heard.all(events.RecallInspected)) == 1

    def test_another_one_ends_the_one_that_is_being_read(self, heard: Heard) -> None:
        heard.loop.post(InspectMemory(1, ids(1, 4000)))
        heard.first(events.InspectProgress)
        heard.loop.post(InspectMemory(2, ids(2, 50)))
        answer = heard.first(events.MemoryInspected)
        assert (answer.number, answer.reading.total) == (2, 50)

    def test_a_stopped_one_is_not(self, heard: Heard) -> None:
        heard.loop.post(InspectMemory(1, ids(1, 4000)))
        heard.loop.post(StopInspecting())
        heard.loop.post(InspectMemory(2, ids(2, 50)))
        assert heard.first(events.MemoryInspected).number == 2
        assert [e.number for e in heard.all(events.MemoryInspected)] == [2]

    def test_a_request_goes_first(self, heard: Heard) -> None:
        heard.loop.post(InspectMemory(1, ids(1, 4000)))
        heard.first(events.InspectProgress)
        heard.loop.post(Submit(9, ids(3, 60), Sampling.greedy(5)))
        heard.first(events.RequestFinished)
        assert not heard.all(events.MemoryInspected)
        assert heard.first(events.MemoryInspected).reading.total == 4000

    def test_what_cannot_be_read_is_refused(self, heard: Heard) -> None:
        heard.loop.post(InspectMemory(4, (5,)))
        refused = heard.first(events.InspectRefused)
        assert (refused.number, refused.sentence) == (
            4,
            "One token shows nothing: give at least two.",
        )
        heard.loop.post(InspectMemory(5, ()))
        again = heard.first(events.InspectRefused, lambda e: e.number == 5)
        assert again.sentence.startswith("The prompt is empty")

    def test_a_failure_is_a_sentence(self, heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object) -> None:
            raise RuntimeError("no such thing")

        monkeypatch.setattr(private_run.PrivateRun, "_forward", fail)
        heard.loop.post(InspectMemory(6, ids(1, 50)))
        refused = heard.first(events.InspectRefused)
        assert "no such thing" in refused.sentence
        monkeypatch.undo()
        heard.loop.post(InspectMemory(7, ids(1, 50)))
        assert heard.first(events.MemoryInspected).number == 7


class TestBounds:
    def test_of_what_has_to_run(
        self, make_subject: MakeSubject, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        subject = make_subject("tiny", 400)
        subject.engine.drop_cache()
        monkeypatch.setattr(private_run, "MOST_UNCACHED", 200)
        with pytest.raises(PromptError, match=r"272 tokens would have to run first.* most 200"):
            subject.memory(3, 0)
        subject.engine.logits(subject.ids[:100])
        subject.engine.logits(subject.ids)
        assert subject.memory(3, 0).start == 272

    def test_of_what_is_copied(
        self, make_subject: MakeSubject, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        subject = make_subject("tiny", 400)
        slot = subject.engine.model.kv_bytes_per_token
        monkeypatch.setattr(private_run, "MOST_KV_BYTES", 399 * slot)
        with pytest.raises(PromptError, match="up to 399 tokens of this model, and this one has"):
            subject.memory(3, 0)

    @pytest.mark.parametrize("tokens", [2, 63, 64, 65, 66, 128, 129, 130, 193])
    def test_no_watched_pass_is_a_single_token_or_longer_than_a_part(self, tokens: int) -> None:
        ends = watched_ends(10, 10 + tokens)
        lengths = [b - a for a, b in zip((10, *ends), ends, strict=False)]
        assert sum(lengths) == tokens
        assert min(lengths) >= 2
        assert max(lengths) <= WATCHED_TOKENS


class TestHarmless:
    def test_nothing_of_the_cache_changes(self, open_engine: Opener, heard: Heard) -> None:
        del heard
        engine = open_engine()
        engine.generate(ids(1, 200), Sampling.greedy(4)).close()
        from engine.run.inspect.jobs import memory_steps, recall_steps

        before = engine.snapshot()
        engine.on_core(lambda core: list(memory_steps(core, InspectMemory(1, ids(1, 180)))))
        engine.on_core(
            lambda core: list(recall_steps(core, InspectRecall(1, ids(1, 180), needle=(3, 5))))
        )
        after = engine.snapshot()
        assert replace(after, time=before.time, memory=before.memory) == before

    def test_logits_are_the_same_to_the_bit_afterwards(self, open_engine: Opener) -> None:
        engine = open_engine(mode="exact")
        from engine.run.inspect.jobs import memory_steps

        first = engine.logits(ids(1, 200)).logits
        engine.on_core(lambda core: list(memory_steps(core, InspectMemory(1, ids(1, 200)))))
        assert bool((engine.logits(ids(1, 200)).logits == first).all())
