"""Pixels of a layout in a viewport, as numpy columns. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.cache.logic.axis import Viewport
from app.cache.logic.columns import one_of_each, order_by
from app.cache.logic.layout import Layout
from app.cache.logic.table import LIVE_ID, Flags, Floats, Ints

_MOST_BAR_PX = 20.0
_EDGE_PX = 4.0
_MARK_SPACING_PX = 11
# More of them at once are unreadable.
_MOST_MARKS = 500


def lane_bar_px(lane_px: float) -> float:
    """The height of a bar in lanes that are `lane_px` apart."""
    return min(_MOST_BAR_PX, lane_px * 0.62)


@dataclass(frozen=True, slots=True, eq=False)
class Geometry:
    """The pixel coordinates of one frame.

    Attributes:
        rows: on screen, including the running request's.
        bar_px: height of a bar.
        only: the rows to draw; None for all.
    """

    view: Viewport
    layout: Layout
    rows: Ints
    bar_px: float
    only: Flags | None = None

    @classmethod
    def of(cls, view: Viewport, layout: Layout, bar_px: float | None = None) -> Geometry:
        rows = layout.visible(view.left, view.right, view.lane(0), view.lane(view.height) + 1)
        return cls(view, layout, rows, lane_bar_px(view.lane_px) if bar_px is None else bar_px)

    def of_rows(self, only: Flags) -> Geometry:
        """The same frame with only some rows of the layout."""
        return replace(self, rows=self.rows[only[self.rows]], only=only)

    def y(self, lane: float) -> float:
        """The upper edge of a lane's bar."""
        return self.view.y(lane) + (self.view.lane_px - self.bar_px) / 2 + self.view.lane_px / 42

    def bars(self, rows: Ints) -> tuple[Floats, Floats, Floats]:
        """Left edge, upper edge and width of bars, clipped a little outside the canvas."""
        scale, view = self.layout.scale, self.view
        left = np.maximum(-_EDGE_PX, view.xs(scale.left[rows]))
        right = np.minimum(view.width + _EDGE_PX, view.xs(scale.right[rows]))
        top = self.layout.lane[rows] * view.lane_px + self.y(0)
        return left, top, np.maximum(1.0, right - left - 1)

    def merged(self) -> Ints:
        """The rows to draw as bars: only the first of those that share a pixel of a lane."""
        scale, view = self.layout.scale, self.view
        rows: Ints = self.rows[self.layout.table.source[self.rows] >= 0]
        wide = (scale.right[rows] - scale.left[rows]) * view.px_per_unit >= 1
        thin = rows[~wide]
        if len(thin) < 2:
            return rows
        pixel = np.floor(view.xs(scale.left[thin])).astype(np.int64)
        first = one_of_each(self.layout.lane[thin] * 100_000 + pixel)
        shown: Ints = np.concatenate([rows[wide], thin[first]])
        return shown

    def checkpoints(self) -> Ints:
        """The rows whose checkpoint is drawn: only the last of those too close together."""
        layout, view, right = self.layout, self.view, self.layout.scale.right
        marked = (layout.table.provenance[self.rows] > 0) & (right[self.rows] <= view.right)
        rows: Ints = self.rows[marked]
        if not len(rows):
            return rows
        spacing = _MARK_SPACING_PX
        shown = self._apart(rows, spacing)
        while len(shown) > _MOST_MARKS and spacing < view.width:
            spacing *= 2
            shown = self._apart(rows, spacing)
        return shown

    def _apart(self, rows: Ints, spacing: int) -> Ints:
        """The last of the rows that end in each `spacing` pixels of a lane."""
        right = self.layout.scale.right[rows]
        bucket = np.floor(right * self.view.px_per_unit / spacing).astype(np.int64)
        key = self.layout.lane[rows] * 1_000_000 + bucket
        order = order_by(key, right)
        last = np.append(np.diff(key[order]) != 0, True)
        shown: Ints = rows[order][last]
        return shown

    def chips(self) -> Ints:
        """The rows of chips."""
        rows: Ints = self.rows[self.layout.table.ids[self.rows] < LIVE_ID]
        return rows

    def forks(self) -> tuple[Ints, Floats, Floats, Floats]:
        """Rows that leave their parent's lane, and x, upper and lower y of their elbows."""
        layout, table, view = self.layout, self.layout.table, self.view
        rows = layout.forks
        left = layout.scale.left
        seen = (left[rows] >= view.left - 8 / view.px_per_unit) & (left[rows] <= view.right)
        rows = rows[seen]
        rows = rows if self.only is None else rows[self.only[rows]]
        x = view.xs(left[rows])
        middle = self.y(0) + self.bar_px / 2
        above = layout.lane[table.parent[rows]] * view.lane_px + middle
        own = layout.lane[rows] * view.lane_px + middle
        passes = (np.maximum(above, own) >= 0) & (np.minimum(above, own) <= view.height)
        rows, x, above, own = rows[passes], x[passes], above[passes], own[passes]
        key = np.round(x).astype(np.int64) * 1_000_000 + layout.lane[rows]
        first = one_of_each(key)
        rows, x, above, own = rows[first], x[first], above[first], own[first]
        return rows, x, above, own


def uprights(x: Floats, one: Floats, other: Floats, height: float) -> tuple[Floats, Floats, Floats]:
    """Merge vertical lines between two y that overlap: x, upper and lower y.

    Siblings leave at the same x, so most of their lines overlap. Lines are clipped to `height`.
    """
    high = np.clip(np.minimum(one, other), -_EDGE_PX, height + _EDGE_PX)
    low = np.clip(np.maximum(one, other), -_EDGE_PX, height + _EDGE_PX)
    order = order_by(x, high)
    x, high, low = x[order], high[order], low[order]
    group = np.cumsum(np.append(0, np.diff(x) != 0)) if len(x) else np.zeros(0)
    # The lowest y of a group so far: groups are further apart than any two lines.
    apart = group * (height + 4 * _EDGE_PX)
    reach = np.maximum.accumulate(low + apart)
    begins = np.flatnonzero(np.append(True, (high + apart)[1:] > reach[:-1])[: len(x)])
    if not len(begins):
        return x, high, low
    return x[begins], high[begins], np.maximum.reduceat(low, begins)
