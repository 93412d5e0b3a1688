"""A tidy tree that is changed, not made anew: only what lies above a change is joined again.

Without Qt. Gives the same places as app.cache.tidy, which lays out the whole tree.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterable, Sequence

import numpy as np

from app.cache.arrays import Ints, Xs
from app.cache.forest import above
from app.cache.ordering import find, order_by
from app.cache.tidy import Walk

# If more of the tree changed, all of it is laid out again.
_MOST_CHANGED = 0.25


class TidyBook:
    """Remembers the tree that was laid out last, by the ids of its nodes.

    Every node is as broad as one lane. A node has a slot for as long as it is there.

    Attributes:
        placed: how many nodes the last change placed anew beside their siblings.
    """

    def __init__(self) -> None:
        self.placed = 0
        self._forget()

    def places(self, ids: Ints, parent: Ints, kids: Ints, length: Xs) -> tuple[Xs, Xs]:
        """Where each row begins along, and its place across; the least place is 0.

        Args:
            parent: row above each row; -1 for row 0.
            kids: all other rows, those of a parent together and in their order.
            length: what each takes along; whole sixteenths, whose sums are exact.
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
        # Ids in order, and the slot of each.
        self._ids = np.zeros(0, dtype=np.int64)
        self._slot = np.zeros(0, dtype=np.int64)
        # Of each slot: the slots above and before it, its children, length and end; -1 for none.
        self._above, self._before = self._slot, self._slot
        self._count, self._length, self._end = self._slot, np.zeros(0), np.zeros(0)

    def _slots(self, ids: Ints) -> Ints:
        """The slot of each row; rows that are new get one, and those of others become free."""
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
        # A slot that becomes free now still has a join to be undone.
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
        """Undo the joins above whatever changed, and make them again."""
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
        # A slot that is free now may hold a leaf next.
        for at in everything:
            walk.children[at] = hung.get(at, [])
        for at in reversed(_downward(again, over)):
            walk.join(at)
        self.placed = sum(len(hung[at]) - kept[at] for at in again)
        self._free += self._gone
        self._above, self._before, self._count, self._length = over, before, count, long
        self._end = ends

    def _upward(self, changed: Iterable[int], over: Ints) -> set[int]:
        """Some slots and all above them, as it was and as it is."""
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
        """The children of some slots."""
        group, held = parent[kids], slot[kids]
        # Where the children of each row begin among all of them, and how many there are.
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
        """The last walk of the paper, from the root down, for all nodes at once."""
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
    """Some slots, each after the one above it."""
    depth = {-1: 0}
    for at in slots:
        way = [at]
        while way[-1] not in depth:
            way.append(int(over[way[-1]]))
        for deeper, one in enumerate(reversed(way)):
            depth[one] = depth[way[-1]] + deeper
    return sorted(slots, key=depth.__getitem__)


def _alike(were: Sequence[int], are: Sequence[int], stale: Container[int]) -> int:
    """How many of the first children are the same ones, and as they were."""
    for place, (was, now) in enumerate(zip(were, are, strict=False)):
        if was != now or now in stale:
            return place
    return min(len(were), len(are))


def _column(values: array[float], slot: Ints) -> Xs:
    made: Xs = np.frombuffer(values, dtype=np.float64)[slot]
    return made


def _running(group: Ints, values: Xs) -> Xs:
    """The sum of each value and those before it in its group; groups stand together."""
    sums = np.cumsum(values)
    starts = np.flatnonzero(np.append(True, np.diff(group) != 0))
    lengths = np.diff(np.append(starts, len(group)))
    made: Xs = sums - np.repeat(sums[starts] - values[starts], lengths)
    return made
