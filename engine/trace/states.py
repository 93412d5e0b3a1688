"""A stored state in a line of a trace: its fields stand among those of the line."""

from __future__ import annotations

import math
from typing import Any, get_args

from engine.cache.journal import changes
from engine.config import StateFormat
from engine.stored_state import Provenance, StoredState, TierName, Why
from engine.trace.fields import Fields
from engine.verdict import Verdict, VerdictStatus

# In files that say only that a state was exact, and not for which cuts.
SOME_CUTS = 0
BEYOND = 1e18


def state_fields(state: StoredState) -> dict[str, Any]:
    """What a line says of a state; its verdict, where it is wanted, comes on its own."""
    return {
        "position": state.position,
        "provenance": state.provenance,
        "chain": state.cut_hash,
        "has_hidden": state.has_hidden,
        "stored": state.stored,
        "error": finite(state.error),
        "tier": state.tier,
        "why": state.why,
    }


def verdict_fields(verdict: Verdict, origin: float) -> dict[str, Any]:
    """What a line says of a verdict; its time is seconds after `origin`."""
    return {
        "status": verdict.status,
        "largest": finite(verdict.largest),
        "kl": finite(verdict.kl),
        "time": verdict.time - origin,
    }


def finite(figure: float) -> float:
    """A file of the disk tier may claim an infinite figure, which JSON does not have."""
    return figure if math.isfinite(figure) else BEYOND


def read_state(raw: Fields, tier: TierName = "device") -> StoredState:
    """Raises TraceError naming a field that is missing or wrong.

    Args:
        tier: of a line that does not say it.
    """
    known_cuts = raw.has("chain") or not (raw.has("exact") and raw.flag("exact"))
    return StoredState(
        position=raw.whole("position"),
        provenance=raw.one_of("provenance", get_args(Provenance)),
        cut_hash=(raw.whole("chain") if raw.has("chain") else None) if known_cuts else SOME_CUTS,
        has_hidden=raw.has("has_hidden") and raw.flag("has_hidden"),
        stored=raw.one_of("stored", get_args(StateFormat)),
        error=raw.number("error"),
        tier=raw.one_of("tier", get_args(TierName)) if raw.has("tier") else tier,
        verdict=_verdict(raw.inner("verdict")) if raw.has("verdict") else None,
        why=raw.one_of("why", get_args(Why)) if raw.has("why") else "",
    )


def _verdict(raw: Fields) -> Verdict:
    return Verdict(
        status=raw.one_of("status", get_args(VerdictStatus)),
        largest=raw.number("largest"),
        kl=raw.number("kl"),
        time=raw.number("time"),
    )


def verdict_of(stamped: changes.Stamped, time: float) -> Verdict | None:
    """The record's verdict; None if it is not a known one."""
    status = next((known for known in get_args(VerdictStatus) if known == stamped.status), None)
    return None if status is None else Verdict(status, stamped.largest, stamped.kl, time)
