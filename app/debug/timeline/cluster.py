"""Marks that stand too close to be told apart, as one with a number. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.debug.timeline.growing import Ints

# Marks with no more than this between them are one.
NEAR_PX = 3


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Neighbouring marks: pixels [left, right), and how many they are."""

    left: Ints
    right: Ints
    count: Ints

    def __len__(self) -> int:
        return len(self.left)

    def at(self, x: float, reach: float = 3.0) -> int | None:
        """The cluster nearest to a pixel within reach."""
        if not len(self.left):
            return None
        off = np.maximum(np.maximum(self.left - x, x - self.right), 0)
        nearest = int(np.argmin(off))
        return nearest if off[nearest] <= reach else None


def clusters(counts: Ints) -> Clusters:
    """Of `[pixels]` counts."""
    at = np.flatnonzero(counts)
    if not len(at):
        return Clusters(at, at, at)
    first = np.concatenate(([True], np.diff(at) > NEAR_PX))
    starts = np.flatnonzero(first)
    ends = np.append(starts[1:], len(at)) - 1
    return Clusters(at[starts], at[ends] + 1, np.add.reduceat(counts[at], starts))
