"""Cache events as columns, each in a row of its kind, cause and tier. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from app.debug.timeline.growing import Floats, Growing, Ints
from app.debug.timeline.kinds import EVICTIONS, KIND_OF, KINDS, Tone, row_name, short_name, tone_of
from engine.cache.journal import changes as ch

_TAKEN = ("taken in", "there already")


class EventRow(NamedTuple):
    """One row of the event track: events alike in kind, cause, tier, and the tier with a copy."""

    kind: int
    cause: str
    tier: str
    copy: str

    @property
    def name(self) -> str:
        text = row_name(self.kind, self.cause, self.tier)
        return f"{text} → {self.copy}" if self.copy else text

    @property
    def short(self) -> str:
        text = short_name(self.kind, self.cause, self.tier)
        return f"{text} → {self.copy}" if self.copy else text

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
        rows: what the numbers in `row` stand for.
        time: `[n]` seconds.
        index: `[n]` of the entry.
        row: `[n]` index into `rows`.
        of_row: for each row, which events are in it, in order.
        node: `[n]` id on its tier, -1 where there is none.
        freed: `[n, 2]` bytes of KV and of states that an eviction freed.
    """

    rows: tuple[EventRow, ...]
    time: Floats
    index: Ints
    row: Ints
    of_row: tuple[Ints, ...]
    node: Ints
    freed: Ints

    def __len__(self) -> int:
        return len(self.time)

    def between(self, start: float, end: float) -> slice:
        """The events in [start, end]."""
        first = int(np.searchsorted(self.time, start, side="left"))
        return slice(first, int(np.searchsorted(self.time, end, side="right")))


class EventColumns:
    """Takes events one by one."""

    def __init__(self) -> None:
        self._rows: dict[EventRow, int] = {}
        self._of_row: list[Growing] = []
        self._count = 0
        self._fresh: list[tuple[int, ...]] = []
        self._times: list[tuple[float]] = []
        self._ints = Growing(5, np.int64)
        self._clock = Growing(1, np.float64)

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
            self._of_row.append(Growing(1, np.int64))
        self._times.append((time,))
        self._fresh.append((index, number, node, *freed))

    def events(self) -> Events:
        """All events so far."""
        self._sort()
        self._ints.extend(self._fresh)
        self._clock.extend(self._times)
        self._fresh, self._times = [], []
        ints = self._ints.rows
        return Events(
            rows=tuple(self._rows),
            time=self._clock.rows[:, 0],
            index=ints[:, 0],
            row=ints[:, 1],
            of_row=tuple(numbers.rows[:, 0] for numbers in self._of_row),
            node=ints[:, 2],
            freed=ints[:, 3:5],
        )

    def _sort(self) -> None:
        """Add the fresh events to their rows."""
        mine: dict[int, list[tuple[int]]] = {}
        for number, (_, row, *_rest) in enumerate(self._fresh, self._count):
            mine.setdefault(row, []).append((number,))
        self._count += len(self._fresh)
        for row, numbers in mine.items():
            self._of_row[row].extend(numbers)


def event_row(tier: str, what: Any) -> EventRow | None:
    """The row of an entry; None if the timeline marks no such entry."""
    match what:
        case ch.NodeAdded():
            return EventRow(KIND_OF["inserted"], "", tier, "")
        case ch.NodeSplit():
            return EventRow(KIND_OF["split"], "", tier, "")
        case ch.CheckpointStored():
            return EventRow(KIND_OF["stored"], what.state.provenance, tier, "")
        case ch.CheckpointSkipped():
            return EventRow(KIND_OF["skipped"], "", tier, "")
        case ch.CheckpointDropped():
            key = "replaced" if what.cause == "superseded" else "state_evicted"
            return EventRow(KIND_OF[key], "" if key == "replaced" else what.cause, tier, what.copy)
        case ch.CheckpointCopied():
            key = "copied" if what.outcome in _TAKEN else "not_copied"
            cause = "" if what.outcome == "taken in" else what.outcome
            return EventRow(KIND_OF[key], cause, what.source, what.target)
        case ch.NodeRemoved():
            return EventRow(KIND_OF["kv_evicted"], what.cause, tier, what.copy)
        case ch.SegmentRemoved():
            return EventRow(KIND_OF["file_removed"], what.cause, "disk", "")
        case ch.Stamped():
            return EventRow(KIND_OF["verdict"], what.status, tier, "")
        case ch.PoolsResized():
            return EventRow(KIND_OF["resized"], "", tier, "")
        case ch.Cleared():
            return EventRow(KIND_OF["cleared"], "by user", "device", "")
        case ch.Forgot():
            return EventRow(KIND_OF["cleared"], "conversation deleted", "device", "")
        case ch.Noticed():
            return EventRow(KIND_OF["notice"], "", "device", "")
        case ch.EntriesLost():
            return EventRow(KIND_OF["missing"], "", "device", "")
    return None
