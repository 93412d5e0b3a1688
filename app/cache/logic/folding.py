"""Folds long chains and wide fans of the tree into chips, such as "+12 branches, 4.1k tokens".

It turns a table into a smaller one, and records what each chip stands for. Without Qt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import groupby
from typing import Literal

import numpy as np

from app.cache.logic.arrays import Flags, Ints
from app.cache.logic.chats import Chats
from app.cache.logic.forest import Children, below, nearest
from app.cache.logic.mark_table import BITS
from app.cache.logic.table import NodeTable, engine_rows
from app.core.words import format as fmt
from app.core.words.joining import listed
from app.core.words.tr import tr

LEAST_CHAIN = 3
MOST_BRANCHES = 8
# This many of the heaviest branches of a wide fan stay next to its chip.
SHOWN_BRANCHES = 4
# A tree of fewer nodes is not folded.
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
        id: of its row; the same as long as its first node exists.
        kind: consecutive nodes, sibling branches, what only one other conversation uses, or
            thinking that the template has dropped.
        key: by which it is opened; nodes that must stay may split a chain into chips of one key.
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
        """The chip's label."""
        if self.tokens == 1:
            return f"{self.short} · {fmt.plural(1, 'token')}"
        tokens = tr("{tokens} tokens").format(tokens=fmt.thousands(self.tokens))
        return f"{self.short} · {tokens}"

    @property
    def short(self) -> str:
        """The label for little room."""
        if self.kind == "chat":
            return self.title
        if self.kind == "thinking":
            return tr("thinking")
        if self.kind == "chain":
            return tr("+{ids:,} nodes").format(ids=len(self.ids))
        return tr("+{branches:,} branches").format(branches=self.branches)


def chip_tooltip(chip: Chip) -> str:
    """What a chip stands for, and how to open it."""
    nodes = fmt.plural(len(chip.ids), "node")
    what = {
        "chain": tr("{nodes} that only follow one another").format(nodes=nodes),
        "fan": tr("{branches:,} branches of {nodes}").format(branches=chip.branches, nodes=nodes),
        "chat": tr("{title}\n{nodes} that only this conversation uses").format(
            title=chip.title, nodes=nodes
        ),
        "thinking": tr("Normal: the template drops thinking from later prompts\n{nodes}").format(
            nodes=nodes
        ),
    }[chip.kind]
    held = listed((fmt.plural(chip.tokens, "token"), fmt.plural(chip.checkpoints, "checkpoint")))
    return tr("{what}\n{held}\nDouble-click or press Enter to unfold").format(what=what, held=held)


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """A folded table.

    Attributes:
        table: the nodes that are shown, and a row for each chip, whose `source` is -1.
        chips: by row of `table`.
        shown_by: for each row before folding, the row of `table` that shows it.
    """

    table: NodeTable
    chips: Chips
    shown_by: Ints

    def of_kind(self, kind: Kind) -> Ints:
        """The rows of the chips of a kind."""
        return np.array(self.chips.of_kind(kind), dtype=np.int64)

    def sums(self, values: Ints) -> Ints:
        """Sums of the values of the rows before folding, by row of `table`."""
        if not self.chips:
            return values
        made = np.zeros(len(self.table), dtype=np.int64)
        np.add.at(made, self.shown_by, values)
        return made

    def least(self, values: Ints) -> Ints:
        """Minima of the values of the rows before folding, by row of `table`."""
        if not self.chips:
            return values
        made = np.full(len(self.table), np.iinfo(np.int64).max)
        np.minimum.at(made, self.shown_by, values)
        return made

    def then(self, second: Folded) -> Folded:
        """Compose with a folding of this table, which must have kept the chips of this one."""
        kept = self.chips.moved(second.shown_by)
        return Folded(second.table, kept.joined(second.chips), second.shown_by[self.shown_by])

    def any(self, flags: Flags) -> Flags:
        """Flags of the rows before folding, by row of `table`; a chip combines its nodes' by or."""
        found: Flags = self.sums(flags.astype(np.int64)) > 0
        return found


@dataclass(frozen=True, slots=True)
class Found:
    """The rows of a chip that is yet to be created.

    Attributes:
        name: of its row's id.
        rows: in their order, so that the tops of all subtrees in it come first.
        branches: how many tops there are.
    """

    kind: Kind
    key: int
    name: int
    rows: Ints
    branches: int
    title: str = ""


class Chips(Mapping[int, Chip]):
    """Chips by row, created lazily, since there may be thousands."""

    def __init__(self, found: Mapping[int, tuple[NodeTable, Found]]) -> None:
        """found: with the table before folding."""
        self._found = found
        self._made: dict[int, Chip] = {}

    def __getitem__(self, row: int) -> Chip:
        if row not in self._made:
            self._made[row] = _chip(*self._found[row])
        return self._made[row]

    def __iter__(self) -> Iterator[int]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def of_kind(self, kind: Kind) -> list[int]:
        """The rows of the chips of a kind."""
        return [row for row, (_, one) in self._found.items() if one.kind == kind]

    def moved(self, now: Ints) -> Chips:
        """These chips with their rows renumbered by `now`."""
        return Chips({int(now[row]): one for row, one in self._found.items()})

    def joined(self, others: Chips) -> Chips:
        """These chips and others, whose rows must differ."""
        return Chips({**self._found, **others._found}) if others else self


class Folding:
    """What a user folds, and what is never folded.

    Attributes:
        on: long chains and wide fans are folded.
        opened: keys of chips that were opened.
        found: ids that a search found.
        chats: names of the conversations, and which one is shown in full.
    """

    def __init__(self, on: bool = True) -> None:
        self.on = on
        self.opened: set[int] = set()
        self.found: frozenset[int] = frozenset()
        self.chats = Chats()
        self._chosen: list[int] = []

    def keep(self, number: int) -> None:
        """Keep a node that was selected unfolded, like the ones selected before it for a while."""
        self._chosen = [*(one for one in self._chosen if one != number), number][-_REMEMBERED:]

    def forget(self) -> None:
        """Fold all again."""
        self.opened.clear()
        self._chosen = self._chosen[-1:]

    def kept(self, table: NodeTable) -> Flags:
        """The rows that are never folded."""
        kept: Flags = table.marks & _ALWAYS_SHOWN > 0
        kept[engine_rows(table)] = True
        named = [*self._chosen, *self.found]
        return kept | np.isin(table.ids, named) if named else kept

    def apply(self, table: NodeTable, *, chains: bool = True) -> Folded:
        """Fold a table; existing chips stay."""
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
    count = table.children.counts
    fans = np.flatnonzero(count > MOST_BRANCHES)
    on_way = ways(table, keep) if len(fans) else keep
    heads = _chain_heads(table) if chains else fans[:0]
    hidden = np.zeros(len(table), dtype=np.bool_)
    found: list[Found] = []
    # Parents come first: what a fan folds is no longer a fan or chain of its own.
    for row in fans.tolist():
        one = None if hidden[row] else _fan(table, row, on_way)
        if one is not None and one.key not in opened:
            found.append(one)
            hidden[one.rows] = True
    for row in heads.tolist():
        if not hidden[row]:
            pieces = _pieces(table, _chain(table, row), keep)
            found += [one for one in pieces if one.key not in opened]
    return collapse(table, found)


def ways(table: NodeTable, keep: Flags) -> Flags:
    """Flags of kept rows and their ancestors."""
    if not keep.any():
        return keep
    found: Flags = below(table.parent, keep.astype(np.int64)) > 0
    return found


def subtrees(table: NodeTable, tops: Ints) -> Ints:
    """The rows of some subtrees, in their order."""
    flags = np.zeros(len(table), dtype=np.bool_)
    flags[tops] = True
    return np.flatnonzero(nearest(table.parent, flags) >= 0)


def _fan(table: NodeTable, row: int, on_way: Flags) -> Found | None:
    """All but the heaviest of many branches, and those that lead to what must stay."""
    kids = np.array(table.children[row], dtype=np.int64)[SHOWN_BRANCHES:]
    tops = kids[~on_way[kids]]
    if len(tops) < 2:
        return None
    key = 2 * int(table.ids[row]) + 1
    return Found("fan", key, key, subtrees(table, tops), len(tops))


def _chain_heads(table: NodeTable) -> Ints:
    """Rows followed by a chain that is long enough for a chip."""
    only = np.append(table.children.only, -1)
    alone = only[:-1] >= 0
    inner = alone & (table.parent >= 0)
    # Only the first row of a chain is a head.
    heads = np.flatnonzero(inner & ~inner[table.parent])
    at = heads
    for _ in range(LEAST_CHAIN):
        at = only[at]
        long = (at >= 0) & (only[at] >= 0)
        heads, at = heads[long], at[long]
    return heads


def _chain(table: NodeTable, row: int) -> list[int]:
    """The chain of only children below a row, without its last.

    The row and the end stay, so that each branch shows how it begins and ends.
    """
    rows: list[int] = []
    at = table.children[row][0]
    while len(kids := table.children[at]) == 1:
        rows.append(at)
        at = kids[0]
    return rows


def _pieces(table: NodeTable, chain: list[int], keep: Flags) -> Iterator[Found]:
    """The pieces of a chain between rows that must stay."""
    for stays, rows in groupby(chain, key=lambda row: bool(keep[row])):
        piece = np.array(list(rows), dtype=np.int64)
        if not stays and len(piece) >= LEAST_CHAIN:
            key, name = 2 * int(table.ids[chain[0]]), 2 * int(table.ids[piece[0]])
            yield Found("chain", key, name, piece, 1)


def whole(table: NodeTable) -> Folded:
    """A table with nothing folded."""
    return Folded(table, Chips({}), np.arange(len(table)))


def collapse(table: NodeTable, found: list[Found]) -> Folded:
    """The table with each chip in place of its first row; no row may be in two chips."""
    if not found:
        return whole(table)
    owner = np.full(len(table), -1, dtype=np.int64)
    held = np.concatenate([one.rows for one in found])
    owner[held] = np.repeat(np.arange(len(found)), [len(one.rows) for one in found])
    heads = np.array([one.rows[0] for one in found], dtype=np.int64)
    stays = owner < 0
    stays[heads] = True
    rows = np.flatnonzero(stays)
    place = np.cumsum(stays) - 1
    shown_by = np.where(owner < 0, place, place[heads[owner]])
    parent = np.where(table.parent[rows] < 0, -1, shown_by[table.parent[rows]])
    columns = {
        field.name: getattr(table, field.name)[rows]
        for field in fields(table)
        if isinstance(getattr(table, field.name), np.ndarray)
    }
    made = replace(table, **columns | {"parent": parent}, children=Children.of(parent))
    chips = place[heads]
    made.ids[chips] = [_FIRST_CHIP - one.name for one in found]
    made.source[chips] = -1
    made.weight[chips] = [table.weight[one.rows[: one.branches]].sum() for one in found]
    made.provenance[chips] = made.state_lock[chips] = made.marks[chips] = 0
    at = shown_by[held]
    np.maximum.at(made.end, at, table.end[held])
    np.maximum.at(made.kv_lock, at, table.kv_lock[held])
    np.bitwise_or.at(made.marks, at, table.marks[held])
    known = {row: (table, one) for row, one in zip(chips.tolist(), found, strict=True)}
    return Folded(made, Chips(known), shown_by)


def _chip(table: NodeTable, one: Found) -> Chip:
    held = one.rows
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
