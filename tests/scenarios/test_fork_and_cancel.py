"""Scenarios 18, 35, 37, 42 and 45: copies, conservation and what a cancel leaves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from engine import Sampling, events
from engine.commands import Submit
from engine.run.core import Core
from tests.engine.cache.tiers.three_tiers import ThreeTiers
from tests.engine.run.conftest import Opener, ids
from tests.present import present
from tests.scenarios.steps import answer, off_by, positions, right


def test_insert_18_a_donated_state_is_a_copy(open_engine: Opener) -> None:
    """FreeToken 287: a request that goes on decoding does not touch what it gave away."""
    engine = open_engine(decode_interval=4, interval=64)
    given: dict[int, torch.Tensor] = {}

    def watch(core: Core) -> None:
        states = core.store.states
        whole = type(states).copy

        def copy(source: int, target: int) -> None:
            whole(states, source, target)
            given[target] = states.delta[target].clone()

        states.copy = copy  # type: ignore[method-assign]

    engine.on_core(watch)
    answer(engine, ids(1, 200), 40)
    assert len(given) > 5

    def compare(core: Core) -> None:
        for node in core.cache.reader.checkpoints():
            held = core.cache.reader.holding(node).checkpoint
            assert held is not None
            if held.slot in given:
                assert torch.equal(core.store.states.delta[held.slot], given[held.slot])
        del core.store.states.copy

    engine.on_core(compare)


def test_evict_35_slots_and_tokens_are_conserved_after_every_step() -> None:
    """SGLang's sanity check: free + live + cached = total on every tier, always."""
    world = ThreeTiers(device=(200, 4), host=(300, 5))
    rng = np.random.default_rng(35)
    for step in range(60):
        world.run(rng.integers(1, 4, int(rng.integers(5, 120))).tolist(), decode=[step])
        world.verify()
        for cache in (world.cache, world.host):
            assert cache is not None
            for pool in (cache.reader.kv_pool(), cache.reader.state_pool()):
                assert pool.free + pool.live + pool.cached == pool.total


def test_fork_37_the_cached_state_survives_what_is_decoded_from_it(open_engine: Opener) -> None:
    """SGLang test 5: copy on write; 100 decoded tokens later it is bit for bit the same."""
    engine = open_engine(decode_interval=0)
    engine.logits(ids(1, 150))

    def held(core: Core) -> list[torch.Tensor]:
        slots = [
            present(core.cache.reader.holding(node).checkpoint).slot
            for node in core.cache.reader.checkpoints()
        ]
        return [part.clone() for slot in sorted(slots) for part in core.store.states.parts(slot)]

    before = engine.on_core(held)
    answer(engine, ids(1, 150), 100)
    after = engine.on_core(held)
    assert all(torch.equal(a, b) for a, b in zip(before, after, strict=False))


def test_cancel_42_the_last_sampled_token_is_not_in_the_state(open_engine: Opener) -> None:
    """SGLang's finish bug: the donated position is that of the tokens applied."""
    for stop_at in (2, 3, 5, 9):
        engine = open_engine(decode_interval=0, interval=0)
        asked = iter(range(1_000))

        def run(
            core: Core, asked: Iterator[int] = asked, stop_at: int = stop_at
        ) -> list[events.Event]:
            said: list[events.Event] = []
            sampling = Sampling(temperature=0, max_tokens=30, ignore_end=True)
            submit = Submit(1, ids(1, 100), sampling)
            core.run(submit, said.append, lambda: next(asked) == stop_at)
            return said

        last = engine.on_core(run)[-1]
        assert isinstance(last, events.RequestFinished)
        decoded = positions(engine, "decode")
        if not last.token_ids:
            continue
        assert decoded == [100 + len(last.token_ids)]
        longer = (*ids(1, 100), *last.token_ids, *ids(2, 9))
        assert right(engine, longer).reused == decoded[0]


def test_branch_45_a_branch_state_does_not_cost_the_prompts_own(open_engine: Opener) -> None:
    """TensorRT-LLM 18272: the branch point is stored, and the prompt's end as well."""
    engine = open_engine(interval=1024)
    engine.logits(ids(1, 200))
    engine.logits((*ids(1, 130), *ids(2, 90)))
    assert 130 in positions(engine)
    assert 220 in positions(engine)
    third = right(engine, (*ids(1, 130), *ids(3, 40)))
    assert third.reused == 130


def test_cancel_41_and_53_what_a_cancelled_prompt_left_is_right(open_engine: Opener) -> None:
    """Ollama: checkpoints crossed before the cancel are kept, and are what a cold run gives."""
    engine = open_engine(interval=256)
    asked = iter(range(1_000))

    def run(core: Core) -> None:
        core.run(Submit(1, ids(1, 3000), Sampling()), lambda event: None, lambda: next(asked) == 2)

    engine.on_core(run)
    crossed = positions(engine)
    assert crossed
    assert max(crossed) < 3000
    cached = engine.logits(ids(1, 3000))
    assert cached.reused == max(crossed)
    assert off_by(cached.logits, engine.logits(ids(1, 3000), reuse=False).logits) < 1e-4
