"""The fields of a state in a trace file, and their bounds, since the file is untrusted."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Annotated, Any, get_args

from msgspec import Meta, Struct
from msgspec.structs import astuple

from engine.cache.journal import changes
from engine.config import StateFormat
from engine.stored_state import Provenance, StoredState, TierName, Why
from engine.verdict import Verdict, VerdictStatus

# Neither infinities nor NaN pass.
Whole = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Number = Annotated[float, Meta(gt=-(2.0**63), lt=2.0**63)]
Text = Annotated[str, Meta(max_length=1 << 20)]
Token = Annotated[int, Meta(ge=0, lt=2**31)]
# For files that record only that a state was exact, but not for which cuts.
SOME_CUTS = 0
BEYOND = 1e18


class VerdictSaid(Struct):
    """A verdict as written in a line."""

    status: VerdictStatus
    largest: Number
    kl: Number
    time: Number


class StateSaid(Struct, kw_only=True):
    """A state as written in a line; older files omit some fields or write null."""

    position: Whole
    provenance: Provenance
    chain: Whole | None = None
    exact: bool | None = None
    has_hidden: bool | None = False
    stored: StateFormat
    error: Number
    tier: TierName | None = None
    verdict: VerdictSaid | None = None
    why: Why | None = ""

    def state(self, tier: TierName | None = None) -> StoredState:
        """The state as a record; `tier` overrides the line's."""
        return _state(
            self.position,
            self.provenance,
            SOME_CUTS if self.exact and self.chain is None else self.chain,
            bool(self.has_hidden),
            self.stored,
            self.error,
            tier or self.tier or "device",
            self.verdict and Verdict(*astuple(self.verdict)),
            self.why or "",
        )


# Copies of a state on several tiers share one object.
_state = lru_cache(maxsize=4096)(StoredState)


def state_fields(state: StoredState) -> dict[str, Any]:
    """The fields of a state in a line; its verdict, if wanted, is separate."""
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
    """The fields of a verdict in a line; its time is in seconds after `origin`."""
    return {
        "status": verdict.status,
        "largest": finite(verdict.largest),
        "kl": finite(verdict.kl),
        "time": verdict.time - origin,
    }


def finite(figure: float) -> float:
    """Clamp: a file of the disk tier may claim an infinite number, which JSON lacks."""
    return figure if math.isfinite(figure) else BEYOND


def verdict_of(stamped: changes.Stamped, time: float) -> Verdict | None:
    """The record's verdict; None if its status is not a known one."""
    status = next((known for known in get_args(VerdictStatus) if known == stamped.status), None)
    return None if status is None else Verdict(status, stamped.largest, stamped.kl, time)
