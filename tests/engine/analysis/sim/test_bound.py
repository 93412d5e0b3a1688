"""The bound: no policy beats it, and on tiny cases it is close to the best there is."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.analysis.sim.runner import ModelCost, run_workload
from engine.analysis.sim.script import Workload
from engine.analysis.sim.unbounded import Bound, Choices, run_unbounded
from engine.cache.budget.balance import PlaneSizes
from engine.cache.eviction.policy import Policy
from engine.cache.eviction.registry import POLICIES
from engine.cache.node import Node
from engine.journal.request import Ask, RunRules

RULES = RunRules(interval=4096)
MODEL = ModelCost("tiny", 1, 10, 1.0, 1, 1)


def tiny(seed: int, requests: int = 7) -> Workload:
    """Prompts over three short trunks, each with an anchor in the middle."""
    rng = np.random.default_rng(seed)
    trunks = [rng.integers(100 * n, 100 * n + 50, 12) for n in range(3)]
    asks = []
    for step in range(requests):
        trunk = trunks[int(rng.integers(3))][: int(rng.choice([6, 12]))]
        prompt = np.concatenate([trunk, [1000 + step, 1]])
        asks.append(Ask(prompt, anchors=(len(trunk),), headroom=0, prompt_only=True))
    return Workload("tiny", seed, tuple(asks))


class ByChance(Policy):
    """Evicts in a random order for each seed; over many seeds, in every possible order."""

    seed = 0

    def checkpoint_worth(self, node: Node) -> float:
        assert node.checkpoint is not None
        return float(np.random.default_rng((self.seed, node.checkpoint.used.serial)).random())

    def leaf_worth(self, leaf: Node) -> float:
        return float(np.random.default_rng((self.seed, leaf.used.serial)).random())


@pytest.mark.parametrize("seed", range(4))
def test_no_order_of_eviction_beats_it(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POLICIES, "chance", ByChance)
    workload = tiny(seed)
    whole = run_unbounded(workload, RULES)
    for sizes in (PlaneSizes(60, 3), PlaneSizes(30, 4)):
        bound = Bound(whole.choices).reused(sizes.kv_slots, sizes.state_slots)
        best = 0
        for draw in range(150):
            monkeypatch.setattr(ByChance, "seed", draw)
            score = run_workload(workload, MODEL, sizes, "chance", RULES)
            best = max(best, score.reused)
        print(f"seed {seed}, {sizes}: best order {best}, bound {bound:.1f}, endless {whole.reused}")
        assert best <= bound + 1e-6
        assert bound <= whole.reused + 1e-6


def best_choice(choices: tuple[Choices, ...], kv_slots: int, state_slots: int) -> int:
    """By trying every choice of one place or none per request."""
    gaps = len(choices) - 1
    best = 0
    for picks in itertools.product(*(range(-1, len(c.position)) for c in choices)):
        states, kv, gain = np.zeros(gaps), np.zeros(gaps), 0
        for request, (pick, c) in enumerate(zip(picks, choices, strict=True)):
            if pick < 0:
                continue
            gain += int(c.position[pick])
            states[c.stored[pick] : request] += 1
            for span, used in list(zip(c.spans, c.span_used, strict=True))[: c.span_count[pick]]:
                kv[used:request] += span
        if (states <= state_slots).all() and (kv <= kv_slots).all():
            best = max(best, gain)
    return best


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sizes", [(12, 1), (24, 2), (18, 3), (100, 1)])
def test_it_is_at_least_the_best_choice_and_not_far_above(
    seed: int, sizes: tuple[int, int]
) -> None:
    whole = run_unbounded(tiny(seed, 6), RULES)
    best = best_choice(whole.choices, *sizes)
    bound = Bound(whole.choices).reused(*sizes)
    print(f"seed {seed}, {sizes}: best choice {best}, bound {bound:.1f}")
    assert best <= bound + 1e-6
    # Half of a choice may be taken in the relaxation.
    assert bound <= best + 14


def test_with_room_for_all_it_is_what_an_endless_cache_reuses() -> None:
    whole = run_unbounded(tiny(1, 20), RULES)
    assert Bound(whole.choices).reused(10**6, 10**6) == pytest.approx(whole.reused)


def test_nothing_at_all_can_be_reused_of_nothing() -> None:
    assert Bound(()).reused(10, 10) == 0
