"""One budget in bytes, two planes: how many slots each gets."""

from __future__ import annotations

from dataclasses import dataclass

import psutil

from engine.config import EngineConfig
from engine.errors import CacheError

MOST_BYTES = 4 << 30
CONTEXTS_WORTH = 16


@dataclass(frozen=True, slots=True)
class PlaneSizes:
    """Slots of each plane. State slots are those the tree may own: the live one comes on top."""

    kv_slots: int
    state_slots: int


def default_budget(kv_slot_bytes: int, context: int) -> int:
    """A quarter of the free memory, at most 4 GiB, and no more than a small model can use."""
    free = int(psutil.virtual_memory().available)
    return min(free // 4, MOST_BYTES, CONTEXTS_WORTH * context * kv_slot_bytes)


def size_planes(
    config: EngineConfig, *, kv_slot_bytes: int, state_slot_bytes: int, context: int
) -> PlaneSizes:
    """Split the budget by `config.state_share`.

    Raises:
        CacheError: the budget holds no useful number of tokens; says how much would.
    """
    budget = config.cache_bytes or default_budget(kv_slot_bytes, context)
    state_slots = int(budget * config.state_share) // state_slot_bytes
    if config.state_share and not state_slots and budget >= 2 * state_slot_bytes:
        state_slots = 1
    kv_slots = (budget - state_slots * state_slot_bytes) // kv_slot_bytes
    if kv_slots < 64:
        least = 64 * kv_slot_bytes + state_slot_bytes
        raise CacheError(
            f"A cache budget of {budget >> 20} MiB holds {max(kv_slots, 0)} tokens of this model: "
            f"give at least {(least >> 20) + 1} MiB (--cache-mb)."
        )
    return PlaneSizes(kv_slots, state_slots)
