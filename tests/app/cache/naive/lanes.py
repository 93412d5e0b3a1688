"""Lanes, given with loops over all nodes: the reference for app.cache.logic.lanes.

The heaviest path keeps its parent's lane; every other fork takes the nearest lane that is free over
what it covers of the axis. A node keeps its lane from one snapshot to the next, so nothing jumps:
the upper half of a split node stays in the lane of the whole one, and the node that a running
request becomes keeps the request's lane.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable

import numpy as np

from app.cache.logic.arrays import Ints, Xs
from app.cache.logic.table import LIVE_ID
from tests.app.cache.naive.table import NaiveTable

# How many lanes around the parent's are searched for a gap between other nodes.
_NEAR = 48
# In a very large tree fewer are: it has thousands of lanes, and the search would take seconds.
_MANY_NODES, _NEAR_OF_MANY = 5_000, 6


class _Occupancy:
    """Which intervals of which lanes are taken."""

    def __init__(self, gap: float, near: int) -> None:
        self.gap, self.near = gap, near
        self._taken: list[list[tuple[float, float]]] = []
        self._right = np.zeros(16)

    def take(self, lane: int, start: float, end: float) -> None:
        while lane >= len(self._taken):
            self._taken.append([])
        if lane >= len(self._right):
            room = np.zeros(2 * lane + 2 - len(self._right))
            self._right = np.concatenate([self._right, room])
        insort(self._taken[lane], (start, end))
        self._right[lane] = max(self._right[lane], end)

    def free(self, lane: int, start: float, end: float, gap: float) -> bool:
        """Whether [start - gap, end + gap) is free; a node may touch its own parent (gap 0)."""
        if lane >= len(self._taken):
            return True
        row = self._taken[lane]
        at = bisect_left(row, (start, start))
        if at and row[at - 1][1] > start - gap:
            return False
        return at == len(row) or row[at][0] >= end + gap

    def nearest(self, lane: int, start: float, end: float) -> int:
        """The free lane closest to `lane`, the one below first; a new one at the bottom last."""
        count = len(self._taken)
        for distance in range(1, min(self.near, max(lane + 1, count - lane)) + 1):
            for candidate in (lane + distance, lane - distance):
                if 0 < candidate < count and self.free(candidate, start, end, self.gap):
                    return candidate
        open_ended = np.flatnonzero(self._right[1:count] + self.gap <= start) + 1
        if len(open_ended):
            return int(open_ended[np.argmin(np.abs(open_ended - lane))])
        return max(1, count)


class NaiveBook:
    """Remembers the lane of every node.

    Attributes:
        count: lanes in use after the last `assign`.
    """

    def __init__(self) -> None:
        self.count = 0
        self._lanes: dict[int, int] = {}
        self._live: tuple[int, float, int] | None = None

    def forget(self) -> None:
        """Forget every lane, so that the next `assign` starts afresh."""
        self._lanes.clear()
        self._live = None

    def follow(self, was: int, now: int) -> None:
        """Node ids changed: what was shown under the old id keeps its lane under the new one."""
        if was in self._lanes:
            self._lanes.setdefault(now, self._lanes[was])

    def assign(
        self,
        table: NaiveTable,
        left: Xs,
        right: Xs,
        held: Iterable[tuple[int, float, float]] = (),
        stubs: Collection[int] = (),
        asides: Collection[int] = (),
    ) -> Ints:
        """The lane of each row. Mutates the book: rows that no longer exist are forgotten.

        Args:
            left, right: of each row, on whichever axis.
            held: lane, left and right of everything else on screen that must not be drawn over;
                with none, no lane stays empty.
            stubs: leaves that hang in their parent's lane and take no room.
            asides: rows that get a lane after all others, and none of those; parents come first.
        """
        size, held = len(table), tuple(held)
        lanes = [self._lanes.get(number, -1) for number in table.ids.tolist()]
        parents, starts, ends = table.parent.tolist(), left.tolist(), right.tolist()
        apart = frozenset((*stubs, *asides))
        for row in stubs:
            lanes[row] = -1
        _inherit_from_children(lanes, table, apart)
        _drop_collisions(lanes, parents, starts, ends)
        extent = max(ends, default=0.0)
        occupancy = _Occupancy(
            gap=max(8.0, extent / 50), near=_NEAR if size < _MANY_NODES else _NEAR_OF_MANY
        )
        for row in range(size):
            if lanes[row] >= 0 and ends[row] > starts[row]:
                occupancy.take(lanes[row], starts[row], ends[row])
        for lane, start, end in held:
            if occupancy.free(lane, start, end, 0):
                occupancy.take(lane, start, end)
        ids = table.ids.tolist()
        for row in [*(row for row in range(size) if row not in apart), *asides]:
            if lanes[row] >= 0:
                continue
            chain = _heavy_chain(row, lanes, table, apart)
            start, end = starts[row], max(starts[row] + 1, ends[chain[-1]])
            if row in apart and parents[row] not in apart:
                lane = occupancy.nearest(lanes[parents[row]], start, end)
            else:
                lane = self._choose(row, ids, parents, lanes, start, end, occupancy)
            for link in chain:
                lanes[link] = lane
            occupancy.take(lane, start, end)
        for row in stubs:
            lanes[row] = lanes[parents[row]]
        if not held:
            used = sorted(set(lanes))
            lanes = [used.index(lane) for lane in lanes]
        self._remember(table, lanes, starts)
        self.count = max(lanes, default=-1) + 1
        return np.array(lanes, dtype=np.int64)

    def _choose(
        self,
        row: int,
        ids: list[int],
        parents: list[int],
        lanes: list[int],
        start: float,
        end: float,
        occupancy: _Occupancy,
    ) -> int:
        above = parents[row]
        if above < 0:
            return 0
        if self._live is not None:
            parent_id, live_start, live_lane = self._live
            same = (parent_id, live_start) == (ids[above], start)
            if same and occupancy.free(live_lane, start, end, 0):
                return live_lane
        if occupancy.free(lanes[above], start, end, 0):
            return lanes[above]
        return occupancy.nearest(lanes[above], start, end)

    def _remember(self, table: NaiveTable, lanes: list[int], starts: list[float]) -> None:
        ids = table.ids.tolist()
        self._lanes = {
            number: lane for number, lane in zip(ids, lanes, strict=True) if number != LIVE_ID
        }
        self._live = None
        if LIVE_ID in ids:
            row = ids.index(LIVE_ID)
            parent = ids[int(table.parent[row])]
            self._live = (parent, starts[row], lanes[row])


def _inherit_from_children(lanes: list[int], table: NaiveTable, apart: Collection[int]) -> None:
    """A new node above a known one comes from a split: it takes the lane of the whole node."""
    for row in reversed(range(len(table))):
        if lanes[row] < 0:
            kids = (child for child in table.children[row] if child not in apart)
            known = [lanes[child] for child in kids if lanes[child] >= 0]
            if known:
                lanes[row] = min(known)


def _drop_collisions(
    lanes: list[int], parents: list[int], starts: list[float], ends: list[float]
) -> None:
    """Where a node grew into another in its lane, the one further right has to move."""
    placed = sorted(
        (lanes[row], starts[row], row)
        for row in range(len(lanes))
        if lanes[row] >= 0 and ends[row] > starts[row]
    )
    lost: set[int] = set()
    lane, reach = -1, 0.0
    for row_lane, start, row in placed:
        if row_lane != lane:
            lane, reach = row_lane, 0.0
        if start < reach:
            lost.add(row)
        else:
            reach = max(reach, ends[row])
    if not lost:
        return
    for row in range(len(lanes)):
        follows = parents[row] in lost and lanes[row] == lanes[parents[row]]
        if follows:
            lost.add(row)
    for row in lost:
        lanes[row] = -1


def _heavy_chain(
    row: int, lanes: list[int], table: NaiveTable, apart: Collection[int]
) -> list[int]:
    """The row and the chain of its heaviest children, as far as they are not placed yet."""
    chain = [row]
    while kids := [kid for kid in table.children[row] if kid not in apart]:
        row = kids[0]
        if lanes[row] >= 0:
            break
        chain.append(row)
    return chain
