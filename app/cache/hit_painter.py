"""Marks what a search found, over any view."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from app.cache.geometry import Geometry
from app.theme import Theme

_MOST = 2000
_FLAG_PX = 4.0


def paint_hits(painter: QPainter, look: Theme, at: Geometry, found: frozenset[int]) -> None:
    """A frame around each node found, and a flag above it, below the ruler.

    Those that fall on the same two pixels are marked once.
    """
    table = at.layout.table
    rows = at.rows[np.isin(table.ids[at.rows], list(found))][:_MOST]
    if not len(rows):
        return
    left, top, width = at.bars(rows)
    key = np.round(left / 2).astype(np.int64) * 100_000 + np.round(top / 2).astype(np.int64)
    _, first = np.unique(key, return_index=True)
    areas = [
        QRectF(x - 1, y - 1, max(w, 3.0) + 2, at.bar_px + 2)
        for x, y, w in zip(
            left[first].tolist(), top[first].tolist(), width[first].tolist(), strict=True
        )
    ]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrush(look.colour("accent", 0.22))
    painter.setPen(QPen(look.colour("accent"), 2))
    painter.drawRects(areas)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.colour("accent"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for area in areas[:400]:
        x, y = max(area.left(), 0.0), area.top()
        painter.drawPolygon(
            QPolygonF(
                [
                    QPointF(x, y),
                    QPointF(x, y - _FLAG_PX * 2),
                    QPointF(x + _FLAG_PX * 2, y - _FLAG_PX),
                ]
            )
        )
