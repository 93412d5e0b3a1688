"""Pixels of a layout in a viewport, as numpy columns. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.cache.axis import Viewport
from app.cache.layout import Layout
from app.cache.table import LIVE_ID, Floats, Ints

_MOST_BAR_PX = 20.0
_EDGE_PX = 4.0
_MARK_SPACING_PX = 11


@dataclass(frozen=True, slots=True, eq=False)
class Geometry:
    """One frame.

    Attributes:
        rows: on screen, including the running request's.
        bar_px: height of a bar.
    """

    view: Viewport
    layout: Layout
    rows: Ints
    bar_px: float

    @classmethod
    def of(cls, view: Viewport, layout: Layout) -> Geometry:
        rows = layout.visible(view.left, view.right, view.lane(0), view.lane(view.height) + 1)
        return cls(view, layout, rows, min(_MOST_BAR_PX, view.lane_px * 0.62))

    def y(self, lane: float) -> float:
        """The upper edge of a lane's bar."""
        return self.view.y(lane) + (self.view.lane_px - self.bar_px) / 2 + 3

    def bars(self, rows: Ints) -> tuple[Floats, Floats, Floats]:
        """Left edge, upper edge and width of bars; cut off a little outside the canvas."""
        table, view = self.layout.table, self.view
        left = np.maximum(-_EDGE_PX, (table.start[rows] - view.left) * view.px_per_token)
        right = np.minimum(view.width + _EDGE_PX, (table.end[rows] - view.left) * view.px_per_token)
        top = self.layout.lane[rows] * view.lane_px + self.y(0)
        return left, top, np.maximum(1.0, right - left - 1)

    def merged(self) -> Ints:
        """The rows to draw as bars: of those that fall on one pixel of a lane, the first."""
        table, view = self.layout.table, self.view
        rows: Ints = self.rows[table.ids[self.rows] != LIVE_ID]
        wide = (table.end[rows] - table.start[rows]) * view.px_per_token >= 1
        thin = rows[~wide]
        if len(thin) < 2:
            return rows
        pixel = np.floor((table.start[thin] - view.left) * view.px_per_token).astype(np.int64)
        _, first = np.unique(self.layout.lane[thin] * 100_000 + pixel, return_index=True)
        shown: Ints = np.concatenate([rows[wide], thin[first]])
        return shown

    def checkpoints(self) -> Ints:
        """The rows whose checkpoint is drawn: the last of those too close together."""
        layout, table, view = self.layout, self.layout.table, self.view
        rows: Ints = self.rows[
            (table.provenance[self.rows] > 0) & (table.end[self.rows] <= view.right)
        ]
        if not len(rows):
            return rows
        bucket = np.floor(table.end[rows] * view.px_per_token / _MARK_SPACING_PX).astype(np.int64)
        key = layout.lane[rows] * 1_000_000 + bucket
        order = np.lexsort((table.end[rows], key))
        last = np.append(np.diff(key[order]) != 0, True)
        shown: Ints = rows[order][last]
        return shown

    def forks(self) -> tuple[Ints, Floats, Floats, Floats]:
        """Rows that leave their parent's lane, and x, upper and lower y of their elbows."""
        layout, table, view = self.layout, self.layout.table, self.view
        rows = layout.forks
        seen = (table.start[rows] >= view.left - 8) & (table.start[rows] <= view.right)
        rows = rows[seen]
        x = (table.start[rows] - view.left) * view.px_per_token
        key = np.round(x).astype(np.int64) * 1_000_000 + layout.lane[rows]
        _, first = np.unique(key, return_index=True)
        rows, x = rows[first], x[first]
        middle = self.y(0) + self.bar_px / 2
        above = layout.lane[table.parent[rows]] * view.lane_px + middle
        own = layout.lane[rows] * view.lane_px + middle
        return rows, x, above, own
