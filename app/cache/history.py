"""What the timeline draws: bytes of each plane and tokens per second over time. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cache.table import Floats
from engine.snapshot import CacheSnapshot

LENGTH = 1200
SPAN_S = 120.0
_SPACING_S = 0.1
_TIME, _KV, _RATE, _UNSEEN = 0, 1, 3, 5


@dataclass(frozen=True, slots=True)
class Readings:
    """Readings of the last two minutes, and the one before them, whose value still held.

    Attributes:
        time: seconds before now (<= 0), ascending.
        kv, state: bytes, in force until the next reading.
        rate: tokens per second up to the reading.
        running: 1 where a request was running, else 0.
        unseen: 1 where nobody watched the cache since the reading before, else 0.
        watched: somebody is watching now; if not, nothing is known after the last reading.
    """

    time: Floats
    kv: Floats
    state: Floats
    rate: Floats
    running: Floats
    unseen: Floats
    watched: bool = True

    def __len__(self) -> int:
        return len(self.time)


class History:
    """A ring of the last readings."""

    def __init__(self) -> None:
        self._rows = np.zeros((LENGTH, 6))
        self._count = 0
        self._watched = True

    def __len__(self) -> int:
        return min(self._count, LENGTH)

    def clear(self) -> None:
        self._count = 0
        self._watched = True

    def look_away(self) -> None:
        """Nobody watches the cache until the next reading: what it held meanwhile is not known."""
        self._watched = False

    def add(self, snapshot: CacheSnapshot, rate: float | None) -> None:
        """Add a reading from a snapshot; one right after another replaces it."""
        time, speed, unseen = snapshot.time, rate or 0.0, not self._watched
        if self._count and not unseen:
            last = self._rows[(self._count - 1) % LENGTH]
            if time - last[_TIME] < _SPACING_S:
                time, unseen = last[_TIME], last[_UNSEEN]
                # The mean of a request that has ended is told only once.
                speed = speed or last[_RATE]
                self._count -= 1
        kv, state = snapshot.kv, snapshot.state
        self._rows[self._count % LENGTH] = (
            time,
            (kv.cached + kv.live) * kv.slot_bytes,
            (state.cached + state.live) * state.slot_bytes,
            speed,
            snapshot.live is not None,
            unseen,
        )
        self._count += 1
        self._watched = True

    def readings(self, now: float) -> Readings:
        """The readings as seen at `now`, in seconds on the snapshots' clock."""
        at = self._count % LENGTH
        rows = (
            self._rows[: self._count]
            if self._count <= LENGTH
            else np.concatenate([self._rows[at:], self._rows[:at]])
        )
        first = int(np.searchsorted(rows[:, _TIME], now - SPAN_S, side="right"))
        rows = rows[max(0, first - 1) :]
        time = np.minimum(rows[:, _TIME] - now, 0.0)
        kv, state, rate, running, unseen = rows[:, _KV:].T
        return Readings(time, kv, state, rate, running, unseen, self._watched)
