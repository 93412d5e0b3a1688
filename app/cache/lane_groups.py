"""Lanes of several engines: each has a group of its own under a heading, never between. Without Qt.

A group never shrinks, and grows by several lanes at a time, so that those below it rarely move.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields, replace

import numpy as np

from app.cache.arrays import Ints, Xs
from app.cache.forest import Children
from app.cache.lanes import LaneBook
from app.cache.table import NodeTable, engine_rows
from engine.snapshot import CacheSnapshot

# Groups of more lanes than this grow by as many.
STEP_LANES = 4
Held = Iterable[tuple[int, float, float]]


@dataclass(frozen=True, slots=True)
class LaneGroup:
    """The lanes of one engine.

    Attributes:
        title: of the engine.
        node: under which its tree hangs.
        first: its heading's lane; the tree begins in the next one.
        count: lanes, with the heading's.
    """

    title: str
    node: int
    first: int
    count: int


class GroupedBook:
    """A LaneBook for each engine; a tree of one engine alone has no groups.

    Attributes:
        groups: of the last `assign`, from above; without titles.
    """

    def __init__(self) -> None:
        self.groups: tuple[LaneGroup, ...] = ()
        # By the node of the engine; 0 for what belongs to none.
        self._books: dict[int, LaneBook] = {0: LaneBook()}
        self._heights: dict[int, int] = {}

    def forget(self) -> None:
        """See LaneBook."""
        self.groups = ()
        self._heights.clear()
        for book in self._books.values():
            book.forget()

    def follow(self, was: int, now: int) -> None:
        """See LaneBook."""
        for book in self._books.values():
            book.follow(was, now)

    def assign(
        self,
        table: NodeTable,
        left: Xs,
        right: Xs,
        held: Held = (),
        stubs: Collection[int] = (),
        asides: Collection[int] = (),
    ) -> Ints:
        """See LaneBook."""
        engines = engine_rows(table)
        if not len(engines):
            self.groups = ()
            return self._books[0].assign(table, left, right, held, stubs, asides)
        tops, held = _tops(table), tuple(held)
        lanes = np.zeros(len(table), dtype=np.int64)
        numbers = {int(table.ids[row]): row for row in engines.tolist()}
        self._books = {
            number: self._books.get(number) or LaneBook() for number in (0, *sorted(numbers))
        }
        before = {group.node: group for group in self.groups}
        of_none = np.flatnonzero(~np.isin(tops, engines))
        at, groups = 0, []
        for number, book in self._books.items():
            rows = np.flatnonzero(tops == numbers[number]) if number else of_none
            if not number and len(rows) == 1:
                # Only the root, which takes no room.
                continue
            inside = _inside(held, before.get(number))
            made = book.assign(
                _part(table, rows),
                left[rows],
                right[rows],
                inside,
                _among(rows, stubs),
                _among(rows, asides),
            )
            headings = 1 if number else 0
            lanes[rows] = at + headings + made
            height = headings + self._height(number, book.count)
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
    """For each row the one of its path that is right below the root; the root is its own."""
    found = np.where(table.parent <= 0, np.arange(len(table)), table.parent)
    while True:
        further = found[found]
        if np.array_equal(further, found):
            return found
        found = further


def _part(table: NodeTable, rows: Ints) -> NodeTable:
    """A subtree as a table; what hangs outside of it becomes a root."""
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
    """Where some rows are in a part."""
    if not wanted:
        return []
    places = np.searchsorted(rows, np.array(list(wanted), dtype=np.int64))
    return [
        place
        for place, row in zip(places.tolist(), wanted, strict=True)
        if place < len(rows) and rows[place] == row
    ]


def _inside(held: tuple[tuple[int, float, float], ...], group: LaneGroup | None) -> Held:
    """What is held in the lanes of a group, as it sees them."""
    if group is None:
        return ()
    first = group.first + 1
    return [
        (lane - first, left, right)
        for lane, left, right in held
        if first <= lane < group.first + group.count
    ]
