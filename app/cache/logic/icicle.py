"""Memory as an icicle: the root on top, each box as wide as the bytes of its subtree. Without Qt.

A box's children hang below it from the left; the room to their right is the box's own bytes. Boxes
too narrow to see are merged into one counted box for each run of neighbours, as memray does with
small frames.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cache.logic.arrays import Flags, Floats, Ints
from app.cache.logic.columns import order_by
from app.cache.logic.forest import Preorder, before
from app.cache.logic.table import LIVE_ID, NodeTable
from engine.snapshot import CacheSnapshot


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Bytes of each row of a table.

    Attributes:
        kv, state: of the row alone; int64.
        kv_below, state_below: of its whole subtree, the row included.
    """

    kv: Ints
    state: Ints
    kv_below: Ints
    state_below: Ints

    @classmethod
    def of(cls, walk: Preorder, kv: Ints, state: Ints) -> Weights:
        """From each row's own bytes."""
        return cls(kv, state, walk.below(kv), walk.below(state))

    @property
    def own(self) -> Ints:
        return self.kv + self.state

    @property
    def whole(self) -> Ints:
        return self.kv_below + self.state_below


@dataclass(frozen=True, slots=True, eq=False)
class Icicle:
    """Boxes in bytes and levels.

    Attributes:
        table: the nodes; row 0 is the root.
        weights: see Weights.
        left: byte offset of each row's left edge.
        depth: level of each row, 0 at the root.
        count: rows in each row's subtree, itself included.
        levels: number of levels.
        order: rows by level, then from left to right; siblings are contiguous.
    """

    table: NodeTable
    weights: Weights
    left: Ints
    depth: Ints
    count: Ints
    levels: int
    order: Ints

    @property
    def total(self) -> int:
        """Bytes of the whole tree."""
        return int(self.weights.whole[0]) if len(self.table) else 0

    def hit(self, offset: float, level: int) -> int | None:
        """The row under a byte offset of a level."""
        mine = np.flatnonzero(self.depth == level)
        inside = mine[
            (self.left[mine] <= offset) & (offset < self.left[mine] + self.weights.whole[mine])
        ]
        return int(inside[0]) if len(inside) else None


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """The boxes to draw of an icicle at a scale: columns with one row per box.

    Attributes:
        row: of the table; for a counted box, the first of those that it stands for.
        count: 1 for a node; for a counted box, how many nodes it stands for.
        left, width: pixels; no two boxes of a level overlap.
        level: depth.
        counted: the box stands for several nodes.
    """

    row: Ints
    count: Ints
    left: Floats
    width: Floats
    level: Ints
    counted: Flags


def own_bytes(snapshot: CacheSnapshot, table: NodeTable) -> tuple[Ints, Ints]:
    """KV and state of each row; the running request has the live slots of the pools."""
    kv = table.of_nodes(table.columns.kv_bytes, 0)
    state = table.of_nodes(table.columns.state_bytes, 0)
    live, running = snapshot.live, np.flatnonzero(table.ids == LIVE_ID)
    if live is not None and len(running):
        row = int(running[0])
        kv[row] = max(0, live.position - int(table.start[row])) * snapshot.kv.slot_bytes
        state[row] = snapshot.state.live * snapshot.state.slot_bytes
    return kv, state


def hang(table: NodeTable, kv: Ints, state: Ints, rank: Ints) -> Icicle:
    """Lay out the boxes; siblings are ordered by `rank`, which should not change with time.

    Args:
        kv, state: bytes of each row alone.
    """
    kids = table.children.rows
    kids = kids[order_by(table.parent[kids], rank[kids])]
    walk = Preorder.of(table.parent, kids)
    weights = Weights.of(walk, kv, state)
    aside = np.zeros(len(table), dtype=np.int64)
    aside[kids] = before(table.parent[kids], weights.whole[kids])
    depth = walk.above(np.ones(len(table), dtype=np.int64)) - 1
    return Icicle(
        table=table,
        weights=weights,
        left=walk.above(aside),
        depth=depth,
        count=walk.count,
        levels=int(depth.max(initial=-1)) + 1,
        # Within a level, boxes are in preorder.
        order=order_by(depth, walk.place),
    )


def boxes(
    icicle: Icicle, offset: float, px_per_byte: float, width: float, least_px: float = 3.0
) -> Boxes:
    """The boxes within `width` pixels from byte `offset`.

    A box narrower than `least_px` is drawn as itself only if it has no narrow neighbours and no
    children; otherwise it and its narrow neighbours, with their subtrees, are one counted box.
    """
    whole = icicle.weights.whole
    wide = whole * px_per_byte >= least_px
    left = (icicle.left - offset) * px_per_byte
    seen = (left + whole * px_per_byte >= 0) & (left <= width)
    order = icicle.order[seen[icicle.order]]
    parent = icicle.table.parent
    above_wide = np.where(parent[order] >= 0, wide[parent[order]], True)
    narrow = order[~wide[order] & above_wide]
    shown = order[wide[order]]
    joins = _runs(icicle, narrow, wide)
    head = narrow[joins]
    count = np.add.reduceat(icicle.count[narrow], joins) if len(joins) else joins
    reach = np.add.reduceat(whole[narrow], joins) if len(joins) else joins
    row = np.concatenate([shown, head])
    return Boxes(
        row=row,
        count=np.concatenate([np.ones(len(shown), dtype=np.int64), count]),
        left=left[row],
        width=np.concatenate([whole[shown], reach]) * px_per_byte,
        level=icicle.depth[row],
        counted=np.concatenate([np.zeros(len(shown), dtype=np.bool_), count > 1]),
    )


def _runs(icicle: Icicle, narrow: Ints, wide: Flags) -> Ints:
    """The starts of runs of neighbours in `narrow`, which is in the icicle's order."""
    if not len(narrow):
        return np.zeros(0, dtype=np.int64)
    place = np.empty(len(icicle.order), dtype=np.int64)
    place[icicle.order] = np.arange(len(icicle.order))
    above = icicle.table.parent[narrow]
    apart = (np.diff(above) != 0) | (np.diff(place[narrow]) != 1)
    starts: Ints = np.flatnonzero(np.append(True, apart))
    return starts


def standing(table: NodeTable) -> Ints:
    """A rank by age, then by id, so that the order of existing rows never changes.

    The upper half of a split node is as old as the node, and the running request is the youngest.
    """
    created = np.append(table.columns.created, np.inf)
    order = order_by(created[table.source], table.ids)
    rank = np.empty(len(table), dtype=np.int64)
    rank[order] = np.arange(len(table))
    return rank
