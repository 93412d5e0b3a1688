"""The nodes of a snapshot as numpy columns, parents before children. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cache.logic.arrays import Flags, Floats, Ints
from app.cache.logic.columns import PROVENANCES, ColumnReader, NodeColumns, order_by
from app.cache.logic.forest import Children, below
from app.cache.logic.mark_table import BITS
from engine.snapshot import CacheSnapshot, LiveView

__all__ = [
    "LIVE_ID",
    "PROVENANCES",
    "Flags",
    "Floats",
    "Ints",
    "NodeTable",
    "TableReader",
    "build_table",
    "engine_rows",
]

# The row of the running request's tokens that are not in the tree yet.
LIVE_ID = -1


@dataclass(frozen=True, slots=True, eq=False)
class NodeTable:
    """Columns with one row per node; the root (no tokens) is row 0.

    Attributes:
        source: index into `snapshot.nodes`, -1 for the live row.
        parent: row of the parent, -1 for the root.
        children: rows of each row's children, heaviest first.
        weight: tokens in the subtree.
        provenance: index into PROVENANCES; 0 is a tombstone.
        tier: index into TIERS: where the KV is stored.
        marks: bits of app.cache.logic.mark_table.
        owner: the only conversation that uses it; 0 if there are several or none.
        columns: of the snapshot's nodes.
    """

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
    children: Children
    columns: NodeColumns

    def __len__(self) -> int:
        return len(self.ids)

    def of_nodes(self, values: Ints, otherwise: int) -> Ints:
        """Map a column of the nodes to the rows; `otherwise` for rows that are no nodes."""
        made = values[self.source] if len(values) else np.zeros(len(self), dtype=values.dtype)
        made[self.source < 0] = otherwise
        return made


class TableReader:
    """Reads successive snapshots, reusing the row order of the previous one."""

    def __init__(self) -> None:
        self._columns = ColumnReader()
        self._order = np.zeros(0, dtype=np.int64)

    def read(self, snapshot: CacheSnapshot) -> NodeTable:
        """The table of a snapshot."""
        columns = self._columns.read(snapshot)
        table = build_table(snapshot, columns, self._columns.moved(self._order))
        self._order = table.source[table.source >= 0]
        return table


def build_table(
    snapshot: CacheSnapshot, columns: NodeColumns | None = None, near: Ints | None = None
) -> NodeTable:
    """Order the nodes by (start, heaviest first) and add the running request as a row.

    Args:
        columns: of the snapshot, if they were read already.
        near: all their lines in nearly the final order, which makes sorting much faster.
    """
    columns = columns or ColumnReader().read(snapshot)
    near = np.arange(len(columns)) if near is None else near
    live = snapshot.live
    at = _running(columns, live)
    ids, parents, starts, ends = columns.ids, columns.parent, columns.start, columns.end
    if live is not None and at is not None and max(live.position, live.total) > ends[at]:
        reach = max(live.position, live.total)
        ids, parents = np.append(ids, LIVE_ID), np.append(parents, at)
        starts, ends = np.append(starts, ends[at]), np.append(ends, reach)
        near = np.append(near, len(columns))
    weights = below(parents, ends - starts)
    hangs = (parents >= 0).astype(np.int64)
    order = near[order_by(starts[near], hangs[near], -weights[near], ids[near])]
    place = np.empty(len(ids), dtype=np.int64)
    place[order] = np.arange(len(ids))
    parent = np.where(parents < 0, -1, place[parents])[order]
    source = np.where(order < len(columns), order, -1)
    table = NodeTable(
        ids=ids[order],
        source=source,
        parent=parent,
        start=starts[order],
        end=ends[order],
        weight=weights[order],
        provenance=_column(columns.provenance, source, 0),
        tier=_column(columns.tier, source, 0),
        kv_lock=_column(columns.kv_lock, source, 1),
        state_lock=_column(columns.state_lock, source, 0),
        marks=_column(columns.marks, source, 0),
        owner=_owners(columns, source, live),
        children=Children.of(parent),
        columns=columns,
    )
    if at is not None:
        head = int(place[-1]) if len(ids) > len(columns) else int(place[at])
        table.marks[head] |= BITS["running"] | BITS["locked"]
    return table


def engine_rows(table: NodeTable) -> Ints:
    """The root rows of the trees of several engines; none if there is only one engine."""
    # They are the only nodes without tokens, and so without marks.
    below = (table.parent == 0) & (table.end == 0) & (table.source >= 0)
    return np.flatnonzero(below & (table.marks == 0))


def _running(columns: NodeColumns, live: LiveView | None) -> int | None:
    """The line of the node at which the running request's path ends."""
    if live is None:
        return None
    found = np.flatnonzero(columns.ids == live.node)
    return int(found[0]) if len(found) else None


def _column(values: Ints, source: Ints, otherwise: int) -> Ints:
    made: Ints = values[source]
    made[source < 0] = otherwise
    return made


def _owners(columns: NodeColumns, source: Ints, live: LiveView | None) -> Ints:
    alone = np.array(
        [group[0] if len(group) == 1 else 0 for group in columns.groups], dtype=np.int64
    )
    return _column(alone[columns.owners], source, 0 if live is None else live.owner)
