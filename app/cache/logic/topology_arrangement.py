"""Arranges the tree as an incremental tidy tree, in pixels at full size. Without Qt."""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.cache.logic.arrays import Flags, Ints, Xs
from app.cache.logic.axis import spread as spread_evenly
from app.cache.logic.columns import find, order_by
from app.cache.logic.folding import Folding
from app.cache.logic.forest import above
from app.cache.logic.icicle import standing
from app.cache.logic.layout import Layout, moved_on, placed
from app.cache.logic.stretches import build_stretches
from app.cache.logic.table import NodeTable, TableReader
from engine.snapshot import CacheSnapshot

# Beyond twice its size a box shows nothing more.
_CLOSEST = 2.0
GAP = 28.0
_ROOT = 14.0
_LEAST = 56.0
_PER_DOUBLING = 14.0
# More siblings than this are split into blocks; one sibling in 2**_BITS begins one.
_WIDE, _BITS = 128, 5
# Blocks' ids are far above those of nodes, at a distance for each level.
_LEVEL_BITS = 56
_SPREADING = np.uint64(0x9E3779B97F4A7C15)
# If a larger share changed, the whole tree is laid out from scratch.
_MOST_CHANGED = 0.25
# Undo record: a list or an array, an index, and the old value.
_Note = tuple[Any, int, Any]


def tidy(
    children: Sequence[Sequence[int]], length: Sequence[float], breadth: Sequence[float]
) -> tuple[list[float], list[float]]:
    """The position of each node along and across; the root, node 0, begins along at 0.

    `children`: of each node, with greater numbers than its own. `length`, `breadth`: the size of
    each along and across, including gaps. The least position across is 0.
    """
    if not children:
        return [], []
    walk = Walk(children, length, breadth)
    for node in range(len(children) - 1, -1, -1):
        walk.join(node)
    return walk.along, walk.places()


class Walk:
    """Joins subtrees from the leaves up; the names are the paper's.

    A join changes nodes deep below it and records the old values, so that it can be undone from any
    of its children on, after the joins above it.
    """

    def __init__(
        self,
        children: Sequence[Sequence[int]],
        length: Sequence[float],
        breadth: Sequence[float],
    ) -> None:
        size = len(children)
        self.children, self.breadth = list(children), list(breadth)
        self.along = [0.0] * size
        self.end = [0.0] * size
        for node in range(size):
            self.end[node] = self.along[node] + length[node]
            for child in children[node]:
                self.along[child] = self.end[node]
        # numpy reads these arrays without a copy.
        self.prelim = _zeros(size)
        self.mod = _zeros(size)
        self.shift = _zeros(size)
        self.change = _zeros(size)
        # The furthest nodes on either side of a subtree, and the sums of moves up to them.
        self.first_end = list(range(size))
        self.last_end = list(range(size))
        self.first_moved = [0.0] * size
        self.last_moved = [0.0] * size
        # Where a contour continues below a subtree that ended.
        self.first_thread = [-1] * size
        self.last_thread = [-1] * size
        # The undo records of each join.
        self.notes: list[list[_Note]] = [[] for _ in range(size)]
        # For each child of a join: the number of records before it, and its subtree's reach.
        self.steps: list[list[tuple[int, float]]] = [[] for _ in range(size)]
        self._notes: list[_Note] = []

    def extend(self, more: int) -> None:
        """Add nodes without children."""
        size = len(self.end)
        for column in (self.prelim, self.mod, self.shift, self.change):
            column.extend(_zeros(more))
        for places in (self.along, self.end, self.first_moved, self.last_moved):
            places += [0.0] * more
        self.breadth += [1.0] * more
        for thread in (self.first_thread, self.last_thread):
            thread += [-1] * more
        for ends in (self.first_end, self.last_end):
            ends += range(size, size + more)
        self.children += [[] for _ in range(more)]
        self.notes += [[] for _ in range(more)]
        self.steps += [[] for _ in range(more)]

    def undo(self, node: int, kept: int = 0) -> None:
        """Undo a join except for its first `kept` children."""
        notes, steps = self.notes[node], self.steps[node]
        least = steps[kept][0] if kept < len(steps) else 0
        for column, at, was in reversed(notes[least:]):
            column[at] = was
        del notes[least:], steps[kept:]

    def _set(self, column: Any, at: int, value: object) -> None:
        self._notes.append((column, at, column[at]))
        column[at] = value

    def join(self, node: int) -> None:
        """Place the subtrees of a node's children side by side, and centre the node above them.

        Children that an `undo` has kept stay where they are.
        """
        kids = self.children[node]
        if not kids:
            return
        self._notes, steps = self.notes[node], self.steps[node]
        put, begin, end = self._set, self.end[node], self.end
        # The siblings on the left by lowest contour, the shortest last.
        lows: list[tuple[float, int]] = []
        for index, kid in enumerate(kids):
            if index < len(steps):
                low = begin + steps[index][1]
            else:
                low = end[self.last_end[kid]]
                steps.append((len(self._notes), low - begin))
                if index:
                    self._separate(kids, index, lows)
            while lows and low >= lows[-1][0]:
                lows.pop()
            lows.append((low, index))
        # From here on everything is undone, whichever children are kept.
        steps.append((len(self._notes), 0.0))
        first, last = kids[0], kids[-1]
        left = self.prelim[first] + self.mod[first]
        right = self.prelim[last] + self.mod[last] + self.breadth[last]
        put(self.prelim, node, (left + right - self.breadth[node]) / 2)
        put(self.first_end, node, self.first_end[first])
        put(self.first_moved, node, self.first_moved[first])
        put(self.last_end, node, self.last_end[last])
        put(self.last_moved, node, self.last_moved[last])

    def places(self) -> list[float]:
        """The positions across, from 0 on."""
        size = len(self.children)
        moved, place = [0.0] * size, [0.0] * size
        for node in range(size):
            moved[node] += self.mod[node]
            place[node] = self.prelim[node] + moved[node]
            step = total = 0.0
            for child in self.children[node]:
                step += self.shift[child]
                total += step + self.change[child]
                self.mod[child] += total
                moved[child] = moved[node]
        least = min(place)
        return [one - least for one in place]

    def _separate(self, kids: Sequence[int], index: int, lows: list[tuple[float, int]]) -> None:
        """Move a subtree past the contour of those before it."""
        end, mod, prelim, children = self.end, self.mod, self.prelim, self.children
        breadth = self.breadth
        left, right = kids[index - 1], kids[index]
        left_moved, right_moved = mod[left], mod[right]
        at = len(lows) - 1
        # The hot loop of a layout: contours are followed without a call for each step.
        while left >= 0 and right >= 0:
            left_low, right_low = end[left], end[right]
            if at > 0 and left_low > lows[at][0]:
                at -= 1
            overlap = (left_moved + prelim[left] + breadth[left]) - (right_moved + prelim[right])
            if overlap > 0:
                right_moved += overlap
                self._move(kids, index, lows[at][1], overlap)
            if left_low <= right_low:
                left = children[left][-1] if children[left] else self.last_thread[left]
                if left >= 0:
                    left_moved += mod[left]
            if left_low >= right_low:
                right = children[right][0] if children[right] else self.first_thread[right]
                if right >= 0:
                    right_moved += mod[right]
        if left < 0 <= right:
            self._thread_first(kids, index, right, right_moved)
        elif right < 0 <= left:
            self._thread_last(kids, index, left, left_moved)

    def _move(self, kids: Sequence[int], index: int, low: int, distance: float) -> None:
        """Move a subtree, and spread the gap among the smaller ones between it and `low`."""
        moving, note = kids[index], self._notes.append
        for column in (self.mod, self.first_moved, self.last_moved):
            was = column[moving]
            note((column, moving, was))
            column[moving] = was + distance
        if low != index - 1:
            share, put = distance / (index - low), self._set
            put(self.shift, kids[low + 1], self.shift[kids[low + 1]] + share)
            put(self.shift, moving, self.shift[moving] - share)
            put(self.change, moving, self.change[moving] - (distance - share))

    def _thread_first(self, kids: Sequence[int], index: int, to: int, moved: float) -> None:
        first, mine, put = kids[0], kids[index], self._set
        end = self.first_end[first]
        put(self.first_thread, end, to)
        off = (moved - self.mod[to]) - self.first_moved[first]
        put(self.mod, end, self.mod[end] + off)
        put(self.prelim, end, self.prelim[end] - off)
        put(self.first_end, first, self.first_end[mine])
        put(self.first_moved, first, self.first_moved[mine])

    def _thread_last(self, kids: Sequence[int], index: int, to: int, moved: float) -> None:
        mine, before, put = kids[index], kids[index - 1], self._set
        end = self.last_end[mine]
        put(self.last_thread, end, to)
        off = (moved - self.mod[to]) - self.last_moved[mine]
        put(self.mod, end, self.mod[end] + off)
        put(self.prelim, end, self.prelim[end] - off)
        put(self.last_end, mine, self.last_end[before])
        put(self.last_moved, mine, self.last_moved[before])


def _zeros(size: int) -> array[float]:
    return array("d", bytes(8 * size))


class TidyTree:
    """Caches the last layout, by the ids of its nodes.

    Every node is as broad as one lane. A node has a slot for as long as it exists.

    Attributes:
        placed: the number of nodes that the last change placed again.
    """

    def __init__(self) -> None:
        self.placed = 0
        self._forget()

    def places(self, ids: Ints, parent: Ints, kids: Ints, length: Xs) -> tuple[Xs, Xs]:
        """The start of each row along, and its position across, from 0 on.

        Args:
            parent: row of each row's parent; -1 for row 0.
            kids: all other rows, those of a parent contiguous and in order.
            length: of each along; multiples of 1/16, whose sums are exact.
        """
        if not len(ids):
            return np.zeros(0), np.zeros(0)
        slot, end = self._slots(ids), above(parent, length)
        self._change(slot, parent, kids, length, end)
        order = order_by(ids)
        self._ids, self._slot = ids[order], slot[order]
        return end - length, self._across(slot, parent, kids)

    def _forget(self) -> None:
        self._walk = Walk([], [], [])
        self._free: list[int] = []
        # Sorted ids, and the slot of each.
        self._ids = np.zeros(0, dtype=np.int64)
        self._slot = np.zeros(0, dtype=np.int64)
        # By slot: the parent's and the previous sibling's (-1 for none), children, length, end.
        self._above, self._before = self._slot, self._slot
        self._count, self._length, self._end = self._slot, np.zeros(0), np.zeros(0)

    def _slots(self, ids: Ints) -> Ints:
        """The slot of each row; allocates slots for new rows and frees those of removed ones."""
        at = find(self._ids, ids)
        gone = np.ones(len(self._ids), dtype=np.bool_)
        gone[at[at >= 0]] = False
        if not len(ids) or (at < 0).sum() + gone.sum() > _MOST_CHANGED * len(ids):
            self._forget()
            at = np.full(len(ids), -1, dtype=np.int64)
            gone = gone[:0]
        self._gone = self._slot[gone].tolist()
        slot = np.append(self._slot, -1)[at]
        fresh = np.flatnonzero(at < 0)
        # A slot freed now still has a join to undo.
        reused, self._free = self._free[: len(fresh)], self._free[len(fresh) :]
        more = len(fresh) - len(reused)
        size = len(self._walk.end)
        self._walk.extend(more)
        slot[fresh] = [*reused, *range(size, size + more)]
        room = np.full(more, -1, dtype=np.int64)
        self._above = np.concatenate([self._above, room])
        self._before = np.concatenate([self._before, room])
        self._count = np.concatenate([self._count, room * 0])
        self._length = np.concatenate([self._length, room * 0.0])
        self._end = np.concatenate([self._end, room * 0.0])
        return slot

    def _change(self, slot: Ints, parent: Ints, kids: Ints, length: Xs, end: Xs) -> None:
        """Undo the joins above all changes, and redo them."""
        walk, size = self._walk, len(self._above)
        over, before = np.full(size, -1, dtype=np.int64), np.full(size, -1, dtype=np.int64)
        long, ends = np.zeros(size), np.zeros(size)
        held, group = slot[kids], slot[parent[kids]]
        over[held] = group
        same = group[1:] == group[:-1]
        before[held[1:][same]] = held[:-1][same]
        count = np.bincount(group, minlength=size)
        long[slot], ends[slot] = length, end
        moved = np.flatnonzero(
            (over != self._above) | (before != self._before) | (long != self._length)
        )
        turned = np.flatnonzero(count != self._count)
        changed = {*turned.tolist(), *over[moved].tolist(), *self._above[moved].tolist()}
        changed |= {*self._gone, *slot[:1].tolist()}
        everything = self._upward(changed - {-1}, over)
        again = everything - set(self._gone)
        hung = self._hung(again, slot, kids, parent)
        stale = everything.union(moved.tolist())
        kept = {at: _alike(walk.children[at], hung.get(at, ()), stale) for at in everything}
        for at in _downward(everything, self._above):
            walk.undo(at, kept[at])
        for at in np.flatnonzero(ends != self._end).tolist():
            walk.end[at] = float(ends[at])
        # A freed slot may hold a leaf next.
        for at in everything:
            walk.children[at] = hung.get(at, [])
        for at in reversed(_downward(again, over)):
            walk.join(at)
        self.placed = sum(len(hung[at]) - kept[at] for at in again)
        self._free += self._gone
        self._above, self._before, self._count, self._length = over, before, count, long
        self._end = ends

    def _upward(self, changed: Iterable[int], over: Ints) -> set[int]:
        """Some slots and all their ancestors, old and new."""
        found: set[int] = set()
        stack = list(changed)
        while stack:
            at = stack.pop()
            if at >= 0 and at not in found:
                found.add(at)
                stack += (int(self._above[at]), int(over[at]))
        return found

    def _hung(
        self, wanted: Iterable[int], slot: Ints, kids: Ints, parent: Ints
    ) -> dict[int, list[int]]:
        """The child slots of some slots."""
        group, held = parent[kids], slot[kids]
        # The index of each row's first child in `kids`, and the number of its children.
        first = np.zeros(len(slot), dtype=np.int64)
        starts = np.flatnonzero(np.append(True, np.diff(group) != 0)) if len(kids) else kids
        first[group[starts]] = starts
        count = np.bincount(group, minlength=len(slot))
        row = np.full(len(self._walk.end), -1, dtype=np.int64)
        row[slot] = np.arange(len(slot))
        made = {}
        for at in wanted:
            here = int(row[at])
            begin = int(first[here])
            made[at] = held[begin : begin + int(count[here])].tolist()
        return made

    def _across(self, slot: Ints, parent: Ints, kids: Ints) -> Xs:
        """The paper's last walk, from the root down, vectorized."""
        walk = self._walk
        prelim, mod = _column(walk.prelim, slot), _column(walk.mod, slot)
        shift, change = _column(walk.shift, slot), _column(walk.change, slot)
        if len(kids):
            group = parent[kids]
            step = _running(group, shift[kids])
            mod[kids] += _running(group, step + change[kids])
        place = prelim + above(parent, mod)
        made: Xs = place - place.min()
        return made


def _downward(slots: Iterable[int], over: Ints) -> list[int]:
    """Some slots, parents first."""
    depth = {-1: 0}
    for at in slots:
        way = [at]
        while way[-1] not in depth:
            way.append(int(over[way[-1]]))
        for deeper, one in enumerate(reversed(way)):
            depth[one] = depth[way[-1]] + deeper
    return sorted(slots, key=depth.__getitem__)


def _alike(were: Sequence[int], are: Sequence[int], stale: Container[int]) -> int:
    """The number of leading children that are the same and not stale."""
    for place, (was, now) in enumerate(zip(were, are, strict=False)):
        if was != now or now in stale:
            return place
    return min(len(were), len(are))


def _column(values: array[float], slot: Ints) -> Xs:
    made: Xs = np.frombuffer(values, dtype=np.float64)[slot]
    return made


def _running(group: Ints, values: Xs) -> Xs:
    """Running sums within each group; groups are contiguous."""
    sums = np.cumsum(values)
    starts = np.flatnonzero(np.append(True, np.diff(group) != 0))
    lengths = np.diff(np.append(starts, len(group)))
    made: Xs = sums - np.repeat(sums[starts] - values[starts], lengths)
    return made


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of a tree for TidyTree; blocks come last and have no length."""

    ids: Ints
    parent: Ints
    kids: Ints
    length: Xs


def in_blocks(rows: Rows) -> Rows:
    """The rows, with blocks inserted between a parent and its children if it has many.

    Ids decide which siblings begin a block, so adding or removing one changes only one block.
    """
    level = 1
    while True:
        group = rows.parent[rows.kids]
        wide = np.bincount(group, minlength=len(rows.ids))[group] > _WIDE
        if not wide.any():
            return rows
        rows = _parted(rows, wide, level)
        level += 1


def _parted(rows: Rows, wide: Flags, level: int) -> Rows:
    kids = rows.kids
    first = np.append(True, np.diff(rows.parent[kids]) != 0)
    begins = wide & (first | _chosen(rows.ids[kids], level))
    heads = kids[begins]
    block = len(rows.ids) + np.cumsum(begins) - 1
    parent = np.concatenate([rows.parent, rows.parent[heads]])
    parent[kids[wide]] = block[wide]
    # Blocks take the places of their first members.
    above = np.where(wide, block, kids)[begins | ~wide]
    return Rows(
        np.concatenate([rows.ids, rows.ids[heads] + (level << _LEVEL_BITS)]),
        parent,
        np.concatenate([above, kids[wide]]),
        np.concatenate([rows.length, np.zeros(len(heads))]),
    )


def _chosen(ids: Ints, level: int) -> Flags:
    mixed = (ids.astype(np.uint64) + np.uint64(level)) * _SPREADING
    chosen: Flags = (mixed >> np.uint64(64 - _BITS)) == 0
    return chosen


@dataclass(frozen=True, slots=True, eq=False)
class Topology:
    """Positions of a table's rows: from the root to the right, and down in lanes.

    Attributes:
        left, right: of each row's box, in pixels at full size.
        lane: of each row's box; no two boxes of a lane overlap.
        lanes: number of lanes.
        extent: the right end.
    """

    left: Xs
    right: Xs
    lane: Ints
    lanes: int
    extent: float


def spread(table: NodeTable, rank: Ints, tree: TidyTree | None = None) -> Topology:
    """Lay out a table; siblings are ordered by `rank`.

    `tree`: caches the last layout, most of which can be reused.
    """
    length = lengths(table)
    kids = table.children.rows
    kids = kids[order_by(table.parent[kids], rank[kids])]
    rows = in_blocks(Rows(table.ids, table.parent, kids, length + GAP))
    left, across = (tree or TidyTree()).places(rows.ids, rows.parent, rows.kids, rows.length)
    left, across = left[: len(table)], across[: len(table)]
    # Rounding down keeps boxes a lane apart; the epsilon keeps 2.9999… at 3.
    lane = np.floor(across + 1e-6).astype(np.int64)
    right = left + length
    extent = float(right.max(initial=0.0))
    return Topology(left, right, lane, int(lane.max(initial=-1)) + 1, extent)


def lengths(table: NodeTable) -> Xs:
    """The lengths of boxes in pixels at full size, in multiples of 1/16, whose sums are exact."""
    made = _LEAST + _PER_DOUBLING * np.log2(1.0 + (table.end - table.start))
    made = np.round(made * 16) / 16
    found: Xs = np.where(table.parent < 0, _ROOT, made)
    return found


class TopologyArrangement:
    """An Arrangement."""

    def __init__(self, folding: Folding, reader: TableReader | None = None) -> None:
        """reader: shared by all arrangements that show the same snapshots."""
        self._folding = folding
        self._reader = reader or TableReader()
        self._tree = TidyTree()

    def lay_out(
        self, snapshot: CacheSnapshot, held: Iterable[tuple[int, float, float]] = ()
    ) -> Layout:
        whole = self._reader.read(snapshot)
        folded = self._folding.apply(whole)
        table = folded.table
        made = spread(table, folded.least(standing(whole)), self._tree)
        scale = spread_evenly(table, build_stretches(table, snapshot), made.left, made.right)
        return placed(snapshot, folded, scale, made.lane, _CLOSEST)

    def advance(self, before: Layout, snapshot: CacheSnapshot) -> Layout | None:
        return moved_on(before, snapshot)

    def follow(self, was: int, now: int) -> None:
        """Nothing to do: places depend on the tree alone."""

    def forget(self) -> None:
        """Nothing to do: no places are remembered."""
