"""Folds long chains and wide fans of the tree into chips, such as "+12 branches, 4.1k tokens".

A table goes in and a smaller one comes out, with what each chip stands for. Without Qt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields, replace
from itertools import groupby
from typing import Literal

import numpy as np

from app.cache.chats import Chats
from app.cache.mark_table import BITS
from app.cache.table import Flags, Ints, NodeTable
from app.words import format as fmt

LEAST_CHAIN = 3
MOST_BRANCHES = 8
# Of a wide fan, so many of the heaviest stay beside its chip.
SHOWN_BRANCHES = 4
# A tree of fewer nodes is read as it is.
LEAST_NODES = 24
_REMEMBERED = 32
_ALWAYS_SHOWN = BITS["running"] | BITS["pinned"]
# Ids of chips lie below all others; the live row's is -1.
_FIRST_CHIP = -2

Kind = Literal["chain", "fan", "chat", "thinking"]


@dataclass(frozen=True, slots=True)
class Chip:
    """What a chip stands for.

    Attributes:
        id: of its row; the same as long as its first node is there.
        kind: nodes that follow one another, branches beside one another, what only one other
            conversation uses, or thinking that the template has dropped.
        key: by which it is opened; what must stay may part a chain into chips with one key.
        ids: of all nodes in it.
        branches: subtrees in it; 1 for a chain.
        tokens: in all its nodes.
        checkpoints: in it.
        title: of the conversation, "" for other chips.
    """

    id: int
    kind: Kind
    key: int
    ids: tuple[int, ...]
    branches: int
    tokens: int
    checkpoints: int
    title: str = ""

    @property
    def words(self) -> str:
        """On the chip."""
        tokens = f"{fmt.thousands(self.tokens)} tokens"
        if self.kind == "chat":
            return f"{self.title}, {tokens}"
        if self.kind == "thinking":
            return f"thinking, {tokens}"
        if self.kind == "chain":
            return f"+{len(self.ids):,} nodes, {tokens}"
        return f"+{self.branches:,} branches, {tokens}"


def chip_tooltip(chip: Chip) -> str:
    """What a chip stands for, and how to open it."""
    nodes = fmt.plural(len(chip.ids), "node")
    what = {
        "chain": f"{nodes} that only follow one another",
        "fan": f"{chip.branches:,} branches of {nodes}",
        "chat": f"{chip.title}\n{nodes} that only this conversation uses",
        "thinking": f"Normal: the template drops thinking from later prompts\n{nodes}",
    }[chip.kind]
    held = f"{fmt.plural(chip.tokens, 'token')}, {fmt.plural(chip.checkpoints, 'checkpoint')}"
    return f"{what}\n{held}\nDouble-click or press Enter to unfold"


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """A folded table.

    Attributes:
        table: the nodes that are shown, and a row for each chip, whose `source` is -1.
        chips: by row of `table`.
        shown_by: for each row before folding, the row of `table` that shows it.
    """

    table: NodeTable
    chips: dict[int, Chip]
    shown_by: Ints

    def of_kind(self, kind: Kind) -> Ints:
        """The rows of the chips of a kind."""
        return np.array(
            [row for row, chip in self.chips.items() if chip.kind == kind], dtype=np.int64
        )

    def sums(self, values: Ints) -> Ints:
        """Values of the rows before folding, added up for the rows of `table`."""
        made = np.zeros(len(self.table), dtype=np.int64)
        np.add.at(made, self.shown_by, values)
        return made

    def least(self, values: Ints) -> Ints:
        """Values of the rows before folding, of each row of `table` the least."""
        made = np.full(len(self.table), np.iinfo(np.int64).max)
        np.minimum.at(made, self.shown_by, values)
        return made

    def then(self, second: Folded) -> Folded:
        """This and what was folded of its table, as one; chips of this one must have stayed."""
        kept = {int(second.shown_by[row]): chip for row, chip in self.chips.items()}
        return Folded(second.table, kept | second.chips, second.shown_by[self.shown_by])

    def any(self, flags: Flags) -> Flags:
        """Flags of the rows before folding; a chip has one that any of its nodes has."""
        found: Flags = self.sums(flags.astype(np.int64)) > 0
        return found


@dataclass(frozen=True, slots=True)
class Found:
    """A chip to be: its rows, those that others follow or branch from first."""

    kind: Kind
    key: int
    name: int
    rows: list[int]
    branches: int
    title: str = ""


class Folding:
    """What a user folds, and what stays in sight whatever is folded.

    Attributes:
        on: long chains and wide fans are folded.
        opened: keys of chips that were opened.
        found: ids that a search found.
        chats: whose nodes there are, and which conversation is shown in full.
    """

    def __init__(self, on: bool = True) -> None:
        self.on = on
        self.opened: set[int] = set()
        self.found: frozenset[int] = frozenset()
        self.chats = Chats()
        self._chosen: list[int] = []

    def keep(self, number: int) -> None:
        """A node was selected; it stays in sight, and so do those before it for a while."""
        self._chosen = [*(one for one in self._chosen if one != number), number][-_REMEMBERED:]

    def forget(self) -> None:
        """Fold all again."""
        self.opened.clear()
        self._chosen = self._chosen[-1:]

    def kept(self, table: NodeTable) -> Flags:
        """The rows that stay in sight whatever is folded."""
        held = np.isin(table.ids, [*self._chosen, *self.found])
        kept: Flags = held | (table.marks & _ALWAYS_SHOWN > 0)
        return kept

    def apply(self, table: NodeTable, *, chains: bool = True) -> Folded:
        """Fold a table; chips that it already has stay."""
        if not self.on or len(table) < LEAST_NODES:
            return whole(table)
        keep = self.kept(table) | (table.ids <= _FIRST_CHIP)
        return fold(table, keep, self.opened, chains=chains)


def fold(
    table: NodeTable, keep: Flags, opened: Collection[int] = (), *, chains: bool = True
) -> Folded:
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
    return collapse(table, found)


def _ways(table: NodeTable, keep: Flags) -> Flags:
    """Rows that have a kept one in their subtree."""
    found: list[bool] = keep.tolist()
    parent = table.parent.tolist()
    for row in range(len(found) - 1, 0, -1):
        if found[row] and parent[row] >= 0:
            found[parent[row]] = True
    return np.array(found, dtype=np.bool_)


def _fan(table: NodeTable, row: int, on_way: Flags) -> Iterator[Found]:
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


def _chain(table: NodeTable, row: int) -> list[int]:
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


def _pieces(table: NodeTable, chain: list[int], keep: Flags) -> Iterator[Found]:
    """The stretches of a chain between what must stay."""
    for stays, rows in groupby(chain, key=lambda row: bool(keep[row])):
        piece = list(rows)
        if not stays and len(piece) >= LEAST_CHAIN:
            key, name = 2 * int(table.ids[chain[0]]), 2 * int(table.ids[piece[0]])
            yield Found("chain", key, name, piece, 1)


def whole(table: NodeTable) -> Folded:
    """A table with nothing folded."""
    return Folded(table, {}, np.arange(len(table)))


def collapse(table: NodeTable, found: list[Found]) -> Folded:
    """The table with each chip in the place of its first row; no row may be in two."""
    if not found:
        return whole(table)
    owner = np.full(len(table), -1, dtype=np.int64)
    for number, one in enumerate(found):
        owner[one.rows] = number
    heads = np.array([one.rows[0] for one in found], dtype=np.int64)
    stays = owner < 0
    stays[heads] = True
    rows = np.flatnonzero(stays)
    place = np.cumsum(stays) - 1
    shown_by = np.where(owner < 0, place, place[heads[owner]])
    parent = np.where(table.parent[rows] < 0, -1, shown_by[table.parent[rows]])
    children: list[list[int]] = [[] for _ in rows]
    for row, above in enumerate(parent.tolist()):
        if above >= 0:
            children[above].append(row)
    columns = {
        field.name: getattr(table, field.name)[rows]
        for field in fields(table)
        if isinstance(getattr(table, field.name), np.ndarray)
    }
    made = replace(table, **columns | {"parent": parent}, children=tuple(map(tuple, children)))
    chips = {}
    for one in found:
        row, held = int(place[one.rows[0]]), np.array(one.rows)
        made.ids[row] = _FIRST_CHIP - one.name
        made.source[row] = -1
        made.end[row] = table.end[held].max()
        made.weight[row] = table.weight[held[: one.branches]].sum()
        made.kv_lock[row] = table.kv_lock[held].max()
        made.provenance[row] = made.state_lock[row] = 0
        made.marks[row] = np.bitwise_or.reduce(table.marks[held])
        chips[row] = _chip(table, one, held)
    return Folded(made, chips, shown_by)


def _chip(table: NodeTable, one: Found, held: Ints) -> Chip:
    return Chip(
        id=_FIRST_CHIP - one.name,
        kind=one.kind,
        key=one.key,
        ids=tuple(table.ids[held].tolist()),
        branches=one.branches,
        tokens=int((table.end[held] - table.start[held]).sum()),
        checkpoints=int((table.provenance[held] > 0).sum()),
        title=one.title,
    )
