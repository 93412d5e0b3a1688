"""What a horizontal place means: maps from the token positions of a row to x. Without Qt.

The user chooses an axis. Its unit is a pixel at the scale at which it reads best; the viewport
zooms. Each is a function of the tokens before a position alone, so that a tree only ever grows to
the right: a node that is split, or a sibling that comes or goes, moves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.cache.arrays import Ints, Xs
from app.cache.forest import above
from app.cache.stretches import TEMPLATE, Stretches
from app.cache.table import NodeTable

# Message cells: up to here each token takes the same room; after it, each doubling does.
FIRST_TOKENS = 8
_TOKEN_UNITS, _OCTAVE_UNITS = 12.0, 14.0
# Room for the mark of the speaker, before the first token's own.
_MARK_UNITS = 16.0
_TEMPLATE_TOKEN_UNITS, _TEMPLATE_OCTAVE_UNITS = 1.0, 4.0


class Axis(Protocol):
    """A map from tokens of one stretch to units.

    Attributes:
        name: "tokens" or "cells".
        uniform: a position has the same x in every row, so that a ruler can show it.
        closest: pixels per unit beyond which zooming in shows nothing more.
        readable: pixels per unit at which first words can be read; 0 if no scale shows them all.
    """

    name: str
    uniform: bool
    closest: float
    readable: float

    def along(self, tokens: Xs, kind: Ints) -> Xs:
        """The width of the first `tokens` of stretches of some kinds; increasing in `tokens`."""
        ...

    def back(self, units: Xs, kind: Ints) -> Xs:
        """The tokens within a width: the inverse of `along`."""
        ...


class TokenAxis:
    """One unit per token."""

    name = "tokens"
    uniform = True
    closest = 24.0
    readable = 0.0

    def along(self, tokens: Xs, kind: Ints) -> Xs:
        return tokens

    def back(self, units: Xs, kind: Ints) -> Xs:
        return units


class CellAxis:
    """Each message is a cell in which its first words can be read.

    A scale of tokens runs through the cell: even for the first eight, then one step for each
    doubling, so that a message of 6,000 tokens is about twice as wide as one of twenty.
    """

    name = "cells"
    uniform = False
    closest = 6.0
    readable = 0.8

    def along(self, tokens: Xs, kind: Ints) -> Xs:
        mark, token, octave = _units(kind)
        even: Xs = np.minimum(tokens, 1) * mark + np.minimum(tokens, FIRST_TOKENS) * token
        return even + octave * _doublings(tokens)

    def back(self, units: Xs, kind: Ints) -> Xs:
        mark, token, octave = _units(kind)
        first = units / (mark + token)
        even = 1 + (units - mark - token) / token
        steps = np.maximum(0.0, (units - mark - FIRST_TOKENS * token) / octave)
        whole = np.floor(steps)
        doubled = FIRST_TOKENS * 2**whole * (1 + steps - whole)
        made: Xs = np.where(first <= 1, first, np.where(even <= FIRST_TOKENS, even, doubled))
        return made


TOKENS, CELLS = TokenAxis(), CellAxis()


def _units(kind: Ints) -> tuple[Xs, Xs, Xs]:
    plain = kind != TEMPLATE
    return (
        np.where(plain, _MARK_UNITS, 0.0),
        np.where(plain, _TOKEN_UNITS, _TEMPLATE_TOKEN_UNITS),
        np.where(plain, _OCTAVE_UNITS, _TEMPLATE_OCTAVE_UNITS),
    )


def _doublings(tokens: Xs) -> Xs:
    """How often the first tokens were doubled; in between it rises evenly."""
    times = np.maximum(1.0, tokens / FIRST_TOKENS)
    whole = np.floor(np.log2(times))
    made: Xs = whole + times / 2**whole - 1
    return made


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """Where the tokens of each row are.

    Attributes:
        axis: None if each stretch has its tokens evenly, whatever its width.
        left, right: of each row, in units.
        stretches: of the rows.
        begin, finish: x of each stretch's edges.
    """

    axis: Axis | None
    left: Xs
    right: Xs
    stretches: Stretches
    begin: Xs
    finish: Xs

    @property
    def extent(self) -> float:
        return float(self.right.max(initial=0.0))

    def x(self, row: int, position: float) -> float:
        """Of a position of a row; one past its end is where the row would grow to."""
        if self.axis is not None and self.axis.uniform:
            return position
        at = self._stretch(row, self.stretches.start, position)
        said = self.stretches
        inside = position - float(said.start[at])
        if inside <= 0:
            return float(self.begin[at])
        if position == said.end[at]:
            return float(self.finish[at])
        if self.axis is None:
            length = float(said.end[at] - said.start[at])
            return float(self.begin[at] + (self.finish[at] - self.begin[at]) * inside / length)
        kind, before = said.kind[at : at + 1], said.offset[at : at + 1].astype(np.float64)
        width = self.axis.along(before + inside, kind) - self.axis.along(before, kind)
        return float(self.begin[at] + width[0])

    def position(self, row: int, x: float) -> float:
        """The token position of a row at an x; one beyond its edges is at the edge."""
        at = self._stretch(row, self.begin, x)
        said = self.stretches
        start, length = float(said.start[at]), float(said.end[at] - said.start[at])
        inside = max(0.0, x - float(self.begin[at]))
        if self.axis is None:
            width = float(self.finish[at] - self.begin[at])
            return start + length * min(1.0, inside / width if width else 0.0)
        kind, before = said.kind[at : at + 1], said.offset[at : at + 1].astype(np.float64)
        units = self.axis.along(before, kind) + inside
        return start + min(float((self.axis.back(units, kind) - before)[0]), length)

    def grown(self, row: int, end: int) -> Scale:
        """This scale with the last row of the stretches, which nothing follows, ending at `end`."""
        said, at = self.stretches, int(self.stretches.first[row + 1]) - 1
        reach = self.x(row, end)
        ends, finish, right = said.end.copy(), self.finish.copy(), self.right.copy()
        ends[at], finish[at], right[row] = end, reach, reach
        return replace(self, right=right, stretches=replace(said, end=ends), finish=finish)

    def _stretch(self, row: int, edges: NDArray[np.float64] | Ints, value: float) -> int:
        """The stretch of a row at a position, or at an x; beyond its edges the first or last."""
        first, end = int(self.stretches.first[row]), int(self.stretches.first[row + 1])
        found = int(np.searchsorted(edges[first:end], value, side="right")) - 1
        return first + max(0, found)


def scale_of(axis: Axis, table: NodeTable, stretches: Stretches) -> Scale:
    """Place every row: it begins where its parent ends."""
    if axis.uniform:
        left, right = table.start.astype(np.float64), table.end.astype(np.float64)
        begin, finish = stretches.start.astype(np.float64), stretches.end.astype(np.float64)
        return Scale(axis, left, right, stretches, begin, finish)
    offset = stretches.offset.astype(np.float64)
    tokens = (stretches.end - stretches.start).astype(np.float64)
    width = axis.along(offset + tokens, stretches.kind) - axis.along(offset, stretches.kind)
    sums = np.concatenate([[0.0], np.cumsum(width)])
    within = sums[stretches.first]
    right = above(table.parent, np.diff(within))
    # Exactly where the parent ends: a lane must not have a gap, or an overlap, of a hair.
    left = np.where(table.parent >= 0, right[table.parent], 0.0)
    begin = left[stretches.row] + sums[:-1] - within[stretches.row]
    return Scale(axis, left, right, stretches, begin, begin + width)


def without_width(scale: Scale, rows: Ints) -> Scale:
    """A scale in which some rows, which nothing follows, take no room."""
    if not len(rows):
        return scale
    right, finish = scale.right.copy(), scale.finish.copy()
    right[rows] = scale.left[rows]
    mine = np.isin(scale.stretches.row, rows)
    finish[mine] = scale.begin[mine]
    return replace(scale, right=right, finish=finish)


def spread(table: NodeTable, stretches: Stretches, left: Xs, right: Xs) -> Scale:
    """The scale of rows whose places were chosen otherwise: each has its tokens evenly."""
    start, end = table.start[stretches.row], table.end[stretches.row]
    share = (right - left)[stretches.row] / np.maximum(1, end - start)
    begin = left[stretches.row] + (stretches.start - start) * share
    finish = left[stretches.row] + (stretches.end - start) * share
    return Scale(None, left, right, stretches, begin, finish)
