"""Horizontal axes: maps from the token positions of a row to x. Without Qt.

The user chooses an axis. Its unit is a pixel at the scale at which it reads best; the viewport
zooms. Each is a function of the tokens before a position alone, so that a tree only ever grows to
the right: a node that is split, or a sibling that comes or goes, moves nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.cache.logic.arrays import Ints, Xs
from app.cache.logic.forest import above
from app.cache.logic.stretches import TEMPLATE, Stretches
from app.cache.logic.table import Floats, NodeTable

# Message cells: after the tokens of the header, the first one takes room for a word; then each
# takes the same room up to FIRST_TOKENS, and after that each doubling does.
HEADER_TOKENS, FIRST_TOKENS = 3, 8
_MARK_UNITS, _HEADER_UNITS = 16.0, 2.0
_WORD_UNITS, _TOKEN_UNITS, _OCTAVE_UNITS = 40.0, 8.0, 16.0
_TEMPLATE_TOKEN_UNITS, _TEMPLATE_OCTAVE_UNITS = 1.0, 4.0
# Doublings: more tokens than any context has.
_OCTAVES = 40
CLOSEST_PX = 24.0
LANE_PX = 42.0
_LEAST_LANE_PX = 16.0
_LEAST_SPAN = 64
_LEFT_PX = 14.0
# Where the newest end is put if not all fits on screen; it grows to the right.
_NEWEST_SHARE = 0.9
# Spare room on the right, so that a growing tree need not be refitted at every token.
_HEADROOM = 1.2


@dataclass(frozen=True, slots=True)
class Viewport:
    """The part of the tree that is on screen.

    Attributes:
        left: in the layout's units, at the left edge.
        px_per_unit: horizontal scale.
        top: vertical offset in pixels.
        width, height: of the canvas below its ruler, in pixels.
        lane_px: distance between two lanes.
        closest: pixels per unit beyond which zooming in shows nothing more.
    """

    left: float = 0.0
    px_per_unit: float = 1.0
    top: float = 0.0
    width: float = 1.0
    height: float = 1.0
    lane_px: float = LANE_PX
    closest: float = CLOSEST_PX

    @property
    def right(self) -> float:
        return self.left + self.width / self.px_per_unit

    def x(self, units: float) -> float:
        return (units - self.left) * self.px_per_unit

    def xs(self, units: Floats) -> Floats:
        return (units - self.left) * self.px_per_unit

    def units(self, x: float) -> float:
        return self.left + x / self.px_per_unit

    def y(self, lane: float) -> float:
        """The upper edge of a lane."""
        return lane * self.lane_px - self.top

    def lane(self, y: float) -> int:
        return math.floor((y + self.top) / self.lane_px)

    def zoomed(self, factor: float, x: float, y: float, extent: float, lanes: int) -> Viewport:
        """Zoom by a factor around pixel (x, y), except at the limits.

        Lanes spread only as far as is needed to read them.
        """
        fixed, lane = self.units(x), (y + self.top) / self.lane_px
        least = self.width / (max(_LEAST_SPAN, extent) * 2)
        scale = min(max(self.px_per_unit * factor, least), self.closest)
        lane_px = min(max(self.lane_px * factor, _fitting(lanes, self.height)), LANE_PX)
        made = replace(self, left=fixed - x / scale, px_per_unit=scale, lane_px=lane_px)
        return replace(made, top=lane * lane_px - y).clamped(extent, lanes)

    def moved(self, dx: float, dy: float, extent: float, lanes: int) -> Viewport:
        """Pan by pixels."""
        moved = replace(self, left=self.left - dx / self.px_per_unit, top=self.top - dy)
        return moved.clamped(extent, lanes)

    def showing(self, span: tuple[float, float], lane: int, extent: float, lanes: int) -> Viewport:
        """This viewport if it shows part of a lane's span; else moved to show the span's end."""
        start, end = span
        dx = dy = 0.0
        if end <= self.left or start >= self.right:
            dx = self.width / 2 - self.x(end)
        if self.y(lane) < 0 or self.y(lane + 1) > self.height:
            dy = (self.height - self.lane_px) / 2 - self.y(lane)
        return self.moved(dx, dy, extent, lanes) if dx or dy else self

    def closer(
        self, px_per_unit: float, x: float, lane: int, extent: float, lanes: int
    ) -> Viewport:
        """At another scale, with an x towards the right edge and a lane on screen."""
        left = x - self.width * _NEWEST_SHARE / px_per_unit
        top = (lane + 1) * LANE_PX - self.height
        made = replace(self, left=left, px_per_unit=px_per_unit, top=top, lane_px=LANE_PX)
        return made.clamped(extent, lanes)

    def clamped(self, extent: float, lanes: int) -> Viewport:
        """Clamp to the tree and half a screen on its right, where it grows."""
        span = self.width / self.px_per_unit
        low = -_LEFT_PX / self.px_per_unit
        high = max(extent - span * 0.5, low)
        lowest = max(0.0, lanes * self.lane_px - self.height)
        left, top = min(max(self.left, low), high), min(max(self.top, 0.0), lowest)
        return replace(self, left=left, top=top)

    def shows(self, extent: float, lanes: int) -> bool:
        """Whether the whole tree is on screen and fills a fair share of it."""
        room = self.right - _LEFT_PX / 2 / self.px_per_unit
        small = self.right > _LEAST_SPAN * 1.5 and extent < self.right * 0.5
        return extent <= room and not small and lanes * self.lane_px <= self.height + 1


def fitted(
    extent: float,
    lanes: int,
    width: float,
    height: float,
    *,
    growing: bool = False,
    closest: float = CLOSEST_PX,
) -> Viewport:
    """The viewport that shows the whole tree; many lanes are drawn closer together."""
    span = max(_LEAST_SPAN, extent * (_HEADROOM if growing else 1.03))
    scale = min(closest, max(8.0, width - 2 * _LEFT_PX) / span)
    lane_px = _fitting(lanes, height)
    return Viewport(-_LEFT_PX / scale, scale, 0.0, width, height, lane_px, closest)


def _fitting(lanes: int, height: float) -> float:
    """The lane height at which all lanes are on screen, if possible."""
    return min(LANE_PX, max(_LEAST_LANE_PX, height / max(1, lanes)))


def ticks(viewport: Viewport, spacing_px: float = 84) -> list[int]:
    """Round positions at least `spacing_px` apart; powers of two when zoomed in."""
    step = _round_step(max(1.0, spacing_px / viewport.px_per_unit))
    first = max(0, math.ceil(viewport.left / step) * step)
    return list(range(first, math.floor(viewport.right) + 1, step))


def byte_ticks(viewport: Viewport, total: int, spacing_px: float = 84) -> list[int]:
    """Round places on an axis of bytes from 0 to `total`, a power of two apart as its units are."""
    step = 1 << math.ceil(math.log2(max(1.0, spacing_px / viewport.px_per_unit)))
    first = max(0, math.ceil(viewport.left / step) * step)
    return list(range(first, min(math.floor(viewport.right), total) + 1, step))


def _round_step(least: float) -> int:
    for step in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512):
        if step >= least:
            return step
    size = 10 ** math.floor(math.log10(least))
    return next(int(size * factor) for factor in (1, 2, 5, 10) if size * factor >= least)


class Axis(Protocol):
    """A map from tokens of one stretch to units.

    Attributes:
        name: "tokens" or "cells".
        uniform: a position has the same x in every row, so that a ruler can show it.
        closest: pixels per unit beyond which zooming in shows nothing more.
        readable: pixels per unit at which first words are legible; 0 if no scale shows them all.
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
    """A piecewise linear width. Its slopes are powers of two, so sums are exact."""

    tokens: Xs
    units: Xs

    @classmethod
    def of(cls, first: list[tuple[float, float]], octave: float) -> _Curve:
        """From its first knots, including (0, 0), and the units per doubling after them."""
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
    """Each message is a cell wide enough for its first words.

    Within a cell, the tokens of the header are narrow, the first eight of the text evenly spaced,
    then each doubling takes one step, so that a message of 6,000 tokens is about twice as wide as
    one of twenty.
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
    """Maps the tokens of each row to x.

    Attributes:
        axis: None if tokens are spread evenly over each stretch, whatever its width.
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
        """The x of a position in a row; past its end, where the row would grow to."""
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
    # Exactly where the parent ends: rounding must leave no gap or overlap in a lane.
    left = np.where(table.parent >= 0, right[table.parent], 0.0)
    begin = left[stretches.row] + sums[:-1] - within[stretches.row]
    return Scale(axis, left, right, stretches, begin, begin + width)


def without_width(scale: Scale, rows: Ints) -> Scale:
    """A scale in which some rows, all of them leaves, have no width."""
    if not len(rows):
        return scale
    right, finish = scale.right.copy(), scale.finish.copy()
    right[rows] = scale.left[rows]
    mine = np.isin(scale.stretches.row, rows)
    finish[mine] = scale.begin[mine]
    return replace(scale, right=right, finish=finish)


def spread(table: NodeTable, stretches: Stretches, left: Xs, right: Xs) -> Scale:
    """The scale of rows that were placed otherwise: tokens are spread evenly over each."""
    start, end = table.start[stretches.row], table.end[stretches.row]
    share = (right - left)[stretches.row] / np.maximum(1, end - start)
    begin = left[stretches.row] + (stretches.start - start) * share
    finish = left[stretches.row] + (stretches.end - start) * share
    return Scale(None, left, right, stretches, begin, finish)
