"""Answers with drafts: the same text, the same cache, and nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from engine import Engine, EngineConfig, Sampling
from engine.commands import Tune
from engine.errors import CacheError
from engine.events import RequestFinished, TextDelta
from engine.message import PromptOptions
from engine.model.hybrid import HybridModel
from engine.planes import LIVE_SLOT
from engine.run.core import Core
from engine.run.prepared import prefill
from engine.run.sequence import LiveSequence
from engine.run.turns import finish
from kernels.native.library import library
from tests.engine.run.conftest import Opener, ids
from tests.engine.run.wrong_drafts import draft_always, draft_wrongly

pytestmark = [
    pytest.mark.skipif(library() is None, reason="the kernels in C are not compiled"),
    pytest.mark.usefixtures("everywhere"),
]

EMPTY = PromptOptions()
# So many tokens are drafted at most here.
MOST = 5
GREEDY = replace(Sampling.greedy(24), ignore_end=True)
DRAWN = Sampling(temperature=0.7, seed=11, max_tokens=24, ignore_end=True)
PENALISED = replace(
    DRAWN, temperature=1.3, top_k=0, top_p=0.9, min_p=0.01,
    repetition_penalty=1.3, presence_penalty=0.4,
)  # fmt: skip


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    draft_always(monkeypatch, MOST)


@pytest.fixture
def misled(monkeypatch: pytest.MonkeyPatch) -> None:
    draft_wrongly(monkeypatch, MOST)


def ended(engine: Engine, prompt: Any, sampling: Sampling, **how: Any) -> RequestFinished:
    last = list(engine.generate(prompt, sampling, **how))[-1]
    assert isinstance(last, RequestFinished), last
    return last


def tuned(core: Core, change: Tune) -> None:
    core.tuning.tune(change)


def words(token_ids: tuple[int, ...]) -> str:
    """The text of these ids of the tiny model."""
    return "".join(f" w{token - 9}" for token in token_ids)


@pytest.mark.usefixtures("misled")
class TestTheSameText:
    """Each prompt is asked three times: the second time its answer is in the tree."""

    @pytest.mark.parametrize("length", range(1, MOST + 3))
    @pytest.mark.parametrize(
        "sampling", [GREEDY, DRAWN, PENALISED], ids=["greedy", "drawn", "penalised"]
    )
    @pytest.mark.parametrize("mode", ["fast", "exact"])
    def test_with_drafts_and_without(
        self, open_engine: Opener, mode: str, sampling: Sampling, length: int
    ) -> None:
        prompt, found = ids(length, length), []
        for drafts in ("off", "text", "auto"):
            engine = open_engine(mode=mode, drafts=drafts, decode_interval=7)
            found.append([ended(engine, prompt, sampling) for _ in range(3)])
            engine.check_invariants()
        off, text, auto = ([one.token_ids for one in three] for three in found)
        assert off == text == auto
        assert sum(one.report.drafts.drafted for one in found[0]) == 0
        assert sum(one.report.drafts.drafted for one in found[2]) > MOST
        again = found[2][2].report
        assert 0 < again.drafts.kept < again.drafts.drafted, (
            "some drafts were wrong, and some right"
        )

    @pytest.mark.parametrize("weights", ["int8", "int4"])
    def test_beside_rounded_weights(self, open_engine: Opener, weights: str) -> None:
        prompt, found = ids(3, 40), []
        for drafts in ("off", "auto"):
            engine = open_engine(weights=weights, drafts=drafts)
            found.append([ended(engine, prompt, DRAWN).token_ids for _ in range(2)])
        assert found[0] == found[1]

    def test_no_further_than_a_prediction_says(self, open_engine: Opener) -> None:
        engine = open_engine(drafts="text")
        plain = ended(engine, ids(5, 30), DRAWN, reuse=False)
        told = ended(engine, ids(5, 30), DRAWN, reuse=False, prediction=words(plain.token_ids))
        assert told.token_ids == plain.token_ids
        assert told.report.drafts.kept > plain.report.drafts.kept
        assert told.report.drafts.steps < plain.report.drafts.steps


@pytest.mark.usefixtures("eager")
class TestChoice:
    def test_it_may_change_between_two_requests(self, open_engine: Opener) -> None:
        engine, drafted = open_engine(drafts="off"), []
        for change in (
            Tune(drafts="off"),
            Tune(drafts="auto"),
            Tune(drafts="text"),
            Tune(drafts="off"),
        ):
            engine.on_core(partial(tuned, change=change))
            drafted.append(ended(engine, ids(5, 40), GREEDY).report.drafts.drafted)
        assert drafted[0] == drafted[3] == 0
        assert drafted[1] > drafted[2], "without the tree there is less to draft from"

    def test_without_the_cache_the_tree_says_nothing(self, open_engine: Opener) -> None:
        engine = open_engine(drafts="auto")
        known = [ended(engine, ids(5, 40), GREEDY, reuse=reuse) for reuse in (True, True, False)]
        assert known[1].report.drafts.kept > known[2].report.drafts.kept
        assert known[1].report.drafts.from_tree > 0 == known[2].report.drafts.from_tree
        assert known[1].token_ids == known[2].token_ids

    def test_an_unknown_one_is_refused(self) -> None:
        with pytest.raises(CacheError, match="drafts"):
            EngineConfig(drafts="always")  # type: ignore[arg-type]

    def test_where_nothing_can_be_drafted_answers_are_as_ever(
        self, open_engine: Opener, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plain = ended(open_engine(drafts="off"), ids(5, 40), GREEDY)
        monkeypatch.setattr(HybridModel, "make_kept_rows", lambda self: None)
        unable = ended(open_engine(drafts="auto"), ids(5, 40), GREEDY)
        assert (unable.token_ids, unable.report.drafts.drafted) == (plain.token_ids, 0)


@pytest.mark.usefixtures("eager")
class TestEnds:
    """What ends an answer inside a draft ends it there, with the state that it would have."""

    @pytest.fixture(params=["off", "auto"])
    def engine(self, request: pytest.FixtureRequest, open_engine: Opener) -> Engine:
        return open_engine(drafts=request.param, decode_interval=9)

    @pytest.fixture
    def asked(self, engine: Engine) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """A prompt, and its greedy answer of 24 tokens, which is cached."""
        prompt = ids(7, 50)
        return prompt, ended(engine, prompt, GREEDY).token_ids

    @pytest.mark.parametrize("kept", range(1, MOST + 3))
    def test_the_most_tokens(
        self, engine: Engine, asked: tuple[tuple[int, ...], tuple[int, ...]], kept: int
    ) -> None:
        prompt, answer = asked
        last = ended(engine, prompt, replace(GREEDY, max_tokens=kept))
        assert (last.token_ids, last.stop) == (answer[:kept], "length")
        self.check(engine, prompt, answer, kept)

    @pytest.mark.parametrize("kept", range(1, MOST + 3))
    def test_a_stop_string(
        self, engine: Engine, asked: tuple[tuple[int, ...], tuple[int, ...]], kept: int
    ) -> None:
        prompt, answer = asked
        last = ended(engine, prompt, replace(GREEDY, stop=(words(answer[kept : kept + 1]),)))
        first = answer.index(answer[kept])
        assert (last.token_ids, last.stop) == (answer[:first], "stop string")
        assert last.report.generated == first + 1, "it went on after the stop string"
        self.check(engine, prompt, answer, first + 1)

    @pytest.mark.parametrize("kept", range(1, MOST + 3))
    def test_an_end_token(
        self, engine: Engine, asked: tuple[tuple[int, ...], tuple[int, ...]], kept: int
    ) -> None:
        prompt, answer = asked
        last = ended(engine, prompt, replace(GREEDY, stop_ids=(answer[kept],)))
        first = answer.index(answer[kept])
        assert (last.token_ids, last.stop) == (answer[:first], "end")
        self.check(engine, prompt, answer, first + 1)

    @pytest.mark.parametrize("events", range(1, MOST + 3))
    def test_a_cancel(
        self, engine: Engine, asked: tuple[tuple[int, ...], tuple[int, ...]], events: int
    ) -> None:
        prompt, answer = asked
        running = engine.generate(prompt, replace(GREEDY, max_tokens=500))
        heard = 0
        for event in running:
            heard += isinstance(event, TextDelta)
            if heard == events:
                break
        running.close()
        self.check(engine, prompt, answer, len(answer))

    @staticmethod
    def check(engine: Engine, prompt: tuple[int, ...], answer: tuple[int, ...], kept: int) -> None:
        """Whatever is cached is right, and every path is a beginning of what was applied."""
        engine.check_invariants()
        snapshot = engine.snapshot()
        assert (snapshot.kv.live, snapshot.state.live) == (0, 1), "a request left slots behind"
        for end in range(len(prompt) + 1, len(prompt) + min(kept, len(answer)) + 1):
            whole = (prompt + answer)[:end]
            cached, cold = engine.logits(whole), engine.logits(whole, reuse=False)
            assert float((cached.logits - cold.logits).abs().max()) < 2e-3, cached.plan


def checkpoints(core: Core) -> list[tuple[int, ...]]:
    """The sequences of which a state is stored."""
    reader = core.cache.reader
    return sorted(tuple(reader.holding(node).tokens.tolist()) for node in reader.checkpoints())


@pytest.mark.usefixtures("misled")
@pytest.mark.parametrize("interval", [0, 1, 2, 5, 9])
def test_the_cache_never_sees_a_draft(open_engine: Opener, interval: int) -> None:
    """With drafts the same states are stored at the same positions, and the same KV beside them."""
    found = []
    for drafts in ("off", "auto"):
        engine = open_engine(drafts=drafts, decode_interval=interval)
        for start in (1, 1, 2, 1):
            ended(engine, ids(start, 20), DRAWN)
        core_of = engine.on_core
        found.append((core_of(checkpoints), core_of(lambda core: core.cache.reader.kv_pool()).free))
    assert found[0] == found[1]


@pytest.fixture
def core(tiny_folder: Path) -> Iterator[Core]:
    config = EngineConfig(cache_bytes=16 << 20, threads=1)
    with Engine.open(tiny_folder, config) as engine:
        # The test runs where the core does: nothing else uses it meanwhile.
        yield engine.on_core(lambda core: core)


def nearly(one: torch.Tensor, other: torch.Tensor) -> bool:
    """PyTorch's operations round by where a row lies in their vectors."""
    return torch.allclose(one, other, rtol=1e-4, atol=1e-5)


def begun(core: Core, prompt: tuple[int, ...]) -> LiveSequence:
    """A sequence that has run a prompt."""
    prepared = core.prepare(prompt, EMPTY)
    match = core.store.match(prepared)
    sequence = core.store.sequence()
    finish(
        prefill(
            sequence,
            prepared,
            match,
            core.tuning.config,
            headroom=64,
            cancelled=lambda: False,
            progress=lambda done, of: None,
        )
    )
    return sequence


class TestSequence:
    """The live sequence itself, step by step beside one without drafts."""

    def test_a_state_is_stored_where_tokens_were_taken(self, core: Core) -> None:
        prompt, follows = ids(3, 30), ids(4, 40)
        plain = begun(core, prompt)
        stored = {}
        for at, token in enumerate(follows):
            plain.step(token)
            stored[at + 1] = [part.clone() for part in core.store.states.parts(LIVE_SLOT)]
        plain.release()
        for taken in range(MOST + 1):
            drafted = begun(core, prompt)
            wrong = [(token + 1) % 500 for token in follows[1 + taken : 1 + MOST]]
            drafted.step(follows[0], (*follows[1 : 1 + taken], *wrong))
            for token in follows[1 : 1 + taken]:
                assert drafted.expects(token)
                drafted.step(token)
            assert drafted.position == 31 + taken
            drafted.donate("decode", "end of answer")
            core.check_invariants()
            live = core.store.states.parts(LIVE_SLOT)
            alike = torch.equal if core.model.step_ops is None else nearly
            assert all(map(alike, live, stored[1 + taken]))
            assert drafted.lease is not None
            tokens = core.cache.reader.holding(drafted.lease.node).tokens
            assert np.array_equal(tokens, (*prompt, *follows[: 1 + taken]))
            drafted.release()
            core.check_invariants()

    def test_a_draft_asks_for_no_slot(self, core: Core) -> None:
        sequence = begun(core, ids(3, 30))
        assert sequence.lease is not None
        free = core.cache.reader.kv_pool().free
        for token in ids(5, 200):
            room = sequence.room
            assert sequence.lease.capacity >= sequence.position + room
            if sequence.position < sequence.lease.capacity:
                sequence.step(token, (1,) * max(room, 0))
                assert core.cache.reader.kv_pool().free == free
            else:
                sequence.step(token)
                free = core.cache.reader.kv_pool().free
        sequence.release()

    def test_released_between_draft_and_acceptance_nothing_is_left(self, core: Core) -> None:
        before = core.cache.reader.kv_pool().free
        sequence = begun(core, ids(9, 30))
        held = core.cache.reader.kv_pool()
        sequence.step(5, (6, 7, 8))
        sequence.step(6)
        sequence.release()
        core.check_invariants()
        after = core.cache.reader.kv_pool()
        assert (after.live, after.locked) == (0, 0)
        assert after.free == before - 30, "only the prompt stays"
        assert held.live > 0
