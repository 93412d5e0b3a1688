"""Walks the tree with the arrow keys. Without Qt."""

from __future__ import annotations

from typing import Literal

from app.cache.layout import Layout
from app.cache.table import LIVE_ID

Direction = Literal["parent", "child", "next", "previous"]


def neighbour(layout: Layout, row: int, direction: Direction) -> int | None:
    """The row next to one: its parent, its heaviest child, or a sibling (cyclically).

    It never stops at the root or the running request, but at chips.
    """
    table = layout.table
    above = int(table.parent[row])
    target: int | None = None
    if direction == "parent" and above > 0:
        target = above
    elif direction == "child" and table.children[row]:
        target = table.children[row][0]
    elif direction in ("next", "previous") and above >= 0:
        near = table.children[above]
        step = 1 if direction == "next" else -1
        target = near[(near.index(row) + step) % len(near)]
    if target is None or table.ids[target] == LIVE_ID:
        return None
    return target
