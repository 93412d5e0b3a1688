"""Folds what the reader of one conversation need not see: the others, and dropped thinking.

Chat templates take the thinking out of earlier answers, so that every later prompt forks where an
answer began. The branch that is left with the thinking leads nowhere, and is drawn as a stub. What
only one other conversation uses becomes one chip with its title. Without Qt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from app.cache.arrays import Flags, Ints
from app.cache.chats import Chats
from app.cache.columns import KINDS, UNKNOWN, order_by
from app.cache.folding import Folded, Folding, Found, collapse, ways, whole
from app.cache.forest import below, nearest, under
from app.cache.table import LIVE_ID, NodeTable
from engine.snapshot import CacheSnapshot

# Keys of these chips lie above those of chains and fans, which are twice an id.
_THINKING_KEYS, _CHAT_KEYS = 1 << 50, 1 << 51
_USER, _THINKING, _ANSWER = KINDS["user"], KINDS["thinking"], KINDS["assistant"]


def fold_chats(table: NodeTable, snapshot: CacheSnapshot, folding: Folding) -> Folded:
    """Fold what `folding` says of conversations; its chains and fans are not folded here."""
    if folding.chats.focus is None and not folding.on:
        return whole(table)
    stays = ways(table, folding.kept(table))
    found: list[Found] = []
    if folding.chats.focus is not None:
        found += _others(table, snapshot, stays, folding.chats, folding.opened)
        for one in found:
            stays[one.rows] = True
    if folding.on:
        found += _stumps(table, snapshot, stays, folding.opened)
    return collapse(table, found)


def aside_rows(table: NodeTable, snapshot: CacheSnapshot, chats: Chats) -> Ints:
    """The rows that the conversation in focus does not use, parents first; none without one.

    Before it has any, what all others share is taken to be its, too: it will begin there.
    """
    if chats.focus is None:
        return np.zeros(0, dtype=np.int64)
    used = _used_by(table, snapshot, chats.focus)
    if not used.any():
        used = _used_by_all(table)
    aside = ~used & (table.ids != LIVE_ID)
    aside[:1] = False
    return np.flatnonzero(aside)


def chat_key(conversation: int) -> int:
    """The key by which the chips of a conversation are opened."""
    return _CHAT_KEYS + conversation


def _stumps(
    table: NodeTable, snapshot: CacheSnapshot, stays: Flags, opened: Collection[int]
) -> Iterator[Found]:
    """Branches with thinking beside one that goes on with the answer alone."""
    first = _First.of(table, snapshot)
    # Goes on with an answer that began above, without its thinking.
    goes_on = (first.kind == _ANSWER) & (~first.opens | (first.start < table.start))
    goes_on &= table.parent >= 0
    kept = np.bincount(table.parent[goes_on], minlength=len(table)) > 0
    tops = kept[table.parent] & (table.parent >= 0) & (first.kind == _THINKING) & ~stays
    if not tops.any():
        return
    tops &= below(table.parent, _asks(table).astype(np.int64)) == 0
    # One stump in another is a part of it.
    tops &= ~under(table.parent, tops)
    for rows in _grouped(nearest(table.parent, tops)):
        key = _THINKING_KEYS + int(table.ids[rows].min())
        if key not in opened:
            yield Found("thinking", key, key, rows, 1)


def _others(
    table: NodeTable,
    snapshot: CacheSnapshot,
    stays: Flags,
    chats: Chats,
    opened: Collection[int],
) -> Iterator[Found]:
    """What only one conversation uses that is not the one in focus; one chip for each parent."""
    assert chats.focus is not None
    owner, several = _owners(table, snapshot)
    mine = _used_by(table, snapshot, chats.focus)
    foldable = (table.parent >= 0) & ~stays & ~mine & ~several
    unfolded = [key - _CHAT_KEYS for key in opened]
    foldable &= ~np.isin(owner, unfolded)
    tops = foldable & ~under(table.parent, foldable)
    if not tops.any():
        return
    # All tops of one owner below one parent are one chip, named by the first of them.
    at = np.flatnonzero(tops)
    _, first, group = np.unique(
        np.stack([table.parent[at], owner[at]]), axis=1, return_index=True, return_inverse=True
    )
    head = np.full(len(table) + 1, -1, dtype=np.int64)
    head[at] = at[first][group.reshape(-1)]
    for rows in _grouped(head[nearest(table.parent, tops)]):
        number = int(owner[rows[0]])
        name = _CHAT_KEYS + int(table.ids[rows].min())
        branches = int(tops[rows].sum())
        yield Found("chat", chat_key(number), name, rows, branches, chats.title(number))


def _grouped(number: Ints) -> Iterator[Ints]:
    """The rows that have each number; those with -1 are left out. Lower numbers first."""
    order = order_by(number)
    order = order[number[order] >= 0]
    if len(order):
        yield from np.split(order, np.flatnonzero(np.diff(number[order])) + 1)


def _owners(table: NodeTable, snapshot: CacheSnapshot) -> tuple[Ints, Flags]:
    """Of each row, the conversation that uses it and was heard of last, or 0; and if others do."""
    groups, live = table.columns.groups, snapshot.live
    first = np.array([group[0] if group else 0 for group in groups], dtype=np.int64)
    many = np.array([len(group) > 1 for group in groups], dtype=np.int64)
    owner = table.of_nodes(first[table.columns.owners], 0)
    owner[table.ids == LIVE_ID] = 0 if live is None else live.owner
    return owner, table.of_nodes(many[table.columns.owners], 0) > 0


def _used_by(table: NodeTable, snapshot: CacheSnapshot, conversation: int) -> Flags:
    groups, live = table.columns.groups, snapshot.live
    named = np.array([conversation in group for group in groups], dtype=np.int64)
    used: Flags = table.of_nodes(named[table.columns.owners], 0) > 0
    if live is not None and live.owner and live.owner == conversation:
        used[table.ids == LIVE_ID] = True
    return used


def _used_by_all(table: NodeTable) -> Flags:
    """The rows that every conversation uses which has anything here, if there are several."""
    columns = table.columns
    here = [columns.groups[at] for at in np.unique(columns.owners).tolist()]
    everybody = {owner for group in here for owner in group}
    shared = [len(everybody) > 1 and everybody <= set(group) for group in columns.groups]
    made: Flags = table.of_nodes(np.array(shared, dtype=np.int64)[columns.owners], 0) > 0
    return made


@dataclass(frozen=True, slots=True, eq=False)
class _First:
    """Who speaks first in each row, as the engine told it; kind -1 where it did not.

    Attributes:
        start: of what is said; for the running request, it may lie above its row.
    """

    kind: Ints
    opens: Flags
    start: Ints

    @classmethod
    def of(cls, table: NodeTable, snapshot: CacheSnapshot) -> _First:
        columns, said = table.columns, table.columns.said
        told = table.of_nodes(columns.told.astype(np.int64), 0) > 0
        at = table.of_nodes(columns.first, 0)
        kind = np.where(told, said.kind[at], -1)
        opens, start = said.opens[at], said.start[at]
        live, running = snapshot.live, np.flatnonzero(table.ids == LIVE_ID)
        if live is not None and len(running):
            row = int(running[0])
            covering = [one for one in live.speech if one.start <= table.start[row]]
            if covering and table.start[row] < live.total:
                one = covering[-1]
                kind[row] = KINDS.get(one.role, UNKNOWN)
                opens[row], start[row] = one.opens, one.start
        return cls(kind, opens, start)


def _asks(table: NodeTable) -> Flags:
    """Whether a user's message begins in a row: then it is no dead end. A chip may ask, too."""
    columns, said = table.columns, table.columns.said
    asking = np.append(0, np.cumsum((said.kind == _USER) & said.opens))
    found = asking[columns.first + columns.count] - asking[columns.first]
    asks: Flags = table.of_nodes(found, 1) > 0
    return asks
