"""How the cache tells time: wall clock for people, order and age in matches for the policies."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

# A branch that so many matches passed by is half as likely to be entered by the next.
HALF_LIFE_PASSES = 4
HEAT_HALF_LIFE_MATCHES = 32


class Stamp(NamedTuple):
    """One moment. `serial` orders every operation, `match` counts matches, `time` is seconds."""

    serial: int
    match: int
    time: float


def freshness(passed_by: int) -> float:
    """How likely a match at the parent goes on into a child that the last ones passed by.

    Hyperbolic, since times between uses of a chat are heavy-tailed.
    """
    return 1.0 / (1.0 + passed_by / HALF_LIFE_PASSES)


class Recency:
    """Gives out stamps; owns the two counters.

    Ages are counted in matches, not seconds: an idle night must not make everything cold.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._serial = 0
        self._match = 0

    def stamp(self) -> Stamp:
        """The stamp of one more operation. Mutates the order counter."""
        self._serial += 1
        return Stamp(self._serial, self._match, self._clock())

    def stamp_match(self) -> Stamp:
        """The stamp of one more match."""
        self._match += 1
        return self.stamp()

    def time(self) -> float:
        return self._clock()

    def age(self, stamp: Stamp) -> int:
        """Matches since `stamp`."""
        return self._match - stamp.match

    def cooled(self, heat: float, stamp: Stamp) -> float:
        """A decayed hit count: `heat` as of `stamp`, seen from now."""
        return heat * float(0.5 ** (self.age(stamp) / HEAT_HALF_LIFE_MATCHES))
