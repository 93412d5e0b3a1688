"""The counters of an engine elsewhere over the last minutes. Without Qt."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.net.counters.known import TRACKS, Track
from engine.net.counters.reading import CountersRead

SPAN_S = 120.0
# Samples of twice that time at one every two seconds, with room for faster polling.
_MOST = 600
# After a longer gap between two polls, the values in between are unknown.
GAP_S = 6.0


@dataclass(frozen=True, slots=True)
class Point:
    """A value at a time, in seconds on the engine's clock; None: no value then."""

    time: float
    value: float | None


@dataclass(slots=True)
class Counters:
    """The samples read so far.

    Attributes:
        points: by key of the track.
        sentence: why there are no counters now; "" if there are.
        last: time of the last poll; 0 before the first.
    """

    points: dict[str, deque[Point]] = field(default_factory=dict)
    sentence: str = ""
    last: float = 0.0

    def take(self, event: CountersRead) -> None:
        self.sentence = event.sentence
        if event.sentence:
            return
        self.last = event.time
        for reading in event.readings:
            kept = self.points.setdefault(reading.key, deque(maxlen=_MOST))
            kept.append(Point(event.time, reading.value))

    def copy(self) -> Counters:
        """A snapshot for another thread."""
        points = {key: kept.copy() for key, kept in self.points.items()}
        return Counters(points, self.sentence, self.last)

    def clear(self) -> None:
        """Drop the samples: the engine is another one."""
        self.points.clear()
        self.sentence = ""
        self.last = 0.0

    @property
    def tracks(self) -> Sequence[Track]:
        """The tracks with any value, in their usual order."""
        return [track for track in TRACKS if any(p.value is not None for p in self._of(track))]

    def _of(self, track: Track) -> Sequence[Point]:
        return self.points.get(track.key, ())

    def now(self, key: str) -> float | None:
        """The last value."""
        return self.points[key][-1].value
