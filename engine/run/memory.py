"""Splits one budget in bytes into the slots of both planes."""

from __future__ import annotations

import psutil

from engine.cache.budget.balance import PlaneSizes, split_budget
from engine.config import EngineConfig
from engine.errors import CacheError

MAX_BYTES = 4 << 30
CONTEXTS_WORTH = 16
MIN_KV_SLOTS = 64


def default_budget(kv_slot_bytes: int, context: int) -> int:
    """A quarter of the free memory, at most 4 GiB, and no more than a small model can use."""
    free = int(psutil.virtual_memory().available)
    return min(free // 4, MAX_BYTES, CONTEXTS_WORTH * context * kv_slot_bytes)


def size_planes(
    config: EngineConfig, *, kv_slot_bytes: int, state_slot_bytes: int, context: int
) -> PlaneSizes:
    """Split the budget by `config.state_share`.

    Raises:
        CacheError: the budget is too small for a useful number of tokens; the message says how much
            is needed. Or the model has no full-attention layer, so tokens have no KV to cache.
    """
    if not kv_slot_bytes:
        raise CacheError(
            "This model has no full-attention layer, so the cache has no KV plane to keep: choose "
            "a hybrid model."
        )
    budget = config.cache_bytes or default_budget(kv_slot_bytes, context)
    sizes = split_budget(
        budget,
        config.state_share,
        kv_slot_bytes=kv_slot_bytes,
        state_slot_bytes=state_slot_bytes,
    )
    if sizes.kv_slots < MIN_KV_SLOTS:
        minimum = MIN_KV_SLOTS * kv_slot_bytes + state_slot_bytes
        raise CacheError(
            "A cache budget of {budget} MiB holds {kv_slots} tokens of this "
            "model: give at least {minimum} MiB (--cache-mb).",
            budget=budget >> 20,
            kv_slots=max(sizes.kv_slots, 0),
            minimum=(minimum >> 20) + 1,
        )
    return sizes


def size_host(
    config: EngineConfig, *, kv_slot_bytes: int, state_slot_bytes: int
) -> PlaneSizes | None:
    """The slots of the host tier, None if it is off.

    Raises:
        CacheError: the budget is too small for a single checkpoint; the message says how much is
            needed.
    """
    if not config.host_bytes or not config.state_share:
        return None
    sizes = split_budget(
        config.host_bytes,
        config.state_share,
        kv_slot_bytes=kv_slot_bytes,
        state_slot_bytes=state_slot_bytes,
    )
    if not sizes.state_slots or sizes.kv_slots < MIN_KV_SLOTS:
        minimum = MIN_KV_SLOTS * kv_slot_bytes + 2 * state_slot_bytes
        raise CacheError(
            "A host budget of {host_bytes} MiB holds no checkpoint of this model: "
            "give at least {minimum} MiB (--host-mb), or 0 for none.",
            host_bytes=config.host_bytes >> 20,
            minimum=(minimum >> 20) + 1,
        )
    return sizes
