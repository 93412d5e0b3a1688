"""Evictions that stay visible for a while: where each is drawn, as what, and how strongly.

Nothing is guessed: each record of a snapshot has one mark. Without Qt.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from app import motion
from app.cache.layout import Layout
from app.cache.table import TIERS
from engine.snapshot import Evicted

# Seconds at full strength, then seconds of fading.
HOLD_S = 1.5
FADE_S = 4.0

# Lost: no tier has it. Moved: a tier below has it. Kept: a tier above, or the same one, has it.
Fate = Literal["lost", "moved", "kept"]
# What the loss means: it cost something, it was wrong, the user asked for it, or it was useless.
Weight = Literal["pressed", "wrong", "asked", "useless"]
WEIGHTS: dict[str, Weight] = {
    "kv pressure": "pressed",
    "state pressure": "pressed",
    "one-shot request": "pressed",
    "disk budget": "pressed",
    "could not be written": "pressed",
    "quarantined above": "wrong",
    "drifted above": "wrong",
    "quarantined": "wrong",
    "file damaged": "wrong",
    "file deleted": "wrong",
    "session dropped": "asked",
    "dropped by user": "asked",
    "conversation deleted": "asked",
    "tombstone chain": "useless",
    "uncovered tail": "useless",
    "superseded": "useless",
    "replaced by another process": "useless",
    "what it goes on from is gone": "useless",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """One eviction as it is drawn.

    Attributes:
        lane, left, right: place of its bar, in the layout's units: the part of its span that is no
        longer in the tree, or all of it where a node still covers it. A state is drawn at `right`.
        span, state: what became of its keys and values and of its state; None: they stayed.
        strength: 1 when reported, 0 when forgotten.
    """

    evicted: Evicted
    lane: int
    left: float
    right: float
    span: Fate | None
    state: Fate | None
    weight: Weight
    strength: float


def fate_of(gone: Evicted) -> Fate:
    if not gone.copy:
        return "lost"
    return "moved" if TIERS.index(gone.copy) > TIERS.index(gone.tier) else "kept"


@dataclass(slots=True)
class _Fading:
    evicted: Evicted
    since: float
    lane: int | None
    left: float = 0.0
    right: float = 0.0

    @property
    def start(self) -> int:
        """Where its bar starts."""
        gone = self.evicted
        return gone.start if gone.node_now is not None else max(gone.start, gone.cached_to)

    @property
    def alone(self) -> bool:
        """It has a bar that no node covers."""
        return self.evicted.node_now is None and self.evicted.plane != "state"

    def place(self, layout: Layout, row: int) -> None:
        """Take the place of its tokens in a row that has or had them, or after a row's end."""
        self.left = layout.scale.x(row, self.start)
        self.right = layout.scale.x(row, self.evicted.end)

    def mark(self, lane: int, now: float) -> Mark:
        gone = self.evicted
        fate = fate_of(gone)
        # Its state is gone, but its keys and values are in the tree.
        span = "kept" if gone.node_now is not None and fate == "lost" else fate
        return Mark(
            evicted=gone,
            lane=lane,
            left=self.left,
            right=self.right,
            span=None if gone.plane == "state" else span,
            state=None if gone.plane == "kv" else fate,
            weight=WEIGHTS.get(gone.cause, "pressed"),
            strength=_strength(now - self.since),
        )


class FadingBook:
    """The evictions that are on screen, oldest first."""

    def __init__(self) -> None:
        self._fading: list[_Fading] = []

    def __len__(self) -> int:
        return len(self._fading)

    @property
    def extent(self) -> float:
        """The right end of all of them."""
        return max((fading.right for fading in self._fading), default=0.0)

    @property
    def lanes(self) -> int:
        return 1 + max((fading.lane or 0 for fading in self._fading), default=-1)

    def forget(self) -> None:
        self._fading.clear()

    def add(self, fresh: Iterable[Evicted], before: Layout | None, now: float) -> None:
        """Add the evictions just reported; `before` is the layout in which some were drawn."""
        self.prune(now)
        for gone in fresh:
            row = (
                None
                if before is None or gone.node_before is None
                else before.row_of(gone.node_before)
            )
            lane = None if before is None or row is None else int(before.lane[row])
            fading = _Fading(gone, now, lane)
            if before is not None and row is not None:
                fading.place(before, row)
            self._fading.append(fading)

    def held(self) -> list[tuple[int, float, float]]:
        """Lane, left and right of the bars that no node covers: nothing may be drawn over them."""
        return [
            (fading.lane, fading.left, fading.right)
            for fading in self._fading
            if fading.lane is not None and fading.alone
        ]

    def settle(self, layout: Layout) -> None:
        """Give each a lane: that of the node that covers it, else its own, else a free one."""
        if not self._fading:
            return
        rows = {number: row for row, number in enumerate(layout.table.ids.tolist())}
        for fading in self._fading:
            gone = fading.evicted
            row = None if gone.node_now is None else rows.get(gone.node_now)
            if row is not None:
                fading.lane = int(layout.lane[row])
                fading.place(layout, row)
            elif fading.lane is None:
                above = rows.get(gone.above, 0)
                fading.place(layout, above)
                fading.lane = self._free_lane(layout, int(layout.lane[above]), fading)
            elif fading.alone and not layout.free(fading.lane, fading.left, fading.right):
                fading.lane = self._free_lane(layout, fading.lane, fading)

    def marks(self, now: float) -> tuple[Mark, ...]:
        """What to draw, oldest first, after `settle`."""
        return tuple(f.mark(f.lane, now) for f in self._fading if f.lane is not None)

    def prune(self, now: float) -> bool:
        """Forget what has faded; True while something is still fading."""
        shown = HOLD_S if motion.reduced() else HOLD_S + FADE_S
        self._fading = [f for f in self._fading if now - f.since < shown]
        return bool(self._fading)

    def _free_lane(self, layout: Layout, near: int, wanted: _Fading) -> int:
        """The next lane in which the bar overlaps neither a node nor another bar."""
        left, right = wanted.left, wanted.right
        taken = {f.lane for f in self._fading if f.left < right and f.right > left}
        lane = near
        while lane in taken or not layout.free(lane, left, right):
            lane += 1
        return lane


def marks_at(marks: Iterable[Mark], x: float, lane: int, reach: float) -> tuple[Mark, ...]:
    """The marks at an x of a lane, the newest first; states within `reach`."""
    found = [
        mark
        for mark in marks
        if mark.lane == lane
        and (
            (mark.span and mark.left <= x < mark.right)
            or (mark.state and abs(mark.right - x) <= reach)
        )
    ]
    return tuple(found[::-1])


def _strength(age: float) -> float:
    if motion.reduced():
        return float(age < HOLD_S)
    return min(1.0, max(0.0, 1.0 - (age - HOLD_S) / FADE_S))
