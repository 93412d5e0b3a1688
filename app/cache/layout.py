"""Where each part of the tree goes: token positions and lanes, in numpy. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from app.cache.lanes import LaneBook
from app.cache.table import LIVE_ID, Flags, Floats, Ints, NodeTable, build_table
from engine.snapshot import CacheSnapshot, LiveView


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The picture in units of tokens and lanes.

    Attributes:
        table: the nodes; row 0 is the root.
        lane: of each row.
        forks: rows that leave their parent's lane, at `table.start`.
        on_path: rows on the running request's path.
        lanes: how many there are.
        extent: the last token position.
        version, live: of the snapshot.
    """

    table: NodeTable
    lane: Ints
    forks: Ints
    on_path: Flags
    lanes: int
    extent: int
    version: int
    live: LiveView | None
    _stride: int
    _order: Ints
    _keys: Floats

    def row_of(self, node: int) -> int | None:
        found = np.flatnonzero(self.table.ids == node)
        return int(found[0]) if len(found) else None

    def hit(self, position: float, lane: int) -> int | None:
        """The row under a token position of a lane."""
        if not 0 <= lane < self.lanes:
            return None
        at = int(np.searchsorted(self._keys, lane * self._stride + position, side="right")) - 1
        if at < 0:
            return None
        row = int(self._order[at])
        inside = self.table.start[row] <= position < self.table.end[row]
        return row if self.lane[row] == lane and inside else None

    def free(self, lane: int, start: int, end: int) -> bool:
        """Whether no node of a lane overlaps [start, end)."""
        # Nodes of one lane never overlap, so only the last that starts before the end can.
        reach = lane * self._stride + min(end, self._stride)
        at = int(np.searchsorted(self._keys, reach, side="left")) - 1
        if at < 0:
            return True
        row = int(self._order[at])
        return bool(self.lane[row] != lane or self.table.end[row] <= start)

    def checkpoint_near(self, position: float, lane: int, reach: float) -> int | None:
        """The row whose checkpoint is within `reach` tokens of a position in a lane."""
        near = (
            (self.lane == lane)
            & (self.table.provenance > 0)
            & (np.abs(self.table.end - position) <= reach)
        )
        rows = np.flatnonzero(near)
        if not len(rows):
            return None
        return int(rows[np.argmin(np.abs(self.table.end[rows] - position))])

    def visible(self, left: float, right: float, top: int, bottom: int) -> Ints:
        """Rows with tokens in [left, right] on lanes [top, bottom]."""
        table = self.table
        seen = (table.end >= left) & (table.start <= right) & (table.end > table.start)
        return np.flatnonzero(seen & (self.lane >= top) & (self.lane <= bottom))


def path_rows(table: NodeTable, row: int) -> list[int]:
    """A row and its ancestors, up to the root."""
    rows = []
    while row >= 0:
        rows.append(row)
        row = int(table.parent[row])
    return rows


def lay_out(
    snapshot: CacheSnapshot, book: LaneBook, held: Iterable[tuple[int, int, int]] = ()
) -> Layout:
    """Lay out a snapshot; `book` keeps lanes where they were.

    `held`: lane, start and end of everything on screen besides the tree.
    """
    table = build_table(snapshot)
    lane = book.assign(table, held)
    has_parent = table.parent >= 0
    above = np.where(has_parent, table.parent, 0)
    forks = np.flatnonzero(has_parent & (lane != lane[above]) & (table.end > table.start))
    on_path = np.zeros(len(table), dtype=np.bool_)
    if snapshot.live is not None:
        ends_at = np.flatnonzero(table.ids == LIVE_ID)
        if not len(ends_at):
            ends_at = np.flatnonzero(table.ids == snapshot.live.node)
        if len(ends_at):
            on_path[path_rows(table, int(ends_at[0]))] = True
    extent = int(table.end.max(initial=0))
    real = np.flatnonzero(table.end > table.start)
    keys = (lane[real] * (extent + 2) + table.start[real]).astype(np.float64)
    order = np.argsort(keys, kind="stable")
    return Layout(
        table=table,
        lane=lane,
        forks=forks,
        on_path=on_path,
        lanes=book.count,
        extent=extent,
        version=snapshot.version,
        live=snapshot.live,
        _stride=extent + 2,
        _order=real[order],
        _keys=keys[order],
    )


def advance(before: Layout | None, snapshot: CacheSnapshot) -> Layout | None:
    """The layout of a snapshot in which only the running request advanced; None otherwise.

    Writing an answer changes nothing else for hundreds of snapshots, so this fast path pays off.
    """
    live = snapshot.live
    if before is None or live is None or before.live is None or before.version != snapshot.version:
        return None
    was = before.live
    if (live.request, live.node) != (was.request, was.node):
        return None
    row = before.row_of(LIVE_ID)
    reach = max(live.position, live.total)
    if row is None or len(before.table) != len(snapshot.nodes) + 1:
        return None
    ends = before.table.end
    grown = reach > ends[row]
    beside = (before.lane == before.lane[row]) & (before.table.start >= ends[row])
    if grown and (before.table.start[beside] < reach).any():
        return None
    ends = ends.copy()
    ends[row] = reach
    table = replace(before.table, end=ends)
    return replace(before, table=table, extent=max(before.extent, reach), live=live)
