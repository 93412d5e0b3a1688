"""The kinds of cache events that the timeline marks, and the row each stands in. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.words.engine_words import said
from app.words.joining import titled
from app.words.tr import tr

Tone = Literal["plain", "good", "lost", "moved", "asked", "wrong", "quiet"]

PRESSURES = (
    *("kv pressure", "state pressure", "one-shot request", "disk budget"),
    *("tombstone chain", "uncovered tail"),
)
WRONG = (
    "quarantined above",
    "drifted above",
    "quarantined",
    "file damaged",
    "file deleted",
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
    Kind("inserted", tr("Inserted"), 0, "plain", "+", tr("Inserted")),
    Kind("split", tr("Split"), 1, "quiet", "Y", tr("Split")),
    Kind("stored", tr("Checkpoint stored"), 2, "good", "◆", tr("Stored")),
    Kind("skipped", tr("Checkpoint skipped"), 3, "lost", "∅", tr("Skipped")),
    Kind("state_evicted", tr("State evicted, tombstone left"), 4, "lost", "◇", tr("State")),
    Kind("kv_evicted", tr("KV evicted"), 5, "lost", "×", "KV"),
    Kind("both_evicted", tr("KV and state evicted"), 6, "lost", "×", tr("KV + state")),
    Kind("replaced", tr("State replaced"), 7, "quiet", "◇", tr("Replaced")),
    Kind("copied", tr("Copied"), 8, "moved", "→", tr("Copied")),
    Kind("not_copied", tr("Not copied"), 9, "lost", "↛", tr("Not copied")),
    Kind("file_removed", tr("File removed"), 10, "lost", "▭", tr("File")),
    Kind("verdict", tr("Verified"), 11, "quiet", "✓", tr("Audit")),
    Kind("pinned", tr("Pinned"), 12, "plain", "★", tr("Pinned")),
    Kind("unpinned", tr("Unpinned"), 13, "quiet", "☆", tr("Unpinned")),
    Kind("by_hand", tr("By hand"), 14, "plain", "☞", tr("By hand")),
    Kind("tuned", tr("Settings changed"), 15, "quiet", "≡", tr("Settings")),
    Kind("resized", tr("Planes resized"), 16, "quiet", "↔", tr("Resized")),
    Kind("cleared", tr("Cleared"), 17, "asked", "∎", tr("Cleared")),
    Kind("notice", tr("Notice"), 18, "wrong", "!", tr("Notice")),
    Kind("missing", tr("Entries missing"), 19, "wrong", "?", tr("Missing")),
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
    """ "KV evicted: kv pressure", and where it was if that is not the device."""
    return f"{_caused(KINDS[kind].name, cause)}{_where(tier)}"


def short_name(kind: int, cause: str, tier: str, copy: str) -> str:
    """The same in fewer letters: "State · host → disk: state pressure"."""
    went = f" → {said(copy)}" if copy else ""
    return _caused(f"{KINDS[kind].short}{_where(tier)}{went}", cause)


def _caused(name: str, cause: str) -> str:
    return titled(name, said(cause)) if cause else name


def _where(tier: str) -> str:
    return "" if tier == "device" or not tier else f" · {said(tier)}"
