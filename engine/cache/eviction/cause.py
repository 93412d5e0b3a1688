"""Why something was evicted."""

from __future__ import annotations

from enum import StrEnum


class Cause(StrEnum):
    """Why something was evicted; each evicted node or checkpoint counts once under its cause."""

    KV_PRESSURE = "kv pressure"
    STATE_PRESSURE = "state pressure"
    ONE_SHOT = "one-shot request"
    TOMBSTONE_CHAIN = "tombstone chain"
    UNCOVERED_TAIL = "uncovered tail"
    SUPERSEDED = "superseded"
    SESSION_DROPPED = "session dropped"
    DROPPED_BY_USER = "dropped by user"
    DELETED = "conversation deleted"
    QUARANTINED_ABOVE = "quarantined above"
    DRIFTED_ABOVE = "drifted above"


# A plane was full; what only one-shot requests used is evicted first, whichever plane it was.
PRESSURE = (Cause.KV_PRESSURE, Cause.STATE_PRESSURE, Cause.ONE_SHOT)
