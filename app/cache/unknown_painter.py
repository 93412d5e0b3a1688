"""The style of everything unknown: hatched, within a dashed outline."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen

from app.ui import theme


def paint_unknown(painter: QPainter, area: QRectF) -> None:
    """Hatch an area whose content is not reported."""
    look = theme.current()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(area, look.colour("track", 0.6))
    painter.fillRect(area, QBrush(look.colour("faint", 0.55), Qt.BrushStyle.FDiagPattern))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(look.colour("faint"), 1, Qt.PenStyle.DashLine))
    painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.restore()
