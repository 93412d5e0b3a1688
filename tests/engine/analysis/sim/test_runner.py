"""Simulated runs: conservation, the same seed the same figures, and who keeps the most."""

from __future__ import annotations

import numpy as np
import pytest

from engine.analysis.sim.runner import MODELS, footprint_bytes, plane_sizes, run_workload
from engine.analysis.sim.script import Workload
from engine.analysis.sim.unbounded import Bound, Unbounded, run_unbounded
from engine.analysis.sim.workloads import WORKLOADS
from engine.config import POLICY_NAMES
from engine.journal.request import RunRules

RULES = RunRules()
REQUESTS = 120
MODEL = MODELS["9B"]
SEED = 3

Known = dict[str, tuple[Workload, Unbounded]]


@pytest.fixture(scope="module")
def known() -> Known:
    """Each workload with its endless run, made once."""
    made = {name: make(SEED, REQUESTS) for name, make in WORKLOADS.items()}
    return {name: (workload, run_unbounded(workload, RULES)) for name, workload in made.items()}


@pytest.mark.parametrize("name", WORKLOADS)
@pytest.mark.parametrize("budget", [0.05, 0.25])
def test_coverage_keeps_at_least_as_much_as_any_and_none_beats_the_bound(
    known: Known, name: str, budget: float
) -> None:
    workload, whole = known[name]
    sizes = plane_sizes(whole, MODEL, budget)
    bound = Bound(whole.choices).reused(sizes.kv_slots, sizes.state_slots)
    scores = {
        policy: run_workload(workload, MODEL, sizes, policy, RULES) for policy in POLICY_NAMES
    }
    reused = {policy: score.reused for policy, score in scores.items()}
    print(f"seed {SEED}, {name}, {budget:.0%}: {reused}, bound {bound:.0f}")
    for score in scores.values():
        assert score.reused + score.replayed + score.computed == score.tokens == whole.tokens
        assert 0 <= score.flops_saved <= score.flops
        assert not score.refused
        assert score.reused <= bound + 1e-6
    assert reused["coverage"] >= max(reused["lru"], reused["flops"])


def test_the_same_seed_gives_the_same_requests_and_figures() -> None:
    first, second = (WORKLOADS["edits"](4, 40) for _ in range(2))
    for a, b in zip(first.asks, second.asks, strict=True):
        assert np.array_equal(a.prompt, b.prompt)
        assert np.array_equal(a.applied, b.applied)
        assert a.anchors == b.anchors
    sizes = plane_sizes(run_unbounded(first, RULES), MODEL, 0.1)
    assert run_workload(first, MODEL, sizes, "coverage", RULES) == run_workload(
        second, MODEL, sizes, "coverage", RULES
    )


@pytest.mark.parametrize("name", WORKLOADS)
def test_another_seed_gives_other_requests(name: str) -> None:
    first, second = (WORKLOADS[name](seed, 10) for seed in (1, 2))
    assert any(
        not np.array_equal(a.prompt, b.prompt) for a, b in zip(first.asks, second.asks, strict=True)
    )


def test_with_thinking_stripped_the_next_prompt_leaves_right_after_the_header(known: Known) -> None:
    workload, whole = known["chat"]
    places = {ask.anchors[-1] for ask in workload.asks}
    # A new chat leaves at the end of the system text that it shares.
    places.add(workload.asks[0].anchors[0])
    deepest = [int(c.position.max()) for c in whole.choices if len(c.position)]
    assert np.mean([position in places for position in deepest]) > 0.8


def test_planes_share_the_budget(known: Known) -> None:
    _, whole = known["agent"]
    for model in MODELS.values():
        sizes = plane_sizes(whole, model, 0.25)
        used = sizes.kv_slots * model.kv_bytes + sizes.state_slots * model.state_bytes
        assert used <= 0.25 * footprint_bytes(whole, model)
        assert used > 0.24 * footprint_bytes(whole, model)


def test_attention_makes_later_tokens_dearer() -> None:
    model = MODELS["9B"]
    assert model.flops(0, 100) + model.flops(100, 300) == pytest.approx(model.flops(0, 300))
    assert model.flops(1000, 1100) > model.flops(0, 100)
