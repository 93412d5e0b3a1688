"""Times that mean the same on any machine, busy or slow: what a test may bound.

Other programs take the wall's time, not the processor's. A slow processor, or one whose other half
is busy, takes longer for everything, and so for a piece of work that is measured beside.
"""

from __future__ import annotations

import time
from collections.abc import Callable

# What the piece of work takes on the machine that the tests' bounds were measured on.
_UNIT_S = 0.0076


class Stopwatch:
    """Processor time of all threads since it was made."""

    def __init__(self) -> None:
        self._slow = _slowness()
        self._began = time.process_time()

    def spent_s(self) -> float:
        """Seconds that it would have been on the machine that the bounds were measured on."""
        spent = time.process_time() - self._began
        return spent / max(self._slow, _slowness())


def times_s(act: Callable[[], object], times: int) -> list[float]:
    """The seconds that an act takes each time, as `spent_s` gives them, shortest first."""
    spent = []
    for _ in range(times):
        watch = Stopwatch()
        act()
        spent.append(watch.spent_s())
    return sorted(spent)


def _slowness() -> float:
    """How many times as long as on that machine things take now; 1 if they take less."""
    began = time.process_time()
    # Dictionaries, numbers and calls, as most of what is timed.
    seen: dict[int, int] = {}
    for number in range(30_000):
        key = number * 7919 % 4099
        seen[key] = max(seen.get(key, 0), number)
    return max(1.0, (time.process_time() - began) / _UNIT_S)
