"""The table of nodes, made with a loop over all of them: the reference for the fast one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cache.logic.arrays import Ints
from app.cache.logic.mark_table import BITS, marks_of
from app.cache.logic.table import LIVE_ID, PROVENANCES
from engine.snapshot import TIERS, CacheSnapshot, CheckpointView


@dataclass(frozen=True, slots=True, eq=False)
class NaiveTable:
    """See app.cache.logic.table.NodeTable."""

    ids: Ints
    source: Ints
    parent: Ints
    start: Ints
    end: Ints
    weight: Ints
    provenance: Ints
    tier: Ints
    kv_lock: Ints
    state_lock: Ints
    marks: Ints
    owner: Ints
    children: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.ids)


def _column(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def build_table(snapshot: CacheSnapshot) -> NaiveTable:
    """Order the nodes by (start, heaviest first) and add the running request as a row."""
    nodes = snapshot.nodes
    ids = [node.id for node in nodes]
    row_of = {number: row for row, number in enumerate(ids)}
    parents = [-1 if node.parent is None else row_of.get(node.parent, 0) for node in nodes]
    starts = [node.start for node in nodes]
    ends = [node.end for node in nodes]
    live = snapshot.live
    if live is not None and live.node in row_of:
        at = row_of[live.node]
        reach = max(live.position, live.total)
        if reach > ends[at]:
            ids.append(LIVE_ID)
            parents.append(at)
            starts.append(ends[at])
            ends.append(reach)
    size = len(ids)
    by_start = sorted(range(size), key=lambda row: (starts[row], ends[row]))
    weights = [end - start for start, end in zip(starts, ends, strict=True)]
    for row in reversed(by_start):
        if parents[row] >= 0:
            weights[parents[row]] += weights[row]
    order = sorted(
        range(size), key=lambda row: (starts[row], parents[row] >= 0, -weights[row], ids[row])
    )
    place = [0] * size
    for new, old in enumerate(order):
        place[old] = new
    parent = [-1 if parents[old] < 0 else place[parents[old]] for old in order]
    children: list[list[int]] = [[] for _ in range(size)]
    for row, above in enumerate(parent):
        if above >= 0:
            children[above].append(row)
    source = [old if old < len(nodes) else -1 for old in order]
    provenance = [0 if i < 0 else _mark(nodes[i].checkpoint) for i in source]
    tier = [0 if i < 0 else TIERS.index(nodes[i].tier) for i in source]
    return NaiveTable(
        ids=_column([ids[old] for old in order]),
        source=_column(source),
        parent=_column(parent),
        start=_column([starts[old] for old in order]),
        end=_column([ends[old] for old in order]),
        weight=_column([weights[old] for old in order]),
        provenance=_column(provenance),
        tier=_column(tier),
        kv_lock=_column([nodes[i].kv_lock if i >= 0 else 1 for i in source]),
        state_lock=_column([nodes[i].state_lock if i >= 0 else 0 for i in source]),
        marks=_marks(snapshot, source),
        owner=_column([_owner(snapshot, i) for i in source]),
        children=tuple(tuple(rows) for rows in children),
    )


def _marks(snapshot: CacheSnapshot, source: list[int]) -> Ints:
    """The marks of each row, the running request's included."""
    nodes, live = snapshot.nodes, snapshot.live
    head = BITS["running"] | BITS["locked"]
    marks = [head if i < 0 else marks_of(nodes[i]) for i in source]
    if live is not None and -1 not in source:
        here = next((row for row, i in enumerate(source) if nodes[i].id == live.node), None)
        if here is not None:
            marks[here] |= head
    return _column(marks)


def _owner(snapshot: CacheSnapshot, source: int) -> int:
    if source < 0:
        return snapshot.live.owner if snapshot.live is not None else 0
    owners = snapshot.nodes[source].owners
    return owners[0] if len(owners) == 1 else 0


def _mark(point: CheckpointView | None) -> int:
    if point is None:
        return 0
    return PROVENANCES.index("wrong" if point.state.quarantined else point.state.provenance)
