"""The scene of the timeline: its stacks, the part on screen, and hit testing. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from app.core.words.tr import tr
from app.debugger.logic.source import forgotten_sentence, forgotten_title
from app.debugger.timeline.logic.cards import (
    Card,
    clock_text,
    counter_card,
    events_card,
    levels_card,
    request_card,
)
from app.debugger.timeline.logic.columns import Series
from app.debugger.timeline.logic.growing import Ints
from app.debugger.timeline.logic.pixels import counts
from app.debugger.timeline.logic.tracks import (
    CHATS,
    EARLIER,
    GAP_PX,
    GUTTER_PX,
    RULER_PX,
    TITLE_PX,
    Track,
)
from app.debugger.timeline.logic.viewport import (
    Alignment,
    Clock,
    Stack,
    View,
    by_request,
    compressed,
    steady,
)

Spot = Literal["ruler", "gutter", "request", "events", "levels", "speed", "counter", "empty"]
_REACH_PX = 3.0
_NO_EVENTS = np.empty(0, np.int64)
# Marks no further apart than this are merged.
NEAR_PX = 3
# "max" plays the whole tape in about this long.
_FASTEST_S = 4.0
SPEEDS = {"1×": 1.0, "4×": 4.0, "16×": 16.0, "max": 0.0}


def next_entry(series: Series, moment: int, by: int) -> int:
    """The moment one entry later or earlier."""
    return min(max(moment + by, series.first), series.entries)


def next_request(series: Series, moment: int, by: int) -> int:
    """The moment at which the next request has ended, or the one before."""
    found = _nearest(series.requests.index + 1, moment, by)
    if found is None:
        return series.entries if by > 0 else series.first
    return max(found, series.first)


def next_eviction(series: Series, moment: int, by: int) -> int | None:
    """The moment right after the next eviction, or the one before; None if there is none."""
    events = series.events
    rows = [number for number, row in enumerate(events.rows) if row.evicts]
    if not rows:
        return None
    found = [_nearest(events.index[events.of_row[row]] + 1, moment, by) for row in rows]
    known = [moment for moment in found if moment is not None and moment > series.first]
    if not known:
        return None
    return min(known) if by > 0 else max(known)


def played(stack: Stack, time: float, seconds: float, speed: float) -> float:
    """The time to show `seconds` later; pauses last as long as they are drawn.

    Args:
        speed: of SPEEDS; 0 is the fastest.
    """
    place = float(stack.clock.place(time))
    low, high = stack.extent
    rate = speed or max(SPEEDS["16×"], (high - low) / _FASTEST_S)
    return float(stack.clock.time(place + seconds * rate))


def _nearest(moments: Ints, moment: int, by: int) -> int | None:
    at = int(np.searchsorted(moments, moment, side="right" if by > 0 else "left"))
    at = at if by > 0 else at - 1
    return int(moments[at]) if 0 <= at < len(moments) else None


def _row_name(stack: Stack, track: Track, row: int) -> str:
    """The name of a row of the events, or of the conversations."""
    if track.key != CHATS:
        return stack.series.events.rows[row].name
    return chat_name(stack, row)


def _row_card(stack: Stack, track: Track, row: int) -> Card:
    known = () if track.key == CHATS else stack.series.events.rows[row].meanings
    return Card(_row_name(stack, track, row), known)


def chat_name(stack: Stack, session: int) -> str:
    """The name of a row of the track of conversations."""
    return tr("Earlier conversations") if session == EARLIER else stack.title(session)


def _in_chat(stack: Stack, track: Track, row: int | None, request: int | None) -> int | None:
    """A request if it is drawn in that row."""
    if row is None or request is None:
        return None
    session = int(stack.series.requests.session[request])
    return request if row == (session if session in track.rows else EARLIER) else None


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Neighbouring marks: pixels [left, right), and their number."""

    left: Ints
    right: Ints
    count: Ints

    def __len__(self) -> int:
        return len(self.left)

    def at(self, x: float, reach: float = 3.0) -> int | None:
        """The nearest cluster within reach of a pixel."""
        if not len(self.left):
            return None
        off = np.maximum(np.maximum(self.left - x, x - self.right), 0)
        nearest = int(np.argmin(off))
        return nearest if off[nearest] <= reach else None


def clusters(counts: Ints) -> Clusters:
    """Clusters of `[pixels]` counts."""
    at = np.flatnonzero(counts)
    if not len(at):
        return Clusters(at, at, at)
    first = np.concatenate(([True], np.diff(at) > NEAR_PX))
    starts = np.flatnonzero(first)
    ends = np.append(starts[1:], len(at)) - 1
    return Clusters(at[starts], at[ends] + 1, np.add.reduceat(counts[at], starts))


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """The result of a hit test.

    Attributes:
        place: on the axis.
        stack, track: number of the stack and its track, None outside all tracks.
        request: its number.
        events: numbers of the events there.
        row: of the event track, in the gutter.
    """

    spot: Spot
    place: float
    stack: int = 0
    track: Track | None = None
    request: int | None = None
    events: Ints = field(default_factory=lambda: _NO_EVENTS)
    row: int | None = None


class Scene:
    """One timeline.

    Attributes:
        stacks: one, or two to compare.
        view: the part on screen.
        folded: keys of the tracks that are folded.
        short_pauses: long pauses are shortened.
        alignment: by what two stacks are aligned.
        interval, markers: places of the axis; see Marked.
        whole: everything is on screen and stays fitted while it grows.
    """

    def __init__(self) -> None:
        self.stacks: list[Stack] = []
        self.view = View(0.0, 1.0, 1)
        # One look deeper: the requests are coloured by conversation already.
        self.folded: set[str] = {CHATS}
        self.short_pauses = True
        self.alignment: Alignment = "start"
        self.interval: tuple[float, float] | None = None
        self.markers: tuple[float | None, float | None] = (None, None)
        self.whole = True
        # Seconds since 1970 at which each stack's clock reads 0, None if unknown.
        self.origins: tuple[float | None, ...] = ()

    @property
    def extent(self) -> tuple[float, float]:
        """The first and the last place of all stacks."""
        spans = [stack.extent for stack in self.stacks]
        if not spans:
            return 0.0, 1.0
        return min(a for a, _ in spans), max(b for _, b in spans)

    @property
    def forgotten(self) -> int:
        """The number of forgotten entries of the first tape."""
        return self.stacks[0].series.first if self.stacks else 0

    @property
    def height(self) -> int:
        """Pixels of all tracks."""
        return max((s.tracks[-1].bottom for s in self.stacks if s.tracks), default=0) + GAP_PX

    def show(self, stacks: Sequence[Stack], origins: Sequence[float | None] = ()) -> None:
        """Show other stacks, or grown ones."""
        shifted = self.extent if self.stacks else None
        marks = self._times()
        self.stacks, self.origins = list(stacks), tuple(origins)
        self.align(marks)
        self.arrange()
        if self.whole or shifted is None:
            self.fit()

    def align(self, marks: list[float | None] | None = None) -> None:
        """Assign a clock to every stack; marks keep their times on the first one."""
        kept = self._times() if marks is None else marks
        for number, stack in enumerate(self.stacks):
            stack.clock = self._clock(stack, number)
        self._put(kept)

    def arrange(self) -> None:
        """Stack the tracks vertically."""
        top = GAP_PX
        for stack in self.stacks:
            top = stack.place(self.folded, top + (TITLE_PX if stack.name else 0)) + GAP_PX

    def resize(self, width: int) -> None:
        """Set the body's width in pixels."""
        width = max(1, width)
        if width != self.view.width:
            self.view = View(self.view.left, self.view.span, width)
            if self.whole:
                self.fit()

    # ---- the part on screen

    def fit(self) -> None:
        self.view = View.fitted(self.extent, self.view.width)
        self.whole = True

    def zoom(self, factor: float, x: float) -> None:
        """Zoom in by a factor around a pixel of the body."""
        self.view = self.view.zoomed(factor, x, self.extent)
        low, high = self.extent
        self.whole = self.view.left <= low and self.view.right >= high

    def pan(self, dx: float) -> None:
        self.view = self.view.moved(dx, self.extent)
        self.whole = False

    def reveal(self, time: float) -> None:
        """Scroll to a time of the first stack."""
        if self.stacks:
            place = float(self.stacks[0].clock.place(time))
            self.view = self.view.showing(place, self.extent)

    def toggle(self, key: str) -> None:
        """Fold or unfold a track."""
        self.folded ^= {key}
        self.arrange()

    def mark(self, which: int, place: float | None) -> None:
        """Set or clear marker A (0) or B (1)."""
        a, b = self.markers
        self.markers = (place, b) if which == 0 else (a, place)

    # ---- hit testing

    def hit(self, x: float, y: float, scroll: int) -> Hit:
        """Hit test at a pixel of the widget."""
        place = self.view.place(x - GUTTER_PX)
        if y < RULER_PX:
            return Hit("ruler", place)
        level = y - RULER_PX + scroll
        for number, stack in enumerate(self.stacks):
            for track in stack.tracks:
                if track.top - 2 <= level < track.bottom + 3:
                    return self._in_track(x, level, place, number, track)
        return Hit("gutter" if x < GUTTER_PX else "empty", place)

    def card(self, hit: Hit) -> Card | None:
        """The card of a hit."""
        if hit.spot == "ruler" and self.forgotten and hit.place <= self.stacks[0].extent[0]:
            return Card(forgotten_title(self.forgotten), (forgotten_sentence(self.forgotten),))
        if hit.track is None or hit.spot in ("ruler", "empty"):
            return None
        stack = self.stacks[hit.stack]
        if hit.spot == "gutter":
            return None if hit.row is None else _row_card(stack, hit.track, hit.row)
        if hit.request is not None:
            return request_card(stack, hit.request)
        if len(hit.events):
            return events_card(stack, hit.events)
        time = float(stack.clock.time(hit.place))
        counter = stack.counter(hit.track.key)
        if counter is not None:
            return counter_card(counter, time, time - stack.series.start)
        if hit.spot == "levels":
            return levels_card(stack.series.levels[hit.track.key], hit.track.key, time)
        return Card(clock_text(time - stack.series.start), ())

    def _in_track(self, x: float, level: float, place: float, number: int, track: Track) -> Hit:
        if x < GUTTER_PX:
            return Hit("gutter", place, number, track, row=track.row_at(level))
        stack = self.stacks[number]
        if track.key == "events":
            events = self._events_at(stack, track, x - GUTTER_PX, level)
            return Hit("events", place, number, track, events=events)
        if track.key in stack.series.levels:
            return Hit("levels", place, number, track)
        if stack.counter(track.key) is not None:
            return Hit("counter", place, number, track)
        lane = int((level - track.top) / track.height * stack.series.requests.lanes)
        request = self._request_at(stack, x - GUTTER_PX, lane if track.key == "requests" else None)
        if track.key == CHATS and track.rows:
            request = _in_chat(stack, track, track.row_at(level), request)
        return Hit("speed" if track.key == "speed" else "request", place, number, track, request)

    def _request_at(self, stack: Stack, x: float, lane: int | None) -> int | None:
        """The request of a lane, or of any, under a pixel, or the nearest one within reach."""
        requests = stack.series.requests
        rows = np.arange(len(requests))
        if requests.lanes > 1:
            rows = rows[requests.lane == lane] if lane is not None else rows
        if not len(rows):
            return None
        time = float(stack.clock.time(self.view.place(x)))
        after = min(int(np.searchsorted(requests.ended[rows], time)), len(rows) - 1)
        near = rows[[max(after - 1, 0), after, min(after + 1, len(rows) - 1)]]
        lefts, rights = (
            stack.clock.place(requests.began[near]),
            stack.clock.place(requests.ended[near]),
        )
        off = [
            max(self.view.x(float(left)) - x, x - self.view.x(float(right)), 0.0)
            for left, right in zip(lefts, rights, strict=True)
        ]
        best = int(np.argmin(off))
        return int(near[best]) if off[best] <= _REACH_PX else None

    def _events_at(self, stack: Stack, track: Track, x: float, level: float) -> Ints:
        events, edges = stack.series.events, stack.edges(self.view)
        row = track.row_at(level)
        rows = range(len(events.rows)) if track.folded else [] if row is None else [row]
        found = [self._in_row(stack, number, edges, x) for number in rows]
        return np.sort(np.concatenate(found)) if found else _NO_EVENTS

    def _in_row(self, stack: Stack, row: int, edges: np.ndarray, x: float) -> Ints:
        events = stack.series.events
        groups = clusters(counts(events, row, edges))
        at = groups.at(x, _REACH_PX)
        if at is None:
            return _NO_EVENTS
        mine = events.of_row[row]
        times = events.times_of[row]
        low, high = edges[groups.left[at]], edges[groups.right[at]]
        return mine[np.searchsorted(times, low) : np.searchsorted(times, high)]

    # ---- inside

    def _clock(self, stack: Stack, number: int) -> Clock:
        if len(self.stacks) > 1 and self.alignment == "request":
            return by_request(stack.series)
        if len(self.stacks) > 1 and self.alignment == "wall":
            known = [origin for origin in self.origins if origin is not None]
            mine = self.origins[number]
            return steady(stack.series).moved(
                0.0 if mine is None else mine + stack.series.start - min(known)
            )
        return compressed(stack.series) if self.short_pauses else steady(stack.series)

    def _times(self) -> list[float | None]:
        """The times of interval and markers, on the first stack."""
        if not self.stacks:
            return [None] * 4
        start, end = self.interval or (None, None)
        clock = self.stacks[0].clock
        return [None if p is None else float(clock.time(p)) for p in (start, end, *self.markers)]

    def _put(self, times: list[float | None]) -> None:
        if not self.stacks:
            return
        clock = self.stacks[0].clock
        start, end, a, b = (None if t is None else float(clock.place(t)) for t in times)
        self.interval = None if start is None or end is None else (start, end)
        self.markers = (a, b)
