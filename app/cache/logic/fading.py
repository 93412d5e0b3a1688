"""Evictions that stay visible for a while: where each is drawn, as what, and how strongly.

Nothing is guessed: each record of a snapshot has one mark. Without Qt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from app.cache.logic.layout import Layout
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.tr import tr
from app.ui import motion
from engine.snapshot import Evicted

# Seconds at full strength, then seconds of fading.
HOLD_S = 1.5
FADE_S = 4.0

# Lost: no tier has it. Moved: a tier below has it. Kept: a tier above, or the same one, has it.
Fate = Literal["lost", "moved", "kept"]
# What the loss means: it cost something, the state was wrong, the user asked, or it was useless.
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
# Each continues "… left the device".
CAUSE_WORDS = {
    "kv pressure": tr("to make room for keys and values"),
    "state pressure": tr("to make room for another state"),
    "one-shot request": tr("to make room, as the first: only requests without history had used it"),
    "tombstone chain": tr("because it was a tombstone that nothing came after any more"),
    "uncovered tail": tr("because no checkpoint was stored after it"),
    "superseded": tr("because a better one replaced it"),
    "session dropped": tr("because its session was dropped"),
    "dropped by user": tr("because you cleared it"),
    "conversation deleted": tr("because its conversation was deleted"),
    "quarantined above": tr("because it was computed from a state that was found to be wrong"),
    "drifted above": tr("because it was computed from a state that is less exact than claimed"),
    "quarantined": tr("because an audit found its state to be wrong"),
    "disk budget": tr("to make room on disk"),
    "file damaged": tr("because its file was damaged"),
    "file deleted": tr("because its file was deleted"),
    "replaced by another process": tr("because another process replaced its file"),
    "what it goes on from is gone": tr("because the file that it continues is gone"),
    "could not be written": tr("because its file could not be written"),
}
_LEFT = {
    "device": tr("left the device"),
    "host": tr("left host memory"),
    "disk": tr("left the disk"),
}
_PLACE = {"device": tr("on the device"), "host": tr("in host memory"), "disk": tr("on disk")}
_MOST_IN_TOOLTIP = 3


@dataclass(frozen=True, slots=True)
class Mark:
    """One eviction as it is drawn.

    Attributes:
        lane, left, right: place of its bar, in the layout's units: the part of its span that is no
        longer in the tree, or all of it if a node still covers it. A state is drawn at `right`.
        span, state: the fates of its keys and values and of its state; None: they stayed.
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
    return "moved" if gone.moved else "kept"


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
        """Whether it has a bar that no node covers."""
        return self.evicted.node_now is None and self.evicted.plane != "state"

    def place(self, layout: Layout, row: int) -> None:
        """Place it at its tokens in a row that has or had them, or after a row's end."""
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
        """The right end of the last one."""
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
        """Lane, left and right of the bars that no node covers, to be kept free of nodes."""
        return [
            (fading.lane, fading.left, fading.right)
            for fading in self._fading
            if fading.lane is not None and fading.alone
        ]

    def settle(self, layout: Layout) -> None:
        """Assign each a lane: that of the node that covers it, else its own, else a free one."""
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


def what_went(gone: Evicted) -> str:
    """ "Tokens 0 to 400 and their state"."""
    if gone.plane == "state":
        return tr("The state at token {end}").format(end=fmt.count(gone.end))
    text = (
        tr("Tokens {start} to {end} and their state")
        if gone.plane == "both"
        else tr("Keys and values of tokens {start} to {end}")
    )
    return text.format(start=fmt.count(gone.start), end=fmt.count(gone.end))


def what_is_left(gone: Evicted) -> str:
    """Whether a copy of it is left, without a full stop."""
    if gone.cause == "superseded":
        return tr("nothing was lost")
    fate = fate_of(gone)
    if state_alone_lost(gone):
        return tr("the state is lost, but its keys and values are still in the tree")
    if fate == "lost":
        return tr("no copy is left")
    if fate == "moved":
        return tr("a copy is {place}").format(place=_PLACE[gone.copy])
    return tr("it is still {place}").format(place=_PLACE[gone.copy])


def state_alone_lost(gone: Evicted) -> bool:
    """Whether another node still has the keys and values that were evicted with the state."""
    return gone.plane == "both" and not gone.copy and gone.node_now is not None


def eviction_sentence(gone: Evicted) -> str:
    """One line of the event log."""
    return tr("{what} {left} {why}; {rest}.").format(
        what=what_went(gone), left=_LEFT[gone.tier], why=why(gone), rest=what_is_left(gone)
    )


def why(gone: Evicted) -> str:
    """Its cause in words; an unknown cause is shown as in the journal."""
    return CAUSE_WORDS.get(gone.cause, f"({said(gone.cause)})")


def eviction_tooltip(marks: Sequence[Mark], now: float) -> str:
    """Tooltip of the marks under the mouse, newest first; `now` on the cache's clock."""
    parts = [_part(mark.evicted, now) for mark in marks[:_MOST_IN_TOOLTIP]]
    more = len(marks) - len(parts)
    if more:
        parts.append(
            tr("and {evictions} here").format(evictions=fmt.plural(more, "earlier eviction"))
        )
    return "\n\n".join(parts)


def _part(gone: Evicted, now: float) -> str:
    age = max(0.0, now - gone.time)
    when = fmt.age(age) if age >= 1 else tr("just now")
    freed = fmt.byte_size(gone.kv_bytes + gone.state_bytes)
    what = what_went(gone)
    return "\n".join(
        (
            f"{what[0].lower()}{what[1:]} {_LEFT[gone.tier]} {when}",
            why(gone),
            tr("{freed} freed, {gone}").format(freed=freed, gone=what_is_left(gone)),
        )
    )
