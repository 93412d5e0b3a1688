"""Who speaks where in the rows of a table, as numpy columns. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cache.table import LIVE_ID, Flags, Ints, NodeTable
from engine.snapshot import CacheSnapshot, NodeView

# UNKNOWN: the engine has not said. TEMPLATE: tokens outside all messages.
UNKNOWN, TEMPLATE = 0, 1
SPEAKERS = ("", "template", "system", "user", "thinking", "tool", "assistant")
_KINDS = {"": TEMPLATE} | {name: kind for kind, name in enumerate(SPEAKERS) if kind > TEMPLATE}


@dataclass(frozen=True, slots=True, eq=False)
class Stretches:
    """Columns with one line per stretch of tokens by one speaker, in the order of the rows.

    Attributes:
        row: of the table.
        start, end: token positions [start, end).
        offset: tokens of the same stretch in the rows above; a message may be split by a fork.
        kind: index into SPEAKERS.
        opens: the message, or its thinking, begins here.
        text: first decoded characters in this row.
        first: of each row, the index of its first stretch; one more entry than rows.
        known: the engine has said who speaks.
    """

    row: Ints
    start: Ints
    end: Ints
    offset: Ints
    kind: Ints
    opens: Flags
    text: tuple[str, ...]
    first: Ints
    known: bool

    def of(self, row: int) -> range:
        """The stretches of a row."""
        return range(int(self.first[row]), int(self.first[row + 1]))


def build_stretches(table: NodeTable, snapshot: CacheSnapshot) -> Stretches:
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
    return Stretches(
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
    parts = [(start, _KINDS.get(head.role, UNKNOWN), head.opens and head.start == start, "")]
    return parts + [
        (one.start, _KINDS.get(one.role, UNKNOWN), one.opens, one.text) for one in said[at + 1 :]
    ]


def _parts(node: NodeView | None, start: int) -> list[tuple[int, int, bool, str]]:
    """Start, kind, whether it opens, and text of each stretch of a node."""
    if node is None or not node.speech:
        # A chip, or a node of which nothing is said, is a message of its own.
        return [(start, UNKNOWN, True, node.text if node else "")]
    parts = [
        (said.start, _KINDS.get(said.role, UNKNOWN), said.opens, said.text) for said in node.speech
    ]
    if parts[0][0] > start:
        parts.insert(0, (start, TEMPLATE, False, ""))
    return parts
