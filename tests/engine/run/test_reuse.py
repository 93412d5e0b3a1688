"""Cached equals cold, with every token accounted for; a wrong state is noticed."""

from __future__ import annotations

import pytest
import torch

from engine import Engine, Reason, Sampling
from engine.events import RequestFinished
from engine.run.core import Core
from engine.run.verify import compare
from tests.engine.run.conftest import Opener, ids
from tests.present import present

BOUND = 1e-4


def same_within_rounding(engine: Engine, prompt: tuple[int, ...]) -> None:
    cached, cold = engine.logits(prompt), engine.logits(prompt, reuse=False)
    assert compare(cached.logits, cold.logits).relative <= BOUND


def answer(engine: Engine, prompt: tuple[int, ...], tokens: int = 20) -> RequestFinished:
    last = list(engine.generate(prompt, Sampling.greedy(tokens)))[-1]
    assert isinstance(last, RequestFinished)
    return last


class TestFastMode:
    def test_the_three_parts_sum_to_the_prompt(self, open_engine: Opener) -> None:
        engine = open_engine(interval=64)
        engine.logits(ids(1, 300))
        for prompt in (ids(1, 300), ids(1, 250), ids(1, 200) + ids(2, 90), ids(3, 5)):
            result = engine.logits(prompt)
            assert result.reused + result.replayed + result.computed == len(prompt)
            assert result.plan.total == len(prompt)

    def test_the_same_prompt_runs_no_token_at_all(self, open_engine: Opener) -> None:
        engine = open_engine()
        first = engine.logits(ids(1, 200))
        again = engine.logits(ids(1, 200))
        assert (again.reused, again.replayed, again.computed) == (200, 0, 0)
        assert again.plan.reason is Reason.NONE
        assert torch.equal(first.logits, again.logits)

    @pytest.mark.parametrize("length", [1, 2, 3, 4, 63, 64, 65, 127, 200, 1000, 1500])
    def test_every_length_resumes_correctly(self, open_engine: Opener, length: int) -> None:
        engine = open_engine(interval=64)
        engine.logits(ids(1, length))
        same_within_rounding(engine, ids(1, length))
        same_within_rounding(engine, ids(1, length) + ids(2, 7))
        if length > 1:
            same_within_rounding(engine, ids(1, length - 1))
            same_within_rounding(engine, ids(1, length // 2) + ids(4, 30))

    def test_a_turn_on_top_of_an_answer_computes_only_what_is_new(
        self, open_engine: Opener
    ) -> None:
        engine = open_engine()
        prompt = ids(1, 150)
        said = answer(engine, prompt)
        following = prompt + said.token_ids + ids(2, 40)
        result = engine.logits(following)
        # The last sampled token was never applied, so it runs now.
        assert (result.replayed, result.computed) == (0, 41)
        same_within_rounding(engine, following)

    def test_a_branch_point_is_learned(self, open_engine: Opener) -> None:
        engine = open_engine(interval=1024)
        shared = ids(1, 333)
        engine.logits(shared + ids(2, 200))
        second = engine.logits(shared + ids(3, 200))
        assert second.replayed == 333, "nothing was stored inside the shared part"
        third = engine.logits(shared + ids(4, 200))
        assert (third.reused, third.replayed) == (333, 0)
        assert present(third.plan.state).provenance == "branch"

    def test_decode_stores_checkpoints_along_the_way(self, open_engine: Opener) -> None:
        engine = open_engine(decode_interval=16)
        prompt = ids(1, 40)
        said = answer(engine, prompt, tokens=60)
        cut = prompt + said.token_ids[:35] + ids(5, 10)
        result = engine.logits(cut)
        assert result.reused == 40 + 32
        same_within_rounding(engine, cut)

    def test_chunked_prefill_over_several_segments(self, open_engine: Opener) -> None:
        engine = open_engine(interval=512)
        engine.logits(ids(1, 2600))
        result = engine.logits(ids(1, 2000) + ids(2, 500))
        assert result.replayed < 512
        same_within_rounding(engine, ids(1, 2000) + ids(2, 500))


class TestExactMode:
    def test_every_resume_is_bit_equal(self, open_engine: Opener) -> None:
        engine = open_engine(mode="exact", interval=256)
        base = ids(1, 1200)
        prompts = [base, base, base[:1199], base[:900] + ids(2, 300), base + ids(3, 500)]
        for prompt in prompts:
            cached, cold = engine.logits(prompt), engine.logits(prompt, reuse=False)
            assert torch.equal(cached.logits, cold.logits)
        assert engine.logits(base[:900] + ids(4, 300)).reused >= 512

    def test_kv_from_decode_is_never_read_as_exact(self, open_engine: Opener) -> None:
        engine = open_engine(mode="exact", interval=64)
        prompt = ids(1, 600)
        said = answer(engine, prompt, tokens=300)
        following = prompt + said.token_ids + ids(2, 300)
        for _ in range(3):
            cached, cold = engine.logits(following), engine.logits(following, reuse=False)
            assert torch.equal(cached.logits, cold.logits)

    def test_a_greedy_answer_is_the_cold_answer(self, open_engine: Opener) -> None:
        engine = open_engine(mode="exact", interval=256)
        prompt = ids(1, 800)
        engine.logits(prompt[:700] + ids(2, 50))
        warm = answer(engine, prompt, tokens=40)
        assert warm.report.plan.reused > 0
        cold = list(engine.generate(prompt, Sampling.greedy(40), reuse=False))[-1]
        assert isinstance(cold, RequestFinished)
        assert warm.token_ids == cold.token_ids


class TestTeeth:
    """The comparisons in these tests would reveal a wrong state."""

    @pytest.mark.parametrize("mode", ["fast", "exact"])
    def test_a_corrupted_state_is_noticed(self, open_engine: Opener, mode: str) -> None:
        engine = open_engine(mode=mode, interval=256)
        prompt = ids(1, 600)
        engine.logits(prompt)
        assert engine.on_core(lambda core: core.store.spoil_states()) > 0
        following = prompt[:590] + ids(2, 40)
        cached, cold = engine.logits(following), engine.logits(following, reuse=False)
        assert cached.reused > 0
        assert compare(cached.logits, cold.logits).relative > 10 * BOUND

    def test_a_state_of_another_position_is_noticed(self, open_engine: Opener) -> None:
        engine = open_engine(interval=64)
        prompt = ids(1, 300)
        engine.logits(prompt)

        def swap(core: Core) -> None:
            slots = {
                n.checkpoint.state.position: n.checkpoint.slot
                for n in core.cache.reader.nodes()
                if n.checkpoint
            }
            core.store.states.copy(slots[64], slots[256])

        engine.on_core(swap)
        following = prompt[:290]
        cached, cold = engine.logits(following), engine.logits(following, reuse=False)
        assert cached.reused == 256
        assert compare(cached.logits, cold.logits).relative > 10 * BOUND


class TestColdRuns:
    def test_they_neither_read_nor_write_the_cache(self, open_engine: Opener) -> None:
        engine = open_engine()
        before = engine.snapshot().version
        result = engine.logits(ids(1, 100), reuse=False)
        assert engine.snapshot().version == before
        assert result.plan.reason is Reason.CACHE_OFF

    def test_a_probe_changes_nothing(self, open_engine: Opener) -> None:
        engine = open_engine()
        engine.logits(ids(1, 100))
        before = engine.snapshot()
        plan = engine.probe(ids(1, 80) + ids(2, 30))
        assert plan.reused + plan.replayed == 80
        assert engine.snapshot().nodes == before.nodes
        assert engine.snapshot().version == before.version
