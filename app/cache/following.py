"""Which part of a layout is worth looking at: its newest row, and no part without a row."""

from __future__ import annotations

import numpy as np

from app.cache.layout import Layout
from app.cache.mark_table import BITS
from app.cache.viewport import Viewport

# At least this much of some row stays on screen.
KEPT_PX = 24.0


def newest_row(made: Layout) -> int | None:
    """The row of the running request, or the one that was stored last; None without nodes."""
    table = made.table
    running = np.flatnonzero(table.marks & BITS["running"])
    if len(running):
        return int(running[-1])
    rows = np.flatnonzero((table.source >= 0) & (table.parent >= 0))
    if not len(rows):
        return None
    born = table.columns.created[table.source[rows]]
    rows = rows[born == born.max()]
    return int(rows[table.end[rows].argmax()])


def in_sight(wanted: Viewport, made: Layout | None, extent: float, lanes: int) -> Viewport:
    """The viewport, or the nearest one in which there is something to see."""
    if made is None or not made.extent:
        return wanted
    scale = made.scale
    rows = np.flatnonzero(scale.right > scale.left)
    top = wanted.lane_px * made.lane[rows] - wanted.top
    right = np.minimum(KEPT_PX, (scale.right - scale.left)[rows] * wanted.px_per_unit)
    xs, ends = wanted.xs(scale.left[rows]), wanted.xs(scale.right[rows])
    # How far each row must move, to the right and down, for a piece of it to be seen.
    dx = np.maximum(0.0, right - ends) - np.maximum(0.0, xs + right - wanted.width)
    dy = np.maximum(0.0, -top) - np.maximum(0.0, top + wanted.lane_px - wanted.height)
    nearest = int(np.argmin(np.abs(dx) + np.abs(dy)))
    if not dx[nearest] and not dy[nearest]:
        return wanted
    return wanted.moved(float(dx[nearest]), float(dy[nearest]), extent, lanes)
