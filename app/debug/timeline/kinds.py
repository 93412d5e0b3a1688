"""The kinds of cache events that the timeline marks, and the row each stands in. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["plain", "good", "lost", "moved", "asked", "wrong", "quiet"]

PRESSURES = ("kv pressure", "state pressure", "disk budget", "tombstone chain", "uncovered tail")
WRONG = (
    "quarantined above",
    "drifted above",
    "quarantined",
    "file damaged",
    "could not be written",
)
ASKED = ("session dropped", "dropped by user", "conversation deleted")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of event.

    Attributes:
        key: stable name.
        name: of its rows, and in sentences of one event.
        order: of its rows from the top.
        tone: which token colours it, unless its cause decides.
        sign: so that nothing is told by colour alone.
        short: beside its rows, where there is little room.
    """

    key: str
    name: str
    order: int
    tone: Tone
    sign: str
    short: str


KINDS = (
    Kind("inserted", "Inserted", 0, "plain", "+", "Inserted"),
    Kind("split", "Split", 1, "quiet", "Y", "Split"),
    Kind("stored", "Checkpoint stored", 2, "good", "◆", "Stored"),
    Kind("skipped", "Checkpoint skipped", 3, "lost", "∅", "Skipped"),
    Kind("state_evicted", "State evicted, tombstone left", 4, "lost", "◇", "State"),
    Kind("kv_evicted", "KV evicted", 5, "lost", "×", "KV"),
    Kind("both_evicted", "KV and state evicted", 6, "lost", "×", "KV + state"),
    Kind("replaced", "State replaced", 7, "quiet", "◇", "Replaced"),
    Kind("copied", "Copied", 8, "moved", "→", "Copied"),
    Kind("not_copied", "Not copied", 9, "lost", "↛", "Not copied"),
    Kind("file_removed", "File removed", 10, "lost", "▭", "File"),
    Kind("verdict", "Verified", 11, "quiet", "✓", "Audit"),
    Kind("pinned", "Pinned", 12, "plain", "★", "Pinned"),
    Kind("unpinned", "Unpinned", 13, "quiet", "☆", "Unpinned"),
    Kind("by_hand", "By hand", 14, "plain", "☞", "By hand"),
    Kind("tuned", "Settings changed", 15, "quiet", "≡", "Settings"),
    Kind("resized", "Planes resized", 16, "quiet", "↔", "Resized"),
    Kind("cleared", "Cleared", 17, "asked", "∎", "Cleared"),
    Kind("notice", "Notice", 18, "wrong", "!", "Notice"),
    Kind("missing", "Entries missing", 19, "wrong", "?", "Missing"),
)
# What happens to a checkpoint, rather than to a node's keys and values.
_OF_STATES = (
    *("stored", "skipped", "state_evicted", "both_evicted", "replaced", "copied", "not_copied"),
    *("file_removed", "verdict", "pinned", "unpinned"),
)
KIND_OF = {kind.key: number for number, kind in enumerate(KINDS)}
OF_STATES = frozenset(KIND_OF[key] for key in _OF_STATES)
EVICTIONS = tuple(
    KIND_OF[key] for key in ("state_evicted", "kv_evicted", "both_evicted", "file_removed")
)


def tone_of(kind: int, cause: str) -> Tone:
    """What colours an event: what is lost stands out, what somebody asked for does not."""
    if cause in ("superseded", "there already", "replaced by another process"):
        return "quiet"
    if cause in WRONG or cause in ("drifted", "quarantined"):
        return "wrong"
    if cause in ASKED:
        return "asked"
    return KINDS[kind].tone


def row_name(kind: int, cause: str, tier: str) -> str:
    """ "KV evicted, kv pressure", and where it was if that is not the device."""
    where = _where(tier)
    return f"{KINDS[kind].name}{f': {cause}' if cause else ''}{where}"


def short_name(kind: int, cause: str, tier: str, copy: str) -> str:
    """The same in fewer letters: "State · host → disk: state pressure"."""
    went = f" → {copy}" if copy else ""
    return f"{KINDS[kind].short}{_where(tier)}{went}{f': {cause}' if cause else ''}"


def _where(tier: str) -> str:
    return "" if tier == "device" or not tier else f" · {tier}"
