"""Runs a workload on a cache of a given budget under a given policy, without a model."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache import TwoPlaneCache
from engine.cache.budget.balance import PlaneSizes
from engine.cache.tiers.tiers import Tiers
from engine.sim.models import ModelCost
from engine.sim.script import Workload
from engine.sim.unbounded import Unbounded
from engine.trace.request import RunRules, run_request

# The KV plane always has room for the longest request and its answer.
SPARE_KV = 1.1
# The states' share of the budget under every policy: the engine's default.
STATE_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Score:
    """The results of a workload on a cache.

    Attributes:
        tokens: of all prompts; reused, replayed and computed sum to it.
        flops, flops_saved: to run all prompts in full, and the part that reuse saved.
    """

    tokens: int
    reused: int
    replayed: int
    computed: int
    flops: float
    flops_saved: float
    refused: int


def footprint_bytes(whole: Unbounded, model: ModelCost) -> int:
    """Bytes of everything that the workload ever stores."""
    return whole.kv_slots * model.kv_bytes + whole.states * model.state_bytes


def plane_sizes(whole: Unbounded, model: ModelCost, budget: float) -> PlaneSizes:
    """Slots of each plane at `budget`, a share of the footprint: half the bytes each.

    The KV plane has at least what one request needs, taken from the state plane's half, and there
    is always at least one state slot.
    """
    total = int(footprint_bytes(whole, model) * budget)
    kv_slots = max(int(total * (1 - STATE_SHARE)) // model.kv_bytes, int(whole.longest * SPARE_KV))
    state_slots = max((total - kv_slots * model.kv_bytes) // model.state_bytes, 1)
    return PlaneSizes(kv_slots, state_slots)


def run_workload(
    workload: Workload, model: ModelCost, sizes: PlaneSizes, policy: str, rules: RunRules
) -> Score:
    """Run all requests in order on an empty cache."""
    cache = TwoPlaneCache(
        sizes.kv_slots,
        sizes.state_slots,
        kv_slot_bytes=model.kv_bytes,
        state_slot_bytes=model.state_bytes,
        policy=policy,
    )
    tiers = Tiers(cache)
    reused = replayed = computed = refused = tokens = 0
    flops = saved = 0.0
    for ask in workload.asks:
        outcome = run_request(tiers, ask, rules)
        tokens += len(ask.prompt)
        reused += outcome.reused
        replayed += outcome.replayed
        computed += outcome.computed
        refused += outcome.refused
        flops += model.flops(0, len(ask.prompt))
        saved += model.flops(0, outcome.reused)
    return Score(tokens, reused, replayed, computed, flops, saved, refused)
