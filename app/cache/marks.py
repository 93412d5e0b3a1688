"""The mark of a checkpoint: a diamond, told apart by its filling."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from app.theme import Theme


def diamond(middle: QPointF, half_width: float, half_height: float) -> QPolygonF:
    x, y = middle.x(), middle.y()
    corners = [
        QPointF(x, y - half_height),
        QPointF(x + half_width, y),
        QPointF(x, y + half_height),
        QPointF(x - half_width, y),
    ]
    return QPolygonF(corners)


def draw_mark(
    painter: QPainter,
    look: Theme,
    middle: QPointF,
    reach: float,
    provenance: str,
    strength: float = 1.0,
) -> None:
    """Draw a checkpoint: filled from prefill, hollow from decode, half at a branch."""
    edge, fill = look.colour("panel", strength), look.colour("text", strength)
    painter.setPen(QPen(edge, 2))
    painter.setBrush(fill)
    painter.drawPolygon(diamond(middle, reach * 0.8, reach))
    if provenance == "prefill":
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(edge)
    inner = diamond(middle, reach * 0.8 - 2.2, reach - 2.6)
    painter.drawPolygon(inner if provenance == "decode" else QPolygonF(inner.toList()[:3]))
