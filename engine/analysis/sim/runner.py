"""Runs a workload on a cache of a given budget under a given policy, without a model."""

from __future__ import annotations

from dataclasses import dataclass

from engine.analysis.sim.script import Workload
from engine.analysis.sim.unbounded import Unbounded
from engine.cache import TwoPlaneCache
from engine.cache.budget.balance import PlaneSizes
from engine.cache.tiers.tiers import Tiers
from engine.journal.request import RunRules, run_request

# The KV plane always has room for the longest request and its answer.
SPARE_KV = 1.1
# The states' share of the budget under every policy: the engine's default.
STATE_SHARE = 0.5
KIB, MIB = 1 << 10, 1 << 20


@dataclass(frozen=True, slots=True)
class ModelCost:
    """One model shape.

    Attributes:
        kv_bytes: per token, bfloat16.
        state_bytes: per checkpoint: float32 delta states, bfloat16 conv columns.
        active: parameters that a token passes through.
        full_layers, attention_width: layers of full attention, and heads times head size.
    """

    name: str
    kv_bytes: int
    state_bytes: int
    active: float
    full_layers: int
    attention_width: int

    def flops(self, start: int, end: int) -> float:
        """FLOPs to run tokens [start, end) of a prompt: matrices, and attention to earlier tokens.

        Each token takes 2 per active parameter; each pair of a token and one it attends to takes 4
        per layer and channel (scores and values).
        """
        tokens = end - start
        pairs = (end * (end + 1) - start * (start + 1)) / 2
        return 2 * self.active * tokens + 4 * self.full_layers * self.attention_width * pairs


MODELS = {
    model.name: model
    for model in (
        ModelCost("0.8B", 12 * KIB, int(18.63 * MIB), 0.75e9, 6, 8 * 256),
        ModelCost("9B", 32 * KIB, int(49.12 * MIB), 8.0e9, 8, 16 * 256),
        ModelCost("27B", 64 * KIB, int(146.81 * MIB), 26.0e9, 16, 24 * 256),
        ModelCost("Next", 24 * KIB, int(73.69 * MIB), 3.0e9, 12, 16 * 256),
    )
}


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
