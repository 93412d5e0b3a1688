"""What is folded of conversations, found with loops over all nodes: the reference."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from app.cache.logic.arrays import Flags
from app.cache.logic.chats import Chats
from app.cache.logic.folding import Folding
from app.cache.logic.table import LIVE_ID
from engine.snapshot import CacheSnapshot, Speech
from tests.app.cache.naive.folding import Found
from tests.app.cache.naive.table import NaiveTable

_THINKING_KEYS, _CHAT_KEYS = 1 << 50, 1 << 51


def fold_chats(
    table: NaiveTable, snapshot: CacheSnapshot, folding: Folding, kept: Flags
) -> list[Found]:
    """Fold what `folding` says of conversations; its chains and fans are not folded here."""
    stays = _ways(table, kept)
    found: list[Found] = []
    if folding.chats.focus is not None:
        found += _others(table, snapshot, stays, folding.chats, folding.opened)
        for one in found:
            stays[one.rows] = True
    if folding.on:
        found += _stumps(table, snapshot, stays, folding.opened)
    return found


def _stumps(
    table: NaiveTable, snapshot: CacheSnapshot, stays: Flags, opened: Collection[int]
) -> Iterator[Found]:
    """Branches with thinking beside one that goes on with the answer alone."""
    for kids in table.children:
        if len(kids) < 2 or not any(_goes_on(table, snapshot, kid) for kid in kids):
            continue
        for kid in kids:
            first = _first(table, snapshot, kid)
            if stays[kid] or first is None or first.role != "thinking":
                continue
            rows = _below(table, kid)
            key = _THINKING_KEYS + int(table.ids[rows].min())
            if key not in opened and not any(_asks(table, snapshot, one) for one in rows):
                yield Found("thinking", key, key, rows, 1)


def _others(
    table: NaiveTable,
    snapshot: CacheSnapshot,
    stays: Flags,
    chats: Chats,
    opened: Collection[int],
) -> Iterator[Found]:
    """What only one conversation uses that is not the one in focus; one chip for each parent."""
    groups: dict[tuple[int, int], list[int]] = {}
    inside = np.zeros(len(table), dtype=np.bool_)
    for row, above in enumerate(table.parent.tolist()):
        if above < 0:
            continue
        if inside[above]:
            inside[row] = True
            continue
        owners = _owners(table, snapshot, row)
        if stays[row] or chats.focus in owners or len(owners) > 1:
            continue
        owner = owners[0] if owners else 0
        if _CHAT_KEYS + owner not in opened:
            inside[row] = True
            groups.setdefault((above, owner), []).append(row)
    for (_, owner), tops in groups.items():
        rows = [*tops]
        for top in rows:
            rows.extend(table.children[top])
        name = _CHAT_KEYS + int(table.ids[rows].min())
        yield Found("chat", _CHAT_KEYS + owner, name, rows, len(tops), chats.title(owner))


def _ways(table: NaiveTable, keep: Flags) -> Flags:
    """Kept rows, and those above them."""
    found = keep.copy()
    for row in range(len(table) - 1, 0, -1):
        if found[row] and table.parent[row] >= 0:
            found[table.parent[row]] = True
    return found


def _below(table: NaiveTable, row: int) -> list[int]:
    rows = [row]
    for at in rows:
        rows.extend(table.children[at])
    return rows


def _owners(table: NaiveTable, snapshot: CacheSnapshot, row: int) -> tuple[int, ...]:
    source = int(table.source[row])
    if source >= 0:
        return snapshot.nodes[source].owners
    if table.ids[row] != LIVE_ID:
        return ()
    return (snapshot.live.owner,) if snapshot.live is not None and snapshot.live.owner else ()


def _first(table: NaiveTable, snapshot: CacheSnapshot, row: int) -> Speech | None:
    """Who speaks first in a row."""
    source = int(table.source[row])
    if source >= 0:
        said = snapshot.nodes[source].speech
        return said[0] if said else None
    live = snapshot.live
    if live is None or table.ids[row] != LIVE_ID:
        return None
    start = int(table.start[row])
    covering = [one for one in live.speech if one.start <= start]
    return covering[-1] if covering and start < live.total else None


def _goes_on(table: NaiveTable, snapshot: CacheSnapshot, row: int) -> bool:
    """Whether a row goes on with an answer that began above, without its thinking."""
    first = _first(table, snapshot, row)
    if first is None or first.role != "assistant":
        return False
    return not first.opens or first.start < table.start[row]


def _asks(table: NaiveTable, snapshot: CacheSnapshot, row: int) -> bool:
    """Whether a user's message begins in a row: then it is no dead end."""
    source = int(table.source[row])
    return source < 0 or any(
        said.role == "user" and said.opens for said in snapshot.nodes[source].speech
    )
