"""Blocks of siblings for the tidy tree: with a thousand of them, a change concerns few. Without Qt.

Siblings are placed one after the other, so whatever comes after a change is placed anew. Those of a
wide fan are parted into blocks, which are placed within themselves and then beside one another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cache.arrays import Flags, Ints, Xs

# More siblings than this are parted; of those, one in so many begins a block.
_WIDE, _BITS = 128, 5
# Far above the ids of nodes, for each level of blocks.
_LEVEL_BITS = 56
_SPREADING = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows of a tree, as TidyBook takes them; blocks come last and have no length."""

    ids: Ints
    parent: Ints
    kids: Ints
    length: Xs


def in_blocks(rows: Rows) -> Rows:
    """The rows with blocks between a parent and its children where there are many.

    Which siblings begin one follows from their ids, so that one more or less changes one block.
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
    # Blocks stand where their first members did.
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
