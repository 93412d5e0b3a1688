"""Walks the tree with the arrow keys. Without Qt."""

from __future__ import annotations

from typing import Literal

import numpy as np

from app.cache.logic.layout import Layout
from app.cache.logic.table import LIVE_ID

Direction = Literal["parent", "child", "next", "previous", "checkpoint before", "checkpoint after"]


def neighbour(layout: Layout, row: int, direction: Direction) -> int | None:
    """The row next to one: its parent, its heaviest child, a sibling (cyclically), or a checkpoint.

    Checkpoints are ordered from left to right within a lane, then by lane.

    It never selects the root or the running request, but it does select chips.
    """
    table = layout.table
    above = int(table.parent[row])
    target: int | None = None
    if direction == "parent" and above > 0:
        target = above
    elif direction == "child" and table.children[row]:
        target = table.children[row][0]
    elif direction in ("checkpoint before", "checkpoint after"):
        target = _checkpoint(layout, row, 1 if direction == "checkpoint after" else -1)
    elif direction in ("next", "previous") and above >= 0:
        near = table.children[above]
        step = 1 if direction == "next" else -1
        target = near[(near.index(row) + step) % len(near)]
    if target is None or table.ids[target] == LIVE_ID:
        return None
    return target


def _checkpoint(layout: Layout, row: int, step: int) -> int | None:
    """The next or previous checkpoint from a row; None at the end."""
    table = layout.table
    rows = np.flatnonzero((table.provenance > 0) | (np.arange(len(table)) == row))
    order = rows[np.lexsort((layout.scale.right[rows], layout.lane[rows]))].tolist()
    at = order.index(row) + step
    return order[at] if 0 <= at < len(order) and table.provenance[order[at]] else None
