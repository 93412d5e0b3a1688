"""What is folded, found with loops over all nodes: the reference for the fast ways.

Each chip to be is its kind, its key, and the rows that it hides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from app.cache.logic.arrays import Flags
from app.cache.logic.folding import LEAST_CHAIN, MOST_BRANCHES, SHOWN_BRANCHES, Kind
from tests.app.cache.naive.table import NaiveTable


@dataclass(frozen=True, slots=True)
class Found:
    """A chip to be: its rows, those that others follow or branch from first."""

    kind: Kind
    key: int
    name: int
    rows: list[int]
    branches: int
    title: str = ""


def fold(
    table: NaiveTable, keep: Flags, opened: Collection[int] = (), *, chains: bool = True
) -> list[Found]:
    """Fold a table; rows of `keep` stay visible.

    Args:
        opened: keys of chips that the user opened.
        chains: fold chains, too, not only fans.
    """
    on_way = _ways(table, keep)
    owner = np.full(len(table), -1, dtype=np.int64)
    found: list[Found] = []
    # Parents come first: what a fan takes away, or was opened, is no chain of its own any more.
    settled = np.zeros(len(table), dtype=np.bool_)
    for row in range(len(table)):
        if owner[row] >= 0:
            continue
        chain = [] if settled[row] or not chains else _chain(table, row)
        settled[chain] = True
        for one in (*_fan(table, row, on_way), *_pieces(table, chain, keep)):
            if one.key not in opened:
                owner[one.rows] = len(found)
                found.append(one)
    return found


def _ways(table: NaiveTable, keep: Flags) -> Flags:
    """Rows that have a kept one in their subtree."""
    found: list[bool] = keep.tolist()
    parent = table.parent.tolist()
    for row in range(len(found) - 1, 0, -1):
        if found[row] and parent[row] >= 0:
            found[parent[row]] = True
    return np.array(found, dtype=np.bool_)


def _fan(table: NaiveTable, row: int, on_way: Flags) -> Iterator[Found]:
    """All but the heaviest of many branches, and those that lead to what must stay."""
    kids = table.children[row]
    if len(kids) <= MOST_BRANCHES:
        return
    tops = [kid for kid in kids[SHOWN_BRANCHES:] if not on_way[kid]]
    if len(tops) > 1:
        rows = list(tops)
        for at in rows:
            rows.extend(table.children[at])
        key = 2 * int(table.ids[row]) + 1
        yield Found("fan", key, key, rows, len(tops))


def _chain(table: NaiveTable, row: int) -> list[int]:
    """Nodes below a row that only follow one another.

    The row stays, and so does what follows them: each branch shows how it begins and ends.
    """
    rows: list[int] = []
    if table.parent[row] < 0 or len(table.children[row]) != 1:
        return rows
    at = table.children[row][0]
    while len(table.children[at]) == 1:
        rows.append(at)
        at = table.children[at][0]
    return rows


def _pieces(table: NaiveTable, chain: list[int], keep: Flags) -> Iterator[Found]:
    """The stretches of a chain between what must stay."""
    for stays, rows in groupby(chain, key=lambda row: bool(keep[row])):
        piece = list(rows)
        if not stays and len(piece) >= LEAST_CHAIN:
            key, name = 2 * int(table.ids[chain[0]]), 2 * int(table.ids[piece[0]])
            yield Found("chain", key, name, piece, 1)
