"""The caches at a moment as records: what a follower is told that cannot begin before it."""

from __future__ import annotations

from engine.cache.journal.changes import CacheFound
from engine.cache.journal.journal import Entry
from engine.trace.cache_state import CacheState
from engine.trace.tier_state import TierState


def opening(state: CacheState) -> list[Entry]:
    """One record for each tier of nodes, with the number and the time of the last entry."""
    return [
        Entry(state.seq, state.time, name, _found(state, tier))
        for name, tier in state.tiers.items()
        if tier.opened is not None
    ]


def _found(state: CacheState, tier: TierState) -> CacheFound:
    assert tier.opened is not None
    (kv_slots, state_slots), (live_kv, live_states) = tier.sizes, tier.live_slots
    own, weights, workspace = tier.beside
    tokens = tuple(span.tokens for span in tier.in_order())
    return CacheFound(
        tier.opened._replace(kv_slots=kv_slots, state_slots=state_slots),
        tier.nodes(),
        live_kv,
        live_states,
        tuple(sorted(tier.evicted.items())),
        tier.skipped,
        tokens if any(tokens) else (),
        own,
        weights,
        workspace,
        state.quarantined if tier is state.tiers.get("device") else 0,
    )
