"""The stretches of one speaker in the rows of a table, as numpy columns. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from app.cache.logic.arrays import Flags, Ints
from app.cache.logic.columns import KINDS, SPEAKERS, TEMPLATE, UNKNOWN, Part
from app.cache.logic.forest import above
from app.cache.logic.table import LIVE_ID, NodeTable
from engine.snapshot import CacheSnapshot

__all__ = ["SPEAKERS", "TEMPLATE", "UNKNOWN", "Stretches", "build_stretches"]


@dataclass(frozen=True, slots=True, eq=False)
class Texts(Sequence[str]):
    """A selection of a pool of texts, in any order.

    Attributes:
        pool: all texts.
        at: the index of each selected text in the pool.
    """

    pool: Sequence[str]
    at: Ints

    def __len__(self) -> int:
        return len(self.at)

    @overload
    def __getitem__(self, number: int) -> str: ...

    @overload
    def __getitem__(self, number: slice) -> tuple[str, ...]: ...

    def __getitem__(self, number: int | slice) -> str | tuple[str, ...]:
        if isinstance(number, slice):
            return tuple(self.pool[at] for at in self.at[number].tolist())
        return self.pool[int(self.at[number])]


@dataclass(frozen=True, slots=True, eq=False)
class Stretches:
    """Columns with one line per stretch of tokens by one speaker, in the order of the rows.

    Attributes:
        row: of the table.
        start, end: token positions [start, end).
        offset: tokens of the same message in the rows above, since a fork may split a message.
        kind: index into SPEAKERS.
        opens: the message, or its thinking, begins here.
        text: first decoded characters in this row.
        first: index of each row's first stretch; one more entry than rows.
        known: the engine has reported speakers.
    """

    row: Ints
    start: Ints
    end: Ints
    offset: Ints
    kind: Ints
    opens: Flags
    text: Texts
    first: Ints
    known: bool

    def of(self, row: int) -> range:
        """The stretches of a row."""
        return range(int(self.first[row]), int(self.first[row + 1]))


def build_stretches(table: NodeTable, snapshot: CacheSnapshot) -> Stretches:
    """At least one stretch per row; those without a known speaker are of kind UNKNOWN."""
    columns, said = table.columns, table.columns.said
    size = len(table)
    # After those of the nodes: one for each chip, then those of the running request.
    chips = np.flatnonzero((table.source < 0) & (table.ids != LIVE_ID))
    live = np.flatnonzero(table.ids == LIVE_ID)
    extra: list[Part] = [(start, UNKNOWN, True, "") for start in table.start[chips].tolist()]
    running = _running(snapshot, int(table.start[live[0]])) if len(live) else []
    count = table.of_nodes(columns.count, 1)
    count[live] = len(running)
    begin = table.of_nodes(columns.first, 0)
    begin[chips] = len(said.start) + np.arange(len(chips))
    begin[live] = len(said.start) + len(extra)
    extra += running
    first = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    row = np.repeat(np.arange(size), count)
    at = np.arange(int(first[-1])) + np.repeat(begin - first[:-1], count)
    start = _with(said.start, [part[0] for part in extra])[at]
    kind = _with(said.kind, [part[1] for part in extra])[at]
    opens = np.append(said.opens, np.array([part[2] for part in extra], dtype=np.bool_))[at]
    pool = [*said.text, *(part[3] for part in extra)] if extra else said.text
    # Each ends where the next one of its row begins, the last with the row.
    end = np.append(start[1:], 0)
    end[first[1:] - 1] = table.end
    return Stretches(
        row=row,
        start=start,
        end=end,
        offset=_offsets(table, row, first, kind, opens, end - start),
        kind=kind,
        opens=opens,
        text=Texts(pool, at),
        first=first,
        known=bool(columns.told[table.source[table.source >= 0]].any()),
    )


def _offsets(
    table: NodeTable, row: Ints, first: Ints, kind: Ints, opens: Flags, tokens: Ints
) -> Ints:
    """The number of tokens of each stretch's message before it."""
    before = np.arange(len(row)) - 1
    over = table.parent
    # A row's first stretch follows its parent's last.
    before[first[:-1]] = np.where(over >= 0, first[over + 1] - 1, -1)
    goes_on = ~opens & (before >= 0) & (kind == kind[before])
    offset: Ints = (above(np.where(goes_on, before, -1), tokens) - tokens).astype(np.int64)
    return offset


def _with(column: Ints, more: list[int]) -> Ints:
    return np.append(column, np.array(more, dtype=np.int64)) if more else column


def _running(snapshot: CacheSnapshot, start: int) -> list[Part]:
    """The stretches of the running request's own row; its answer continues the last one."""
    said = snapshot.live.speech if snapshot.live is not None else ()
    if not said:
        return [(start, UNKNOWN, True, "")]
    at = max((number for number, one in enumerate(said) if one.start <= start), default=0)
    head = said[at]
    parts = [(start, KINDS.get(head.role, UNKNOWN), head.opens and head.start == start, "")]
    return parts + [
        (one.start, KINDS.get(one.role, UNKNOWN), one.opens, one.text) for one in said[at + 1 :]
    ]
