"""Counting tokens: right, in parts that nobody waits for, and answered once."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import assets
from engine import EngineConfig, Sampling, events
from engine.commands import Cancel, CountTokens, Submit
from engine.loop import RunLoop
from engine.run import token_counter
from engine.run.token_counter import PART_CHARS, PART_TEXTS, TokenCounter, part_end
from engine.text.text_model import TextModel
from tests.engine.run.conftest import CACHE_BYTES, ids
from tests.engine.run.test_requests import wait

DEMO = Path(assets.__file__).parent / "demo_model"
ROOT = Path(__file__).parents[3]


class Watched:
    """A counter of words; what it was told to count, by step.

    Attributes:
        steps: the characters that each step counted.
        told: what was answered.
    """

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.told: list[events.TokensCounted] = []
        self.counter = TokenCounter(self.told.append)

    def ask(self, number: int, *texts: str) -> None:
        self.counter.ask(CountTokens(number, texts))

    def run(self, count: Callable[[str], int] = lambda text: len(text.split())) -> None:
        def watched(text: str) -> int:
            self.steps[-1] += len(text)
            return count(text)

        for _ in range(10_000):
            self.steps.append(0)
            if not self.counter.step(watched):
                return
        raise AssertionError("it does not end")

    @property
    def answers(self) -> list[tuple[int, tuple[int, ...]]]:
        return [(event.number, event.counts) for event in self.told]


class TestParts:
    def test_each_step_is_short_and_the_sum_is_right(self) -> None:
        watched = Watched()
        text = "one two three\n" * 20_000
        watched.ask(1, "a b", text, "", "c")
        watched.run()
        assert watched.answers == [(1, (2, 60_000, 0, 1))]
        assert max(watched.steps) < 2 * PART_CHARS
        assert sum(watched.steps) == len(text) + 4

    def test_many_short_texts(self) -> None:
        watched = Watched()
        watched.ask(1, *(f"word {number}" for number in range(1000)))
        watched.run()
        assert watched.answers == [(1, (2,) * 1000)]
        assert len(watched.steps) > 1000 / PART_TEXTS

    def test_no_text_at_all(self) -> None:
        watched = Watched()
        watched.ask(1)
        watched.run()
        assert watched.answers == [(1, ())]

    def test_what_no_context_holds_is_not_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(token_counter, "MOST_CHARS", 3 * PART_CHARS + 5)
        watched = Watched()
        watched.ask(1, "x" * 10 * PART_CHARS)
        watched.run(len)
        assert watched.answers == [(1, (3 * PART_CHARS + 5,))]

    def test_a_part_ends_between_two_words(self) -> None:
        text = "bird stone " * PART_CHARS
        end = part_end(text, 0)
        assert PART_CHARS // 2 < end <= PART_CHARS
        assert text[end] == " "
        assert text[end - 1].isalpha()
        assert part_end("x" * 2 * PART_CHARS, 0) == PART_CHARS
        assert part_end("short", 0) == 5


class TestOnce:
    def test_a_text_is_counted_once(self) -> None:
        watched = Watched()
        for number in range(5):
            watched.ask(number, "a b", "c")
        watched.run()
        assert watched.answers == [(number, (2, 1)) for number in range(5)]
        assert sum(watched.steps) == 4

    def test_a_later_command_takes_the_place_of_an_earlier_one(self) -> None:
        watched = Watched()
        watched.ask(1, "word " * PART_CHARS)
        watched.counter.step(lambda text: 1)
        watched.ask(2, "b")
        watched.ask(1, "a b")
        watched.run()
        assert watched.answers == [(2, (1,)), (1, (2,))]

    def test_only_so_many_are_remembered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(token_counter, "KNOWN_TEXTS", 3)
        watched = Watched()
        watched.ask(1, "a", "b", "c", "d", "d", "a")
        watched.run()
        assert watched.answers == [(1, (1,) * 6)]
        assert sum(watched.steps) == 5, "a was counted again, d was not"

    def test_a_command_that_fails_fails_alone(self) -> None:
        watched = Watched()
        watched.ask(1, "bad")
        watched.ask(2, "good")
        with pytest.raises(ValueError, match="bad"):
            watched.counter.step(lambda text: int(text))
        watched.run()
        assert watched.answers == [(2, (1,))]


class TestWithATokenizer:
    @pytest.mark.parametrize("path", ["engine/loop.py", "engine/run/core.py", "engine/api.py"])
    def test_parts_have_the_tokens_of_the_whole(self, path: str) -> None:
        model = TextModel(DEMO)
        text = (ROOT / path).read_text(encoding="utf-8")
        text = text.replace("def", "\n\nWörter, 東京 und 🌊,  zwei   Wege:\n")
        assert len(text) > PART_CHARS
        watched = Watched()
        watched.ask(1, text)
        watched.run(model.count)
        assert watched.answers == [(1, (model.count(text),))]

    def test_control_tokens_and_half_characters_count_as_text(self) -> None:
        model = TextModel(DEMO)
        assert model.count("<|im_end|>") > 1
        assert model.count("a\ud800b") == model.count("a?b")


class TestWhileARequestRuns:
    def test_it_is_answered_and_the_answer_goes_on(self, tiny_folder: Path) -> None:
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1))
        loop.start()
        sampling = Sampling(temperature=0, max_tokens=4000, ignore_end=True)
        loop.post(Submit(1, ids(1, 40), sampling))
        wait(loop, events.TextDelta)
        text = " w1 w2 w3" * 20_000
        loop.post(CountTokens(7, (text, " w5")))
        heard = wait(loop, events.TokensCounted)
        counted = next(e for e in heard if isinstance(e, events.TokensCounted))
        assert (counted.number, counted.counts) == (7, (60_000, 1))
        shown = [e.time for e in heard if isinstance(e, events.TextDelta)]
        assert len(shown) > 10, "tokens are shown between the parts"
        gaps = [b - a for a, b in itertools.pairwise(shown)]
        # On a busy machine everything takes longer, the whole more than a part.
        assert max(gaps) < max(0.5, (shown[-1] - shown[0]) / 3)
        assert not any(isinstance(e, events.RequestFinished) for e in heard)
        loop.post(Cancel(1))
        wait(loop, events.RequestFinished)
        assert loop.close(60)

    def test_it_is_answered_while_nothing_runs(self, tiny_folder: Path) -> None:
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1))
        loop.start()
        loop.post(CountTokens(1, (" w1" * 30_000,)))
        loop.post(CountTokens(2, ()))
        told: list[events.TokensCounted] = []
        ends = time.monotonic() + 60
        while len(told) < 2:
            assert time.monotonic() < ends
            told += [e for e in loop.drain() if isinstance(e, events.TokensCounted)]
            time.sleep(0.002)
        assert [(e.number, e.counts) for e in told] == [(1, (30_000,)), (2, ())]
        assert loop.close(60)
