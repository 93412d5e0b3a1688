"""The shape of the tree as a tidy tree: who goes on from whom, whatever the positions. Without Qt.

A node is as long as the logarithm of its tokens, so that a word and a book both have room.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cache.arrays import Ints, Xs
from app.cache.blocks import Rows, in_blocks
from app.cache.ordering import order_by
from app.cache.table import NodeTable
from app.cache.tidy_book import TidyBook

GAP = 28.0
_ROOT = 14.0
_LEAST = 56.0
_PER_DOUBLING = 14.0


@dataclass(frozen=True, slots=True, eq=False)
class Topology:
    """Where the rows of a table go: from the root to the right, and down in lanes.

    Attributes:
        left, right: of each row's box, in pixels at full size.
        lane: of each row's box; no two boxes of a lane overlap.
        lanes: how many there are.
        extent: the right end.
    """

    left: Xs
    right: Xs
    lane: Ints
    lanes: int
    extent: float


def spread(table: NodeTable, rank: Ints, book: TidyBook | None = None) -> Topology:
    """Lay out a table; siblings stand in the order of `rank`.

    `book`: has the tree as it was laid out last, most of which need not be laid out again.
    """
    length = lengths(table)
    kids = table.children.rows
    kids = kids[order_by(table.parent[kids], rank[kids])]
    rows = in_blocks(Rows(table.ids, table.parent, kids, length + GAP))
    left, across = (book or TidyBook()).places(rows.ids, rows.parent, rows.kids, rows.length)
    left, across = left[: len(table)], across[: len(table)]
    # Boxes that are a lane apart still are after rounding down. A hair keeps 2.9999… at 3.
    lane = np.floor(across + 1e-6).astype(np.int64)
    right = left + length
    extent = float(right.max(initial=0.0))
    return Topology(left, right, lane, int(lane.max(initial=-1)) + 1, extent)


def lengths(table: NodeTable) -> Xs:
    """Of the boxes, in pixels at full size, to a sixteenth: sums of them are exact."""
    made = _LEAST + _PER_DOUBLING * np.log2(1.0 + (table.end - table.start))
    made = np.round(made * 16) / 16
    found: Xs = np.where(table.parent < 0, _ROOT, made)
    return found
