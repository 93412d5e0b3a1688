"""Cache events as columns, with rows by kind, cause and tier. Without Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from app.core.words.engine_words import said
from app.core.words.glossary import explanation
from app.core.words.joining import titled
from app.core.words.tr import tr
from app.debugger.timeline.logic.growing import Floats, Growing, Ints
from engine.cache.journal import changes as ch

_TAKEN = ("taken in", "there already")
Tone = Literal["plain", "good", "lost", "moved", "asked", "wrong", "quiet"]

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
        tone: its colour token, unless its cause decides.
        sign: distinguishes it without colour.
        short: label of its rows if there is little room.
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
# Events of a checkpoint, rather than of a node's keys and values.
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
    """The colour of an event: losses stand out, requested evictions do not."""
    if cause in ("superseded", "there already", "replaced by another process"):
        return "quiet"
    if cause in WRONG or cause in ("drifted", "quarantined"):
        return "wrong"
    if cause in ASKED:
        return "asked"
    return KINDS[kind].tone


def row_name(kind: int, cause: str, tier: str) -> str:
    """ "KV evicted: kv pressure", with the tier if it is not the device."""
    return f"{_caused(KINDS[kind].name, cause)}{_where(tier)}"


def short_name(kind: int, cause: str, tier: str, copy: str) -> str:
    """The short form: "State · host → disk: state pressure"."""
    went = f" → {said(copy)}" if copy else ""
    return _caused(f"{KINDS[kind].short}{_where(tier)}{went}", cause)


def _caused(name: str, cause: str) -> str:
    return titled(name, said(cause)) if cause else name


def _where(tier: str) -> str:
    return "" if tier == "device" or not tier else f" · {said(tier)}"


class EventRow(NamedTuple):
    """One row of the event track: events with equal kind, cause, tier, and tier with a copy."""

    kind: int
    cause: str
    tier: str
    copy: str

    @property
    def name(self) -> str:
        text = row_name(self.kind, self.cause, self.tier)
        return f"{text} → {said(self.copy)}" if self.copy else text

    @property
    def short(self) -> str:
        """The short name; the tiers come before the cause, which may be elided."""
        return short_name(self.kind, self.cause, self.tier, self.copy)

    @property
    def meanings(self) -> tuple[str, ...]:
        """What the kind and the cause mean."""
        return tuple(filter(None, map(explanation, (KINDS[self.kind].name, self.cause))))

    @property
    def tone(self) -> Tone:
        tone = tone_of(self.kind, self.cause)
        return "moved" if self.copy and tone == "lost" else tone

    @property
    def sign(self) -> str:
        return KINDS[self.kind].sign

    @property
    def evicts(self) -> bool:
        return self.kind in EVICTIONS

    @property
    def order(self) -> tuple[int, str, str, str]:
        return KINDS[self.kind].order, self.tier, self.cause, self.copy


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """One line per event, in order.

    Attributes:
        rows: the values that `row` indexes.
        time: `[n]` seconds.
        index: `[n]` of the entry.
        row: `[n]` index into `rows`.
        of_row, times_of: for each row, its events in order, and their times.
        node: `[n]` id on its tier, -1 for none.
        freed: `[n, 2]` bytes of KV and of states that an eviction freed.
        split_from: maps each upper half of a split on the device to the original node.
    """

    rows: tuple[EventRow, ...]
    time: Floats
    index: Ints
    row: Ints
    of_row: tuple[Ints, ...]
    times_of: tuple[Floats, ...]
    node: Ints
    freed: Ints
    split_from: Mapping[int, int]

    def __len__(self) -> int:
        return len(self.time)

    def between(self, start: float, end: float) -> slice:
        """The events in [start, end]."""
        first = int(np.searchsorted(self.time, start, side="left"))
        return slice(first, int(np.searchsorted(self.time, end, side="right")))


class EventColumns:
    """Collects events one by one."""

    def __init__(self) -> None:
        self._rows: dict[EventRow, int] = {}
        self._of_row: list[Growing] = []
        self._times_of: list[Growing] = []
        self._count = 0
        self._split_from: dict[int, int] = {}
        self._ints = Growing(5, "q")
        self._times = Growing(1, "d")

    def add(
        self,
        index: int,
        time: float,
        row: EventRow,
        node: int = -1,
        freed: tuple[int, int] = (0, 0),
    ) -> None:
        number = self._rows.setdefault(row, len(self._rows))
        if number == len(self._of_row):
            self._of_row.append(Growing(1, "q"))
            self._times_of.append(Growing(1, "d"))
        self._times.add((time,))
        self._ints.add((index, number, node, *freed))
        self._of_row[number].add((self._count,))
        self._times_of[number].add((time,))
        self._count += 1

    def split(self, upper: int, node: int) -> None:
        """Record the split of a device node; `upper` is new."""
        self._split_from[upper] = node

    def events(self) -> Events:
        """All events so far."""
        ints = self._ints.rows
        return Events(
            rows=tuple(self._rows),
            time=self._times.rows[:, 0],
            index=ints[:, 0],
            row=ints[:, 1],
            of_row=tuple(numbers.rows[:, 0] for numbers in self._of_row),
            times_of=tuple(times.rows[:, 0] for times in self._times_of),
            node=ints[:, 2],
            freed=ints[:, 3:5],
            split_from=self._split_from,
        )


def event_row(tier: str, what: Any) -> EventRow | None:
    """The row of an entry; None if such entries are not on the timeline."""
    make = _ROWS.get(type(what))
    return None if make is None else make(tier, what)


def _dropped(tier: str, what: ch.CheckpointDropped) -> EventRow:
    replaced = what.cause == "superseded"
    kind = KIND_OF["replaced" if replaced else "state_evicted"]
    return EventRow(kind, "" if replaced else what.cause, tier, what.copy)


def _copied(_tier: str, what: ch.CheckpointCopied) -> EventRow:
    kind = KIND_OF["copied" if what.outcome in _TAKEN else "not_copied"]
    return EventRow(
        kind, "" if what.outcome == "taken in" else what.outcome, what.source, what.target
    )


def _alike(key: str, cause: str = "", of: str = "") -> Callable[[str, Any], EventRow]:
    """A factory of rows that differ only in their tier; `of`: always of that tier."""
    kind = KIND_OF[key]
    return lambda tier, _what: EventRow(kind, cause, of or tier, "")


_ROWS: dict[type, Callable[[str, Any], EventRow]] = {
    ch.NodeAdded: _alike("inserted"),
    ch.NodeSplit: _alike("split"),
    ch.NodeRemoved: lambda tier, w: EventRow(KIND_OF["kv_evicted"], w.cause, tier, w.copy),
    ch.CheckpointStored: lambda tier, w: EventRow(KIND_OF["stored"], w.state.provenance, tier, ""),
    ch.CheckpointSkipped: _alike("skipped"),
    ch.CheckpointDropped: _dropped,
    ch.CheckpointCopied: _copied,
    ch.SegmentRemoved: lambda _tier, w: EventRow(KIND_OF["file_removed"], w.cause, "disk", ""),
    ch.Stamped: lambda tier, w: EventRow(KIND_OF["verdict"], w.status, tier, ""),
    ch.PoolsResized: _alike("resized"),
    ch.Pinned: _alike("pinned"),
    ch.Unpinned: _alike("unpinned"),
    ch.ByUser: lambda tier, w: EventRow(KIND_OF["by_hand"], w.action, tier, ""),
    ch.Tuned: _alike("tuned", of="device"),
    ch.Cleared: _alike("cleared", "by user", "device"),
    ch.Forgot: _alike("cleared", "conversation deleted", "device"),
    ch.Noticed: _alike("notice", of="device"),
    ch.EntriesLost: _alike("missing", of="device"),
}
MARKED = frozenset(_ROWS)
