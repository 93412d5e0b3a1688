"""Who speaks where, found with a loop over all nodes: the reference for the fast way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cache.logic.arrays import Flags, Ints
from app.cache.logic.columns import KINDS, TEMPLATE, UNKNOWN
from app.cache.logic.table import LIVE_ID
from engine.snapshot import CacheSnapshot, NodeView
from tests.app.cache.naive.table import NaiveTable


@dataclass(frozen=True, slots=True, eq=False)
class NaiveStretches:
    """See app.cache.logic.stretches.Stretches."""

    row: Ints
    start: Ints
    end: Ints
    offset: Ints
    kind: Ints
    opens: Flags
    text: tuple[str, ...]
    first: Ints
    known: bool


def build_stretches(table: NaiveTable, snapshot: CacheSnapshot) -> NaiveStretches:
    """Each row has at least one stretch; what nobody is known to say is of kind UNKNOWN."""
    rows: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    offsets: list[int] = []
    kinds: list[int] = []
    opens: list[bool] = []
    texts: list[str] = []
    first = [0]
    known = False
    # Of the last stretch of each row: its kind, and its tokens so far.
    last: list[tuple[int, int]] = []
    ids, sources, parents = table.ids.tolist(), table.source.tolist(), table.parent.tolist()
    spans = zip(table.start.tolist(), table.end.tolist(), strict=True)
    for row, (start, end) in enumerate(spans):
        node = snapshot.nodes[sources[row]] if sources[row] >= 0 else None
        kind, offset = last[parents[row]] if parents[row] >= 0 else (UNKNOWN, 0)
        parts = _parts(node, start) if node or ids[row] != LIVE_ID else _running(snapshot, start)
        known = known or bool(node is not None and node.speech)
        for number, (at, said, begins, text) in enumerate(parts):
            until = parts[number + 1][0] if number + 1 < len(parts) else end
            offset = 0 if begins or said != kind else offset
            kind = said
            rows.append(row)
            starts.append(at)
            ends.append(until)
            offsets.append(offset)
            kinds.append(kind)
            opens.append(begins)
            texts.append(text)
            offset += until - at
        first.append(len(rows))
        last.append((kind, offset))
    return NaiveStretches(
        row=np.array(rows, dtype=np.int64),
        start=np.array(starts, dtype=np.int64),
        end=np.array(ends, dtype=np.int64),
        offset=np.array(offsets, dtype=np.int64),
        kind=np.array(kinds, dtype=np.int64),
        opens=np.array(opens, dtype=np.bool_),
        text=tuple(texts),
        first=np.array(first, dtype=np.int64),
        known=known,
    )


def _running(snapshot: CacheSnapshot, start: int) -> list[tuple[int, int, bool, str]]:
    """The stretches of the running request's own row; its answer goes on with the last one."""
    said = snapshot.live.speech if snapshot.live is not None else ()
    if not said:
        return [(start, UNKNOWN, True, "")]
    at = max((number for number, one in enumerate(said) if one.start <= start), default=0)
    head = said[at]
    parts = [(start, KINDS.get(head.role, UNKNOWN), head.opens and head.start == start, "")]
    return parts + [
        (one.start, KINDS.get(one.role, UNKNOWN), one.opens, one.text) for one in said[at + 1 :]
    ]


def _parts(node: NodeView | None, start: int) -> list[tuple[int, int, bool, str]]:
    """Start, kind, whether it opens, and text of each stretch of a node."""
    if node is None or not node.speech:
        # A chip, or a node of which nothing is said, is a message of its own.
        return [(start, UNKNOWN, True, node.text if node else "")]
    parts = [
        (said.start, KINDS.get(said.role, UNKNOWN), said.opens, said.text) for said in node.speech
    ]
    if parts[0][0] > start:
        parts.insert(0, (start, TEMPLATE, False, ""))
    return parts


def edges(
    table: NaiveTable, stretches: NaiveStretches, widths: list[float]
) -> tuple[list[float], list[float]]:
    """Where rows begin and end whose stretches have some widths."""
    lefts: list[float] = []
    rights: list[float] = []
    for row, above in enumerate(table.parent.tolist()):
        at = rights[above] if above >= 0 else 0.0
        lefts.append(at)
        for line in range(int(stretches.first[row]), int(stretches.first[row + 1])):
            at += widths[line]
        rights.append(at)
    return lefts, rights
