"""Sums over the branches of a tree that is a column of parents: no loop over nodes. Without Qt.

Each round doubles how far a row has looked, up or down, so a tree of depth d takes log2 d rounds.
Whole numbers below 2**53 and halves of halves stay exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from app.cache.logic.arrays import Flags, Ints, Xs
from app.cache.logic.columns import order_by


def above(parent: Ints, own: Ints | Xs) -> Xs:
    """Of each row, the sum over itself and all rows above it; `parent` is -1 at a root."""
    size = len(parent)
    total = np.append(own.astype(np.float64), 0.0)
    at = np.append(np.where(parent < 0, size, parent), size)
    looking = np.flatnonzero(at < size)
    while len(looking):
        # All rows look at what the rows above them knew before this round.
        total[looking] += total[at[looking]]
        at[looking] = at[at[looking]]
        looking = looking[at[looking] < size]
    return total[:size]


def below(parent: Ints, own: Ints) -> Ints:
    """Of each row, the sum over itself and all rows below it."""
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
    """The rows that have a flagged one strictly above them."""
    made: Flags = above(parent, flags.astype(np.int64)) - flags > 0
    return made


def nearest(parent: Ints, flags: Flags) -> Ints:
    """Of each row, the flagged one closest above it, or itself; -1 if there is none."""
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
    """The rows below each row, in their order.

    Attributes:
        first: of each row, the index into `rows` of its first child; one more entry than rows.
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
        """How many each row has."""
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
    """A walk from the root down, children before the next sibling: then sums are running sums.

    Only for whole numbers, which stay exact where large sums cancel.

    Attributes:
        place: of each row in the walk.
        count: rows in each row's subtree, itself included; they follow it.
    """

    place: Ints
    count: Ints

    @classmethod
    def of(cls, parent: Ints, kids: Ints) -> Preorder:
        """`kids`: all rows but the root, which is row 0; siblings together and in their order."""
        count = below(parent, np.ones(len(parent), dtype=np.int64))
        passed = np.zeros(len(parent), dtype=np.int64)
        passed[kids] = before(parent[kids], count[kids]) + 1
        return cls(above(parent, passed).astype(np.int64), count)

    def below(self, own: Ints) -> Ints:
        """Of each row, the sum over itself and all rows below it."""
        sums = np.zeros(len(own) + 1, dtype=np.int64)
        sums[self.place + 1] = own
        sums = np.cumsum(sums)
        made: Ints = sums[self.place + self.count] - sums[self.place]
        return made

    def above(self, own: Ints) -> Ints:
        """Of each row, the sum over itself and all rows above it."""
        steps = np.zeros(len(own) + 1, dtype=np.int64)
        steps[self.place] = own
        np.subtract.at(steps, self.place + self.count, own)
        made: Ints = np.cumsum(steps)[self.place]
        return made


def before(group: Ints, values: Ints) -> Ints:
    """The sum of the values before each one in its group; groups stand together."""
    sums = np.cumsum(values) - values
    starts = np.flatnonzero(np.append(True, np.diff(group) != 0)) if len(group) else group
    lengths = np.diff(np.append(starts, len(group)))
    made: Ints = sums - np.repeat(sums[starts], lengths)
    return made
