"""The cache's clocks: wall time for display, order and age in matches for the policies."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Stamp(NamedTuple):
    """One moment. `serial` orders every operation, `match` counts matches, `time` is seconds."""

    serial: int
    match: int
    time: float


class Recency:
    """Issues stamps; owns the two counters.

    Age is counted in matches, not seconds: an idle night must not make everything cold.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._serial = 0
        self._match = 0

    def stamp(self) -> Stamp:
        """A stamp for a new operation. Increments the order counter."""
        self._serial += 1
        return Stamp(self._serial, self._match, self._clock())

    def stamp_match(self) -> Stamp:
        """A stamp for a new match."""
        self._match += 1
        return self.stamp()

    def time(self) -> float:
        return self._clock()

    @property
    def matches(self) -> int:
        """Matches so far."""
        return self._match

    def age(self, stamp: Stamp) -> int:
        """Matches since `stamp`."""
        return self._match - stamp.match
