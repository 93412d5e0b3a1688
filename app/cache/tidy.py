"""A tidy tree in linear time, of nodes that differ in length. Without Qt.

After A. van der Ploeg, "Drawing non-layered tidy trees in linear time", Software: Practice and
Experience 44 (2014): children begin where their parent ends, not at a common level; subtrees are
drawn as close together as their contours allow, alike wherever they stand, and a parent in the
middle of its children.

Here the tree grows along one axis ("along") and its siblings stand apart on the other ("across").
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

# A list or an array, a place in it, and what was there.
_Note = tuple[Any, int, Any]


def tidy(
    children: Sequence[Sequence[int]], length: Sequence[float], breadth: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Where each node begins along and across; the root, node 0, begins along at 0.

    `children`: of each node, with greater numbers than its own. `length`, `breadth`: what each
    takes along and across, the gaps that it needs included. The least place across is 0.
    """
    if not children:
        return [], []
    walk = Walk(children, length, breadth)
    for node in range(len(children) - 1, -1, -1):
        walk.join(node)
    return walk.along, walk.places()


class Walk:
    """Joins subtrees from the leaves up; the names are the paper's.

    A join changes nodes deep below it, and notes what was there, so that it can be undone, from any
    of its children on: first the joins above it, then it.
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
        # numpy reads these without a copy of each number.
        self.prelim = _zeros(size)
        self.mod = _zeros(size)
        self.shift = _zeros(size)
        self.change = _zeros(size)
        # The nodes that reach furthest on either side of a subtree, and the moves up to them.
        self.first_end = list(range(size))
        self.last_end = list(range(size))
        self.first_moved = [0.0] * size
        self.last_moved = [0.0] * size
        # Where a contour goes on below a subtree that ended.
        self.first_thread = [-1] * size
        self.last_thread = [-1] * size
        # Of each join: the column, the node, and what was there.
        self.notes: list[list[_Note]] = [[] for _ in range(size)]
        # Of each child of a join: how many notes came before it, and how far its subtree reaches.
        self.steps: list[list[tuple[int, float]]] = [[] for _ in range(size)]
        self._notes: list[_Note] = []

    def extend(self, more: int) -> None:
        """Make room for more nodes, without children."""
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
        """Undo a join but for its first children, and whatever was noted of the node alone."""
        notes, steps = self.notes[node], self.steps[node]
        least = steps[kept][0] if kept < len(steps) else 0
        for column, at, was in reversed(notes[least:]):
            column[at] = was
        del notes[least:], steps[kept:]

    def _set(self, column: Any, at: int, value: object) -> None:
        self._notes.append((column, at, column[at]))
        column[at] = value

    def join(self, node: int) -> None:
        """Place the subtrees of a node's children beside one another and the node above them.

        Those that an `undo` has kept stay where they are.
        """
        kids = self.children[node]
        if not kids:
            return
        self._notes, steps = self.notes[node], self.steps[node]
        put, begin, end = self._set, self.end[node], self.end
        # Which sibling's contour is the lowest to the left, from the shortest one on.
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
        # What comes now is undone whichever children are kept.
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
        """Across, from 0 on."""
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
        # Most of a layout's time is spent here: contours are followed without a call for each step.
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
        """Move a subtree, and spread the room among the smaller ones between it and `low`."""
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
