"""Paints the moving parts over the tree: the running request, hover and selection."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from app.cache.geometry import Geometry
from app.cache.marks import draw_mark
from app.cache.table import LIVE_ID
from app.theme import Theme
from engine.snapshot import LiveView

_REPLAY_PX = 4


class LivePainter:
    """Paints over a frame of the tree, in its coordinates."""

    def __init__(self, painter: QPainter, look: Theme, geometry: Geometry) -> None:
        self._painter = painter
        self._look = look
        self._at = geometry
        self._view = geometry.view
        self._layout = geometry.layout

    def request(self, live: LiveView) -> None:
        """The tokens that the request has run, has left of its prompt, and replays."""
        layout, look, view = self._layout, self._look, self._view
        row = layout.row_of(LIVE_ID)
        if row is not None:
            whole = self.rect(row)
            head = view.x(layout.scale.x(row, live.position))
            done = min(max(head, whole.left()), whole.right())
            self._painter.fillRect(whole, look.colour("accent", 0.20))
            ran = QRectF(whole.left(), whole.top(), done - whole.left(), whole.height())
            self._painter.fillRect(ran, look.colour("accent", 0.75))
            self._mark_start(int(layout.table.parent[row]))
        matched = live.reused + live.replayed
        if not live.replayed or live.position > live.total:
            return
        for on_path in np.flatnonzero(layout.on_path).tolist():
            start = max(live.reused, int(layout.table.start[on_path]))
            end = min(matched, int(layout.table.end[on_path]))
            if end > start:
                y = self._at.y(int(layout.lane[on_path])) - _REPLAY_PX - 1
                left = view.x(layout.scale.x(on_path, start))
                right = view.x(layout.scale.x(on_path, end))
                area = QRectF(left, y, right - left, _REPLAY_PX)
                self._painter.fillRect(area, look.colour("replayed"))

    def _mark_start(self, row: int) -> None:
        """The checkpoint where the request's own tokens start is drawn on top of them."""
        table = self._layout.table
        if table.provenance[row] and self._layout.pointed:
            y = self._at.y(int(self._layout.lane[row])) + self._at.bar_px / 2
            middle = QPointF(self._view.x(float(self._layout.scale.right[row])), y)
            reach = min(7.0, self._at.bar_px * 0.5)
            draw_mark(self._painter, self._look, middle, reach, int(table.marks[row]))

    def head(self, live: LiveView) -> None:
        """Where the request is right now."""
        layout = self._layout
        start, end = layout.table.start, layout.table.end
        here = np.flatnonzero(
            layout.on_path & (start <= live.position) & (end >= live.position) & (end > start)
        )
        if not len(here):
            return
        x = self._view.x(layout.scale.x(int(here[-1]), live.position))
        if not 0 <= x <= self._view.width:
            return
        y = self._at.y(int(layout.lane[here[-1]]))
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._look.colour("accent")
        self._painter.setPen(QPen(colour, 2))
        self._painter.drawLine(QPointF(x, y - 3), QPointF(x, y + self._at.bar_px + 3))
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        tip = [QPointF(x - 5, y - 9), QPointF(x + 5, y - 9), QPointF(x, y - 2)]
        self._painter.drawPolygon(QPolygonF(tip))

    def outlines(self, hovered: int | None, selected: int | None) -> None:
        """Frames around the node under the mouse and the selected one."""
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, token, width in ((hovered, "dim", 1.0), (selected, "text", 2.0)):
            if row is not None and row < len(self._layout.table):
                self._painter.setPen(QPen(self._look.colour(token), width))
                self._painter.drawRect(self.rect(row).adjusted(-0.5, -1.5, 0.5, 1.5))

    def rect(self, row: int) -> QRectF:
        left, top, width = self._at.bars(np.array([row], dtype=np.int64))
        return QRectF(float(left[0]), float(top[0]), float(width[0]), self._at.bar_px)
