"""The part of the time axis that is on screen, and its tick marks. Without Qt."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from app.core.words.tr import tr
from app.debugger.timeline.logic.columns import Series
from app.debugger.timeline.logic.counter_tracks import Counted
from app.debugger.timeline.logic.growing import Floats
from app.debugger.timeline.logic.tracks import Track, tracks_of

# Two entries may be a few microseconds apart.
LEAST_SPAN = 20e-6
_MARGIN = 0.02
_NUMBER_PX = 44
_MINUTE_S = 60.0
_STEPS = (1, 2, 5)
_LONG_STEPS_S = (60, 120, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400)
Alignment = Literal["start", "request", "wall"]

# A longer pause is drawn this long.
PAUSE_S = 0.25
# Of the width of a request, where the axis counts requests.
_REQUEST_SHARE = 0.85


@dataclass(frozen=True, slots=True, eq=False)
class Clock:
    """A piecewise linear map from seconds to places on the axis; slope 1 outside its knots.

    Attributes:
        times, places: `[knots]`, both ascending.
        pauses: `[n, 2]` seconds, the shortened pauses.
        numbered: places are request numbers, from 0.
    """

    times: Floats
    places: Floats
    pauses: Floats
    numbered: bool = False

    def place(self, times: Any) -> Floats:
        """Places of times."""
        return _through(np.asarray(times, np.float64), self.times, self.places)

    def time(self, places: Any) -> Floats:
        """Times of places, in seconds."""
        return _through(np.asarray(places, np.float64), self.places, self.times)

    def moved(self, by: float) -> Clock:
        """The same clock with all places shifted."""
        return Clock(self.times, self.places + by, self.pauses, self.numbered)


def _through(values: Floats, xs: Floats, ys: Floats) -> Floats:
    inside = np.interp(values, xs, ys)
    before, after = np.minimum(values - xs[0], 0.0), np.maximum(values - xs[-1], 0.0)
    return np.asarray(inside + before + after)


def steady(series: Series) -> Clock:
    """Seconds since the start of the series."""
    times = np.array([series.start, max(series.end, series.start + 1e-3)])
    return Clock(times, times - series.start, np.empty((0, 2)))


def compressed(series: Series, pause_s: float = PAUSE_S) -> Clock:
    """Like `steady`, with each longer pause drawn as `pause_s` seconds."""
    # With only counters, no pauses are known.
    pauses = pauses_of(series, pause_s) if series.entries else np.empty((0, 2))
    if not len(pauses):
        return steady(series)
    times = np.concatenate(([series.start], pauses.ravel(), [series.end]))
    lengths = np.diff(times)
    lengths[1::2] = pause_s
    # Places must be distinct for the map to be invertible.
    places = np.concatenate(([0.0], np.cumsum(np.maximum(lengths, 1e-9))))
    return Clock(np.maximum.accumulate(times), places, pauses)


def by_request(series: Series) -> Clock:
    """Request k takes k to k + 0.85, whatever its duration; the gap after it takes the rest."""
    requests = series.requests
    if not len(requests):
        return steady(series)
    ended = np.maximum(requests.ended, requests.began + 1e-9)
    times = np.column_stack((requests.began, ended)).ravel()
    numbers = np.arange(len(requests), dtype=np.float64)
    places = np.column_stack((numbers, numbers + _REQUEST_SHARE)).ravel()
    rising = np.concatenate(([True], np.diff(np.maximum.accumulate(times)) > 0))
    times, places = times[rising], places[rising]
    first, last = min(series.start, times[0]), max(series.end, times[-1])
    return Clock(
        np.concatenate(([first - 1e-9], times, [last + 1e-9])),
        np.concatenate(([-0.15], places, [len(requests) + 0.0])),
        np.empty((0, 2)),
        numbered=True,
    )


def pauses_of(series: Series, longest_s: float) -> Floats:
    """`[n, 2]` seconds: start and end of idle times longer than `longest_s`."""
    requests, events = series.requests, series.events
    ends = np.array([series.start, series.end])
    parts = [events.time, requests.began, requests.ended, ends]
    began = np.array([running.began for running in series.running])
    parts.append(np.sort(began))
    # A stable sort is fast here, since each part is sorted.
    points = np.sort(np.concatenate(parts), kind="stable")
    points = points[np.searchsorted(points, series.start) :]
    gaps = np.flatnonzero(np.diff(points) > longest_s)
    starts, ends = points[gaps], points[gaps + 1]
    idle = np.ones(len(gaps), np.bool_)
    if len(requests):
        # Of what ended no earlier, the earliest beginning.
        earliest = np.append(np.minimum.accumulate(requests.began[::-1])[::-1], np.inf)
        idle = earliest[np.searchsorted(requests.ended, ends)] > starts
    if len(began):
        idle &= starts < began.min()
    return np.column_stack((starts[idle], ends[idle]))


@dataclass(frozen=True, slots=True)
class View:
    """Places [left, left + span) of the axis, `width` pixels wide."""

    left: float
    span: float
    width: int

    @property
    def right(self) -> float:
        return self.left + self.span

    def x(self, place: float) -> float:
        return (place - self.left) / self.span * self.width

    def place(self, x: float) -> float:
        return self.left + x / self.width * self.span

    def edges(self) -> Floats:
        """`[width + 1]` places of the edges of all pixels."""
        return np.linspace(self.left, self.right, self.width + 1)

    def zoomed(self, factor: float, x: float, extent: tuple[float, float]) -> View:
        """Zoom in by a factor; the place under pixel `x` stays there, except at the limits."""
        most = (extent[1] - extent[0]) * (1 + 2 * _MARGIN)
        span = min(max(self.span / factor, LEAST_SPAN), max(most, LEAST_SPAN))
        left = self.place(x) - x / self.width * span
        return replace(self, left=left, span=span).kept(extent)

    def moved(self, dx: float, extent: tuple[float, float]) -> View:
        """Pan by pixels."""
        return replace(self, left=self.left - dx / self.width * self.span).kept(extent)

    def kept(self, extent: tuple[float, float]) -> View:
        """This view, moved so that part of the extent is on screen."""
        margin = _MARGIN * self.span
        low, high = extent[0] - margin, extent[1] + margin - self.span
        if high < low:
            return replace(self, left=(low + high) / 2)
        return replace(self, left=min(max(self.left, low), high))

    def showing(self, place: float, extent: tuple[float, float]) -> View:
        """This view if it shows the place; else the same span around it."""
        if self.left <= place <= self.right:
            return self
        return replace(self, left=place - self.span / 2).kept(extent)

    @staticmethod
    def fitted(extent: tuple[float, float], width: int) -> View:
        """The view of the whole extent."""
        span = max(extent[1] - extent[0], LEAST_SPAN)
        return View(extent[0] - _MARGIN * span, span * (1 + 2 * _MARGIN), max(1, width))


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the ruler."""

    x: float
    text: str


def ticks(view: View, clock: Clock, origin: float, spacing_px: float = 76) -> list[Tick]:
    """Round times since `origin`, at least that far apart; none within a shortened pause.

    If pauses leave no room for a round time, the end of a pause. All have one format, which the
    latest and the finest of them determine.
    """
    if clock.numbered:
        return _numbers(view, len(clock.times) // 2 - 1)
    places = _grid(view, spacing_px)
    times = clock.time(places) - origin
    # Across shortened pauses, the same width is more time.
    steps = [step_of(float(length)) for length in np.diff(times) * 0.9999]
    pauses = clock.pauses - origin
    latest = min(float(clock.time(view.right)), float(clock.times[-1])) - origin
    # The precision of times that are not round.
    resumed = 0.1 if latest < _MINUTE_S else 1.0
    made: list[tuple[float, float]] = []
    finest = math.inf
    for start, end, step in zip(times[:-1].tolist(), times[1:].tolist(), steps, strict=True):
        time = math.ceil(start / step - 1e-9) * step
        around = int(np.searchsorted(pauses[:, 1], time))
        idle = around < len(pauses) and pauses[around, 0] < time < pauses[around, 1]
        if idle or time >= end:
            ended = int(np.searchsorted(pauses[:, 1], start))
            # Nothing follows the last moment.
            if ended < len(pauses) and pauses[ended, 1] < min(end, clock.times[-1] - origin):
                time, step = float(pauses[ended, 1]), min(step, resumed)
            elif idle:
                continue
        x = view.x(float(clock.place(time + origin)))
        if 0 <= x <= view.width and (not made or x - made[-1][0] >= spacing_px * 0.8):
            made.append((x, time))
            finest = min(finest, step)
    return [Tick(x, tick_text(time, finest, latest)) for x, time in made]


def _numbers(view: View, count: int) -> list[Tick]:
    """Request numbers, from 1, at the start of each request."""
    step = max(1, round(step_of(_NUMBER_PX * view.span / view.width)))
    first = max(0, math.ceil(view.left / step) * step)
    last = min(count, math.ceil(view.right))
    return [Tick(view.x(number), f"#{number + 1:,}") for number in range(first, last, step)]


def _grid(view: View, spacing_px: float) -> Floats:
    """Places at that distance, independent of panning."""
    wide = step_of(spacing_px * view.span / view.width)
    first, last = math.floor(view.left / wide), math.ceil(view.right / wide)
    return np.linspace(first * wide, (last + 1) * wide, last + 2 - first)


def step_of(least: float) -> float:
    """The smallest round number of seconds that is at least `least`."""
    if least > 30:
        return float(next((s for s in _LONG_STEPS_S if s >= least), _LONG_STEPS_S[-1]))
    size = 10.0 ** math.floor(math.log10(max(least, 1e-9)))
    return next((size * n for n in _STEPS if size * n >= least * 0.999), size * 10)


def tick_text(time: float, step: float, latest: float) -> str:
    """ "12 s", "1:05", "1:05.2", "3.25 ms": with as many digits as the step needs.

    Args:
        latest: latest time on the axis, in seconds; from a minute on, all are in minutes.
    """
    if latest >= _MINUTE_S:
        digits = _digits(step)
        # Round first, or 59.96 s would be "0:60.0".
        minutes, rest = divmod(round(abs(time), digits), 60)
        hours, minutes = divmod(int(minutes), 60)
        sign = "-" if time < 0 else ""
        seconds = f"{rest:0{digits + 3 if digits else 2}.{digits}f}"
        return f"{sign}{hours}:{minutes:02}:{seconds}" if hours else f"{sign}{minutes}:{seconds}"
    if step >= 0.01:
        return f"{time:.{_digits(step)}f} s"
    return f"{time * 1e3:,.{_digits(step * 1e3)}f} ms"


def _digits(step: float) -> int:
    """The number of decimals that a step needs."""
    return max(0, -math.floor(math.log10(step) + 1e-9))


def untitled(session: int) -> str:
    """The name of a conversation of which only the number is known."""
    return tr("Conversation {session}").format(session=session + 1)


@dataclass(slots=True, eq=False)
class Stack:
    """The tracks of one tape.

    Attributes:
        name: shown above its tracks if there are two stacks, "" otherwise.
        title: the name of a conversation.
        counters: of a remote engine.
        tracks: from the top.
    """

    series: Series
    clock: Clock
    name: str = ""
    title: Callable[[int], str] = untitled
    counters: tuple[Counted, ...] = ()
    tracks: tuple[Track, ...] = field(default=())
    _edges: tuple[View, Clock, Floats] | None = field(default=None, repr=False)

    def place(self, folded: Collection[str], top: int) -> int:
        """Place the tracks from `top` on; returns their bottom."""
        self.tracks = tracks_of(self.series, folded, top, self.counters)
        return self.tracks[-1].bottom if self.tracks else top

    def edges(self, view: View) -> Floats:
        """`[width + 1]` seconds at the edges of all pixels."""
        known = self._edges
        if known is None or known[0] != view or known[1] is not self.clock:
            times = np.maximum.accumulate(self.clock.time(view.edges()))
            self._edges = known = (view, self.clock, times)
        return known[2]

    def track(self, key: str) -> Track | None:
        return next((track for track in self.tracks if track.key == key), None)

    def counter(self, key: str) -> Counted | None:
        """The counter of a track."""
        return next((one for one in self.counters if one.key == key), None)

    @property
    def extent(self) -> tuple[float, float]:
        """The first and the last place of its clock."""
        first, last = self.clock.place([self.series.start, self.series.end]).tolist()
        return first, last


def stack_of(series: Series, **known: object) -> Stack:
    """A stack with a steady clock."""
    return Stack(series, steady(series), **known)  # type: ignore[arg-type]
