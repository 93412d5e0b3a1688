"""Vectorized sums over ancestors and subtrees of a tree given as a parent column. Without Qt.

Each round doubles the distance that a row has summed over, up or down, so a tree of depth d takes
log2 d rounds. Integers below 2**53 and dyadic fractions stay exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from app.cache.logic.arrays import Flags, Ints, Xs
from app.cache.logic.columns import order_by


def above(parent: Ints, own: Ints | Xs) -> Xs:
    """For each row, the sum over itself and its ancestors; `parent` is -1 at a root."""
    size = len(parent)
    total = np.append(own.astype(np.float64), 0.0)
    at = np.append(np.where(parent < 0, size, parent), size)
    looking = np.flatnonzero(at < size)
    while len(looking):
        # All rows read their ancestors' sums from before this round.
        total[looking] += total[at[looking]]
        at[looking] = at[at[looking]]
        looking = looking[at[looking] < size]
    return total[:size]


def below(parent: Ints, own: Ints) -> Ints:
    """For each row, the sum over its subtree, itself included."""
    size = len(parent)
    total = np.append(own.astype(np.float64), 0.0)
    at = np.append(np.where(parent < 0, size, parent), size)
    looking = np.flatnonzero(at < size)
    while len(looking):
        total += np.bincount(at[looking], weights=total[looking], minlength=size + 1)
        at[looking] = at[at[looking]]
        looking = looking[at[looking] < size]
    return total[:size].astype(np.int64)


def under(parent: Ints, flags: Flags) -> Flags:
    """The rows that have a flagged proper ancestor."""
    made: Flags = above(parent, flags.astype(np.int64)) - flags > 0
    return made


def nearest(parent: Ints, flags: Flags) -> Ints:
    """For each row, itself or its closest ancestor that is flagged; -1 if there is none."""
    size = len(parent)
    at = np.append(np.where(parent < 0, size, parent), size)
    at[:size][flags] = np.flatnonzero(flags)
    looking = np.flatnonzero(~flags)
    while len(looking):
        further = at[at[looking]]
        moved = further != at[looking]
        at[looking] = further
        looking = looking[moved]
    return np.where(at[:size] == size, -1, at[:size])


@dataclass(frozen=True, slots=True, eq=False)
class Children(Sequence[tuple[int, ...]]):
    """The children of each row, in order.

    Attributes:
        first: index into `rows` of each row's first child; one more entry than rows.
        rows: by parent.
    """

    first: Ints
    rows: Ints

    @classmethod
    def of(cls, parent: Ints) -> Children:
        """The children of each row, lower numbers first."""
        held = np.flatnonzero(parent >= 0)
        over = parent[held]
        first = np.concatenate([[0], np.cumsum(np.bincount(over, minlength=len(parent)))])
        return cls(first.astype(np.int64), held[order_by(over)])

    @property
    def counts(self) -> Ints:
        """The number of children of each row."""
        return np.diff(self.first)

    @property
    def only(self) -> Ints:
        """The child of each row that has exactly one; -1 for the others."""
        made = np.full(len(self), -1, dtype=np.int64)
        alone = np.flatnonzero(self.counts == 1)
        made[alone] = self.rows[self.first[alone]]
        return made

    def __len__(self) -> int:
        return len(self.first) - 1

    @overload
    def __getitem__(self, row: int) -> tuple[int, ...]: ...

    @overload
    def __getitem__(self, row: slice) -> tuple[tuple[int, ...], ...]: ...

    def __getitem__(self, row: int | slice) -> tuple[int, ...] | tuple[tuple[int, ...], ...]:
        if isinstance(row, slice):
            return tuple(self[one] for one in range(len(self))[row])
        if not 0 <= row < len(self):
            raise IndexError(row)
        return tuple(self.rows[int(self.first[row]) : int(self.first[row + 1])].tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Preorder:
    """A preorder walk, in which subtree sums are differences of running sums.

    Only for integers, which stay exact when large sums cancel.

    Attributes:
        place: of each row in the walk.
        count: rows in each row's subtree, itself included; they follow it.
    """

    place: Ints
    count: Ints

    @classmethod
    def of(cls, parent: Ints, kids: Ints) -> Preorder:
        """`kids`: all rows but the root, row 0; siblings contiguous and in order."""
        count = below(parent, np.ones(len(parent), dtype=np.int64))
        passed = np.zeros(len(parent), dtype=np.int64)
        passed[kids] = before(parent[kids], count[kids]) + 1
        return cls(above(parent, passed).astype(np.int64), count)

    def below(self, own: Ints) -> Ints:
        """For each row, the sum over its subtree, itself included."""
        sums = np.zeros(len(own) + 1, dtype=np.int64)
        sums[self.place + 1] = own
        sums = np.cumsum(sums)
        made: Ints = sums[self.place + self.count] - sums[self.place]
        return made

    def above(self, own: Ints) -> Ints:
        """For each row, the sum over itself and its ancestors."""
        steps = np.zeros(len(own) + 1, dtype=np.int64)
        steps[self.place] = own
        np.subtract.at(steps, self.place + self.count, own)
        made: Ints = np.cumsum(steps)[self.place]
        return made


def before(group: Ints, values: Ints) -> Ints:
    """The sum of the values before each one in its group; groups are contiguous."""
    sums = np.cumsum(values) - values
    starts = np.flatnonzero(np.append(True, np.diff(group) != 0)) if len(group) else group
    lengths = np.diff(np.append(starts, len(group)))
    made: Ints = sums - np.repeat(sums[starts], lengths)
    return made
