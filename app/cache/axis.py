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

# Message cells: after the tokens of the header, the first one takes room for a word; up to here
# each takes the same room; after that, each doubling does.
HEADER_TOKENS, FIRST_TOKENS = 3, 8
_MARK_UNITS, _HEADER_UNITS = 16.0, 2.0
_WORD_UNITS, _TOKEN_UNITS, _OCTAVE_UNITS = 40.0, 8.0, 16.0
_TEMPLATE_TOKEN_UNITS, _TEMPLATE_OCTAVE_UNITS = 1.0, 4.0
# Doublings: more tokens than any context has.
_OCTAVES = 40


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


@dataclass(frozen=True, slots=True, eq=False)
class _Curve:
    """A width that rises evenly from knot to knot. Its slopes are powers of two: sums are exact."""

    tokens: Xs
    units: Xs

    @classmethod
    def of(cls, first: list[tuple[float, float]], octave: float) -> _Curve:
        """From its first knots, (0, 0) among them, and units for each doubling after them."""
        tokens, units = map(list, zip(*first, strict=True))
        before, end = tokens[-1] - FIRST_TOKENS, units[-1]
        for number in range(1, _OCTAVES):
            tokens.append(before + FIRST_TOKENS * 2.0**number)
            units.append(end + octave * number)
        return cls(np.array(tokens), np.array(units))


_WORDED = _MARK_UNITS + _HEADER_UNITS * HEADER_TOKENS
_MESSAGE = _Curve.of(
    [
        (0.0, 0.0),
        (1.0, _MARK_UNITS + _HEADER_UNITS),
        (float(HEADER_TOKENS), _WORDED),
        (HEADER_TOKENS + 1.0, _WORDED + _WORD_UNITS + _TOKEN_UNITS),
        (
            float(HEADER_TOKENS + FIRST_TOKENS),
            _WORDED + _WORD_UNITS + _TOKEN_UNITS * FIRST_TOKENS,
        ),
    ],
    _OCTAVE_UNITS,
)
_TEMPLATE = _Curve.of(
    [(0.0, 0.0), (float(FIRST_TOKENS), _TEMPLATE_TOKEN_UNITS * FIRST_TOKENS)],
    _TEMPLATE_OCTAVE_UNITS,
)


class CellAxis:
    """Each message is a cell in which its first words can be read.

    A scale of tokens runs through the cell: narrow for those of its header, which say nothing, even
    for the first eight of its text, then one step for each doubling, so that a message of 6,000
    tokens is about twice as wide as one of twenty.
    """

    name = "cells"
    uniform = False
    closest = 6.0
    readable = 0.9

    def along(self, tokens: Xs, kind: Ints) -> Xs:
        made: Xs = np.interp(tokens, _MESSAGE.tokens, _MESSAGE.units)
        plain = kind == TEMPLATE
        made[plain] = np.interp(tokens[plain], _TEMPLATE.tokens, _TEMPLATE.units)
        return made

    def back(self, units: Xs, kind: Ints) -> Xs:
        made: Xs = np.interp(units, _MESSAGE.units, _MESSAGE.tokens)
        plain = kind == TEMPLATE
        made[plain] = np.interp(units[plain], _TEMPLATE.units, _TEMPLATE.tokens)
        return made


TOKENS, CELLS = TokenAxis(), CellAxis()


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
