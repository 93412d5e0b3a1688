"""The counters of an engine elsewhere over the last minutes. Without Qt."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.net.counters.known import TRACKS, Track
from engine.net.counters.reading import CountersRead

SPAN_S = 120.0
# Looks of twice that time, two seconds apart, with room for quicker ones.
_MOST = 600
# Without a look for so long, what lies between two of them is not known.
GAP_S = 6.0


@dataclass(frozen=True, slots=True)
class Point:
    """A value at a time, in seconds on the engine's clock; None: nothing to say then."""

    time: float
    value: float | None


@dataclass(slots=True)
class Counters:
    """What was read so far.

    Attributes:
        points: by key of the track.
        sentence: why there are none now, "" if there are.
        last: time of the last look, 0 before the first.
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
        """The same as it is now, for another thread."""
        points = {key: kept.copy() for key, kept in self.points.items()}
        return Counters(points, self.sentence, self.last)

    def clear(self) -> None:
        """Another engine: its counters have nothing to do with these."""
        self.points.clear()
        self.sentence = ""
        self.last = 0.0

    @property
    def tracks(self) -> Sequence[Track]:
        """Those of which the engine had something to say, in their usual order."""
        return [track for track in TRACKS if any(p.value is not None for p in self._of(track))]

    def _of(self, track: Track) -> Sequence[Point]:
        return self.points.get(track.key, ())

    def now(self, key: str) -> float | None:
        """The last value."""
        return self.points[key][-1].value
