"""Pixels of what each speaker says in the rows on screen, as numpy columns. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cache.geometry import Geometry
from app.cache.ordering import one_of_each
from app.cache.table import Flags, Floats, Ints

_EDGE_PX = 4.0
# Between two messages.
_GAP_PX = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Columns with one line per stretch on screen; stretches too thin to see are drawn once.

    Attributes:
        at: index into the scale's stretches.
        row: of the layout.
        left, top, width: pixels.
        kind: index into SPEAKERS.
        last: it ends its row, where a checkpoint may stand.
    """

    at: Ints
    row: Ints
    left: Floats
    top: Floats
    width: Floats
    kind: Ints
    last: Flags


def cells_of(frame: Geometry) -> Cells:
    """The stretches of a frame's bars."""
    layout, view, scale = frame.layout, frame.view, frame.layout.scale
    said, rows = scale.stretches, frame.merged()
    counts = said.first[rows + 1] - said.first[rows]
    before = np.cumsum(counts) - counts
    at = np.arange(int(counts.sum())) + np.repeat(said.first[rows] - before, counts)
    row = np.repeat(rows, counts)
    last = at == said.first[row + 1] - 1
    parted = said.opens[at] & (at > said.first[row])
    left = view.xs(scale.begin[at]) + np.where(parted, _GAP_PX, 0.0)
    right = view.xs(scale.finish[at]) - np.where(last, _GAP_PX, 0.0)
    seen = (right >= 0) & (left <= view.width)
    seen &= _first_of_pixel(layout.lane[row], left, right)
    at, row, last = at[seen], row[seen], last[seen]
    left = np.maximum(left[seen], -_EDGE_PX)
    right = np.minimum(right[seen], view.width + _EDGE_PX)
    top = layout.lane[row] * view.lane_px + frame.y(0)
    width = np.maximum(1.0, right - left)
    return Cells(at, row, left, top, width, said.kind[at], last)


def _first_of_pixel(lane: Ints, left: Floats, right: Floats) -> Flags:
    """All that are a pixel wide or more, and of the others the first on each pixel of a lane."""
    kept: Flags = right - left >= 1
    thin = np.flatnonzero(~kept)
    if len(thin):
        pixel = np.floor(left[thin]).astype(np.int64)
        first = one_of_each(lane[thin] * 10_000_000 + pixel)
        kept[thin[first]] = True
    return kept
