"""Where a time stands on the axis: as it passed, with long pauses shortened, or by request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from app.debug.timeline.columns import Series
from app.debug.timeline.growing import Floats

Alignment = Literal["start", "request", "wall"]

# A longer pause is drawn this long.
PAUSE_S = 0.25
# Of the width of a request, where the axis counts requests.
_REQUEST_SHARE = 0.85


@dataclass(frozen=True, slots=True, eq=False)
class Clock:
    """A map from seconds to places on the axis, straight between its knots; outside 1 to 1.

    Attributes:
        times, places: `[knots]`, both rising.
        pauses: `[n, 2]` seconds, the pauses that are drawn shorter than they were.
        numbered: places are numbers of requests, from 0.
    """

    times: Floats
    places: Floats
    pauses: Floats
    numbered: bool = False

    def place(self, times: Any) -> Floats:
        """Of times, on the axis."""
        return _through(np.asarray(times, np.float64), self.times, self.places)

    def time(self, places: Any) -> Floats:
        """Of places on the axis, in seconds."""
        return _through(np.asarray(places, np.float64), self.places, self.times)

    def moved(self, by: float) -> Clock:
        """The same with all places moved."""
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
    # Where there are counters alone, nothing is known to be a pause.
    pauses = pauses_of(series, pause_s) if series.entries else np.empty((0, 2))
    if not len(pauses):
        return steady(series)
    times = np.concatenate(([series.start], pauses.ravel(), [series.end]))
    lengths = np.diff(times)
    lengths[1::2] = pause_s
    # Two knots at one place could not be told apart on the way back.
    places = np.concatenate(([0.0], np.cumsum(np.maximum(lengths, 1e-9))))
    return Clock(np.maximum.accumulate(times), places, pauses)


def by_request(series: Series) -> Clock:
    """Request k from k to k + 0.85, whatever it took; what came between them in the rest."""
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
    """`[n, 2]` seconds: from when to when nothing ran and nothing happened for longer."""
    requests, events = series.requests, series.events
    ends = np.array([series.start, series.end])
    parts = [events.time, requests.began, requests.ended, ends]
    running = series.running
    if running is not None:
        parts.append(np.array([running.began]))
    # Each part is sorted, and so is most of the whole.
    points = np.sort(np.concatenate(parts), kind="stable")
    points = points[np.searchsorted(points, series.start) :]
    gaps = np.flatnonzero(np.diff(points) > longest_s)
    starts, ends = points[gaps], points[gaps + 1]
    idle = np.ones(len(gaps), np.bool_)
    if len(requests):
        last = np.searchsorted(requests.began, starts, side="right") - 1
        idle = (last < 0) | (requests.ended[np.maximum(last, 0)] < ends)
    if running is not None:
        idle &= starts < running.began
    return np.column_stack((starts[idle], ends[idle]))
