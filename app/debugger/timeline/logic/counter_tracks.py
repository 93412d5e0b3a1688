"""The counters of a remote engine as tracks of the timeline. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.cache.logic.counter_lines import round_top
from app.core.session.counters import GAP_S, Counters
from app.core.words.counter_words import TITLES
from app.debugger.timeline.logic.columns import Series
from app.debugger.timeline.logic.growing import Floats
from engine.net.counters.known import Track, Unit

# Prefix of the keys of counter tracks.
PREFIX = "counter "


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """One counter over time.

    Attributes:
        key: of its track on the timeline.
        plane: the plane of the cache that it measures; "" for neither.
        time: `[polls]` seconds on the tape's clock.
        value: `[polls]`, NaN without a value.
        top: the value at the upper edge.
    """

    key: str
    title: str
    unit: Unit
    plane: str
    time: Floats
    value: Floats
    top: float

    def at(self, times: Floats) -> Floats:
        """The values at some times: NaN without a value, infinite where it was not polled."""
        rows = np.searchsorted(self.time, times, side="right") - 1
        found = self.value[np.maximum(rows, 0)]
        old = (rows < 0) | (times - self.time[np.maximum(rows, 0)] > GAP_S)
        return np.asarray(np.where(old, np.inf, found))


def counted(counters: Counters) -> tuple[Counted, ...]:
    """All counters that the engine reported, in their usual order."""
    return tuple(_counted(counters, track) for track in counters.tracks)


def with_counters(series: Series, tracks: Sequence[Counted]) -> Series:
    """The series, extended to the first and the last poll."""
    if not tracks:
        return series
    first = min(float(one.time[0]) for one in tracks)
    last = max(float(one.time[-1]) for one in tracks)
    if not series.entries:
        return replace(series, start=first, end=last)
    # Polls before the left end of a truncated tape are not shown.
    start = series.start if series.first else min(series.start, first)
    return replace(series, start=start, end=max(series.end, last))


def _counted(counters: Counters, track: Track) -> Counted:
    points = list(counters.points[track.key])
    time = np.array([point.time for point in points], np.float64)
    value = np.array([np.nan if p.value is None else p.value for p in points], np.float64)
    most = float(np.nan_to_num(value).max(initial=0.0))
    top = 1.0 if track.unit == "parts" else round_top(most)
    title = TITLES[track.key]
    return Counted(PREFIX + track.key, title, track.unit, track.plane, time, value, top)
