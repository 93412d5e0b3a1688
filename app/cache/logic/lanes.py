"""Gives every node of the tree a stable lane, as a git graph does. Without Qt.

The heaviest path keeps its parent's lane; every other fork takes the nearest lane that is free over
its interval of the axis. A node keeps its lane from one snapshot to the next, so nothing jumps: the
upper half of a split node stays in the lane of the whole one, and the node that a running request
becomes keeps the request's lane. Lanes below close up only once evictions have emptied a lane and
faded.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields, replace

import numpy as np

from app.cache.logic.arrays import Ints, Xs
from app.cache.logic.columns import find, order_by
from app.cache.logic.forest import Children
from app.cache.logic.table import LIVE_ID, NodeTable, engine_rows
from engine.snapshot import CacheSnapshot

# How many lanes around the parent's are searched for a gap between other nodes.
_NEAR = 48
# Fewer in a very large tree: it has thousands of lanes, and the search would take seconds.
_MANY_NODES, _NEAR_OF_MANY = 5_000, 6
# Groups of more lanes than this grow in steps of as many.
STEP_LANES = 4
Held = Iterable[tuple[int, float, float]]


class _Occupancy:
    """The occupied intervals of each lane.

    Initial intervals stay in columns; a lane is converted to a list on first access.
    """

    def __init__(self, lane: Ints, start: Xs, end: Xs, gap: float, near: int) -> None:
        """The intervals by lane, then by start; none may overlap another of its lane."""
        self.gap, self.near = gap, near
        self._start, self._end = start, end
        count = int(lane[-1]) + 1 if len(lane) else 0
        self._first = np.searchsorted(lane, np.arange(count + 1))
        self._right = np.zeros(max(16, count))
        np.maximum.at(self._right, lane, end)
        self._count = count
        self._asked: dict[int, list[tuple[float, float]]] = {}

    def _taken(self, lane: int) -> list[tuple[float, float]]:
        if lane not in self._asked:
            known: list[tuple[float, float]] = []
            if lane + 1 < len(self._first):
                part = slice(int(self._first[lane]), int(self._first[lane + 1]))
                ends = self._end[part].tolist()
                known = list(zip(self._start[part].tolist(), ends, strict=True))
            self._asked[lane] = known
        return self._asked[lane]

    def take(self, lane: int, start: float, end: float) -> None:
        self._count = max(self._count, lane + 1)
        if lane >= len(self._right):
            room = np.zeros(2 * lane + 2 - len(self._right))
            self._right = np.concatenate([self._right, room])
        insort(self._taken(lane), (start, end))
        self._right[lane] = max(self._right[lane], end)

    def free(self, lane: int, start: float, end: float, gap: float) -> bool:
        """Whether [start - gap, end + gap) is free; a node may touch its own parent (gap 0)."""
        if lane >= self._count:
            return True
        row = self._taken(lane)
        at = bisect_left(row, (start, start))
        if at and row[at - 1][1] > start - gap:
            return False
        return at == len(row) or row[at][0] >= end + gap

    def nearest(self, lane: int, start: float, end: float) -> int:
        """The free lane closest to `lane`, below before above; else a new one at the bottom."""
        count = self._count
        for distance in range(1, min(self.near, max(lane + 1, count - lane)) + 1):
            for candidate in (lane + distance, lane - distance):
                if 0 < candidate < count and self.free(candidate, start, end, self.gap):
                    return candidate
        open_ended = np.flatnonzero(self._right[1:count] + self.gap <= start) + 1
        if len(open_ended):
            return int(open_ended[np.argmin(np.abs(open_ended - lane))])
        return max(1, count)


class LaneAssigner:
    """Remembers the lane of every node.

    Attributes:
        count: lanes in use after the last `assign`.
    """

    def __init__(self) -> None:
        self.count = 0
        # Sorted ids, and the lane of each; then ids that replaced others since.
        self._ids = np.zeros(0, dtype=np.int64)
        self._lanes = np.zeros(0, dtype=np.int64)
        self._followed: dict[int, int] = {}
        self._live: tuple[int, float, int] | None = None

    def forget(self) -> None:
        """Forget every lane, so that the next `assign` starts from scratch."""
        self._ids, self._lanes = self._ids[:0], self._lanes[:0]
        self._followed.clear()
        self._live = None

    def follow(self, was: int, now: int) -> None:
        """Transfer the lane of a node's old id to its new one."""
        lanes = self._known(np.array([was, now]))
        if lanes[0] >= 0 and lanes[1] < 0:
            self._followed[now] = int(lanes[0])

    def assign(
        self,
        table: NodeTable,
        left: Xs,
        right: Xs,
        held: Iterable[tuple[int, float, float]] = (),
        stubs: Collection[int] = (),
        asides: Collection[int] = (),
    ) -> Ints:
        """The lane of each row. Mutates: rows that no longer exist are forgotten.

        Only rows whose lane is unknown or lost are handled one by one.

        Args:
            left, right: of each row, on whichever axis.
            held: lane, left and right of everything else on screen that must not be drawn over;
                if there is nothing, no lane stays empty.
            stubs: leaves that hang in their parent's lane and take no room.
            asides: rows placed after all others, in lanes of their own; parents come first.
        """
        held = tuple(held)
        lanes = self._known(table.ids)
        stubbed = np.array(sorted(stubs), dtype=np.int64)
        lanes[stubbed] = -1
        apart = frozenset((*stubs, *asides))
        _inherit_from_children(lanes, table, apart)
        placed = _placed(lanes, left, right)
        if _drop_collisions(lanes, placed, table.parent, left, right):
            placed = placed[lanes[placed] >= 0]
        extent = float(right.max(initial=0.0))
        occupancy = _Occupancy(
            lanes[placed],
            left[placed],
            right[placed],
            gap=max(8.0, extent / 50),
            near=_NEAR if len(table) < _MANY_NODES else _NEAR_OF_MANY,
        )
        for lane, start, end in held:
            if occupancy.free(lane, start, end, 0):
                occupancy.take(lane, start, end)
        self._place(table, lanes, left, right, occupancy, apart, asides)
        lanes[stubbed] = lanes[table.parent[stubbed]]
        if not held:
            lanes = np.unique(lanes, return_inverse=True)[1]
        self._remember(table, lanes, left)
        self.count = int(lanes.max(initial=-1)) + 1
        return lanes

    def _place(
        self,
        table: NodeTable,
        lanes: Ints,
        left: Xs,
        right: Xs,
        occupancy: _Occupancy,
        apart: Collection[int],
        asides: Collection[int],
    ) -> None:
        """Assign a lane to each row without one, and to the chain of its heaviest children."""
        missing = [row for row in np.flatnonzero(lanes < 0).tolist() if row not in apart]
        for row in (*missing, *asides):
            if lanes[row] >= 0:
                continue
            chain = _heavy_chain(row, lanes, table, apart)
            start = float(left[row])
            end, over = max(start + 1, float(right[chain[-1]])), int(table.parent[row])
            if row in apart and over not in apart:
                lane = occupancy.nearest(int(lanes[over]), start, end)
            else:
                lane = self._choose(table, over, lanes, start, end, occupancy)
            lanes[chain] = lane
            occupancy.take(lane, start, end)

    def _choose(
        self,
        table: NodeTable,
        over: int,
        lanes: Ints,
        start: float,
        end: float,
        occupancy: _Occupancy,
    ) -> int:
        """A lane for a branch that begins at `start` below a row."""
        if over < 0:
            return 0
        if self._live is not None:
            parent_id, live_start, live_lane = self._live
            same = (parent_id, live_start) == (int(table.ids[over]), start)
            if same and occupancy.free(live_lane, start, end, 0):
                return live_lane
        if occupancy.free(int(lanes[over]), start, end, 0):
            return int(lanes[over])
        return occupancy.nearest(int(lanes[over]), start, end)

    def _known(self, ids: Ints) -> Ints:
        """The remembered lanes of some ids; -1 if there is none."""
        at = find(self._ids, ids)
        lanes = np.append(self._lanes, -1)[at]
        for now, lane in self._followed.items():
            lanes[(ids == now) & (lanes < 0)] = lane
        return lanes

    def _remember(self, table: NodeTable, lanes: Ints, left: Xs) -> None:
        nodes = np.flatnonzero(table.ids != LIVE_ID)
        nodes = nodes[order_by(table.ids[nodes])]
        self._ids, self._lanes = table.ids[nodes], lanes[nodes]
        self._followed.clear()
        self._live = None
        running = np.flatnonzero(table.ids == LIVE_ID)
        if len(running):
            row = int(running[0])
            parent = int(table.ids[table.parent[row]])
            self._live = (parent, float(left[row]), int(lanes[row]))


def _inherit_from_children(lanes: Ints, table: NodeTable, apart: Collection[int]) -> None:
    """A new parent of a known node comes from a split and takes the lane of the whole node."""
    for row in np.flatnonzero(lanes < 0)[::-1].tolist():
        known = [int(lanes[kid]) for kid in table.children[row] if kid not in apart]
        known = [lane for lane in known if lane >= 0]
        if known:
            lanes[row] = min(known)


def _placed(lanes: Ints, left: Xs, right: Xs) -> Ints:
    """The rows that have a lane and a width, by lane and then from the left."""
    rows = np.flatnonzero((lanes >= 0) & (right > left))
    return rows[order_by(lanes[rows], left[rows])]


def _drop_collisions(lanes: Ints, placed: Ints, parents: Ints, left: Xs, right: Xs) -> bool:
    """Unset the lanes of rows that an earlier one in their lane grew into.

    Returns whether there are any.
    """
    before, after = placed[:-1], placed[1:]
    # If no two neighbours in a lane overlap, no others do.
    overlaps = (lanes[before] == lanes[after]) & (left[after] < right[before])
    if not overlaps.any():
        return False
    hit = np.isin(lanes[placed], np.unique(lanes[after[overlaps]]))
    lost = np.zeros(len(lanes), dtype=np.bool_)
    lost[_lost(placed[hit].tolist(), lanes, left, right)] = True
    goes_on = (parents >= 0) & (lanes == lanes[parents])
    fresh = lost
    while fresh.any():
        fresh = goes_on & lost[parents] & ~lost
        lost |= fresh
    lanes[lost] = -1
    return True


def _lost(placed: list[int], lanes: Ints, left: Xs, right: Xs) -> list[int]:
    """The rows, given by lane and start, that begin before an earlier one of their lane ends."""
    lost: list[int] = []
    lane, reach = -1, 0.0
    for row in placed:
        if lanes[row] != lane:
            lane, reach = int(lanes[row]), 0.0
        if left[row] < reach:
            lost.append(row)
        else:
            reach = max(reach, float(right[row]))
    return lost


def _heavy_chain(row: int, lanes: Ints, table: NodeTable, apart: Collection[int]) -> list[int]:
    """The row and the chain of its heaviest children, up to the first with a lane."""
    chain = [row]
    while kids := [kid for kid in table.children[row] if kid not in apart]:
        row = kids[0]
        if lanes[row] >= 0:
            break
        chain.append(row)
    return chain


@dataclass(frozen=True, slots=True)
class LaneGroup:
    """The lanes of one engine.

    Attributes:
        title: of the engine.
        node: the root of its tree.
        first: its heading's lane; the tree begins in the next one.
        count: lanes, including the heading's.
    """

    title: str
    node: int
    first: int
    count: int


class GroupedLaneAssigner:
    """A LaneAssigner for each engine; a tree of one engine alone has no groups.

    Attributes:
        groups: of the last `assign`, from top to bottom; without titles.
    """

    def __init__(self) -> None:
        self.groups: tuple[LaneGroup, ...] = ()
        # By the node of the engine; 0 for rows of no engine.
        self._assigners: dict[int, LaneAssigner] = {0: LaneAssigner()}
        self._heights: dict[int, int] = {}

    def forget(self) -> None:
        """See LaneAssigner."""
        self.groups = ()
        self._heights.clear()
        for one in self._assigners.values():
            one.forget()

    def follow(self, was: int, now: int) -> None:
        """See LaneAssigner."""
        for one in self._assigners.values():
            one.follow(was, now)

    def assign(
        self,
        table: NodeTable,
        left: Xs,
        right: Xs,
        held: Held = (),
        stubs: Collection[int] = (),
        asides: Collection[int] = (),
    ) -> Ints:
        """See LaneAssigner."""
        engines = engine_rows(table)
        if not len(engines):
            self.groups = ()
            return self._assigners[0].assign(table, left, right, held, stubs, asides)
        tops, held = _tops(table), tuple(held)
        lanes = np.zeros(len(table), dtype=np.int64)
        numbers = {int(table.ids[row]): row for row in engines.tolist()}
        self._assigners = {
            number: self._assigners.get(number) or LaneAssigner()
            for number in (0, *sorted(numbers))
        }
        before = {group.node: group for group in self.groups}
        of_none = np.flatnonzero(~np.isin(tops, engines))
        at, groups = 0, []
        for number, one in self._assigners.items():
            rows = np.flatnonzero(tops == numbers[number]) if number else of_none
            if not number and len(rows) == 1:
                # Only the root, which has no width.
                continue
            inside = _inside(held, before.get(number))
            made = one.assign(
                _part(table, rows),
                left[rows],
                right[rows],
                inside,
                _among(rows, stubs),
                _among(rows, asides),
            )
            headings = 1 if number else 0
            lanes[rows] = at + headings + made
            height = headings + self._height(number, one.count)
            if number:
                groups.append(LaneGroup("", number, at, height))
            at += height
        self.groups = tuple(groups)
        return lanes

    def titled(self, snapshot: CacheSnapshot) -> tuple[LaneGroup, ...]:
        """The groups with the names of their engines."""
        wanted = {group.node for group in self.groups}
        if not wanted:
            return ()
        names = {node.id: node.lane for node in snapshot.nodes if node.id in wanted}
        return tuple(replace(group, title=names.get(group.node, "")) for group in self.groups)

    def _height(self, number: int, count: int) -> int:
        most = max(count, 1, self._heights.get(number, 0))
        if most > STEP_LANES:
            most = -(-most // STEP_LANES) * STEP_LANES
        self._heights[number] = most
        return most


def _tops(table: NodeTable) -> Ints:
    """For each row its ancestor right below the root; the root maps to itself."""
    found = np.where(table.parent <= 0, np.arange(len(table)), table.parent)
    while True:
        further = found[found]
        if np.array_equal(further, found):
            return found
        found = further


def _part(table: NodeTable, rows: Ints) -> NodeTable:
    """A subtree as a table; rows whose parent is outside become roots."""
    now = np.full(len(table) + 1, -1, dtype=np.int64)
    now[rows] = np.arange(len(rows))
    parent = now[table.parent[rows]]
    columns = {
        field.name: getattr(table, field.name)[rows]
        for field in fields(table)
        if isinstance(getattr(table, field.name), np.ndarray)
    }
    return replace(table, **columns | {"parent": parent}, children=Children.of(parent))


def _among(rows: Ints, wanted: Collection[int]) -> list[int]:
    """The indices of some rows within a part."""
    if not wanted:
        return []
    places = np.searchsorted(rows, np.array(list(wanted), dtype=np.int64))
    return [
        place
        for place, row in zip(places.tolist(), wanted, strict=True)
        if place < len(rows) and rows[place] == row
    ]


def _inside(held: tuple[tuple[int, float, float], ...], group: LaneGroup | None) -> Held:
    """The held intervals in the lanes of a group, with lanes relative to it."""
    if group is None:
        return ()
    first = group.first + 1
    return [
        (lane - first, left, right)
        for lane, left, right in held
        if first <= lane < group.first + group.count
    ]
