"""What the timeline draws: bytes of each plane and tokens per second over time. Without Qt."""

from __future__ import annotations

import numpy as np

from app.cache.table import Floats
from engine.snapshot import CacheSnapshot

LENGTH = 1200
SPAN_S = 120.0
_SPACING_S = 0.1


class History:
    """A ring of the last readings, each (time, KV bytes, state bytes, tokens per second)."""

    def __init__(self) -> None:
        self._rows = np.zeros((LENGTH, 4))
        self._count = 0

    def __len__(self) -> int:
        return min(self._count, LENGTH)

    def clear(self) -> None:
        self._count = 0

    def add(self, snapshot: CacheSnapshot, rate: float | None) -> None:
        """Add a reading from a snapshot; one right after another replaces it."""
        time = snapshot.time
        if self._count:
            last = self._rows[(self._count - 1) % LENGTH, 0]
            if time - last < _SPACING_S:
                time = last
                self._count -= 1
        kv, state = snapshot.kv, snapshot.state
        self._rows[self._count % LENGTH] = (
            time,
            (kv.cached + kv.live) * kv.slot_bytes,
            (state.cached + state.live) * state.slot_bytes,
            rate or 0.0,
        )
        self._count += 1

    def columns(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Seconds before the last reading (<= 0), KV bytes, state bytes, tokens per second."""
        at = self._count % LENGTH
        rows = (
            self._rows[: self._count]
            if self._count <= LENGTH
            else np.concatenate([self._rows[at:], self._rows[:at]])
        )
        if not len(rows):
            empty = np.zeros(0)
            return empty, empty, empty, empty
        rows = rows[rows[:, 0] >= rows[-1, 0] - SPAN_S]
        return rows[:, 0] - rows[-1, 0], rows[:, 1], rows[:, 2], rows[:, 3]
