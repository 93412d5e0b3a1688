"""The mark of a checkpoint: a diamond whose fill shows its provenance."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap, QPolygonF

from app.theme import Theme, load_theme

_MARGIN_PX = 3


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
    painter: QPainter, look: Theme, middle: QPointF, reach: float, provenance: str
) -> None:
    """Draw a checkpoint: filled from prefill, hollow from decode, half at a branch.

    A wrong one is a red cross, so that it stands out without colour vision.

    Marks are drawn by the hundred, so each kind is painted once and then copied.
    """
    device = painter.device()
    scale = device.devicePixelRatioF() if device is not None else 1.0
    image = _picture(look.name, round(reach * 2) / 2, provenance, scale)
    half = reach + _MARGIN_PX
    area = QRectF(middle.x() - half, middle.y() - half, 2 * half, 2 * half)
    painter.drawPixmap(area, image, QRectF(image.rect()))


@lru_cache(maxsize=64)
def _picture(theme: str, reach: float, provenance: str, scale: float) -> QPixmap:
    look = load_theme(theme)
    half = reach + _MARGIN_PX
    size = round(2 * half * scale)
    image = QPixmap(size, size)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / (2 * half), size / (2 * half))
    middle = QPointF(half, half)
    if provenance == "wrong":
        _draw_cross(painter, look, middle, reach * 0.6)
        painter.end()
        return image
    painter.setPen(QPen(look.colour("panel"), 2))
    painter.setBrush(look.colour("text"))
    painter.drawPolygon(diamond(middle, reach * 0.8, reach))
    if provenance in ("decode", "branch"):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.colour("panel"))
        inner = diamond(middle, reach * 0.8 - 2.2, reach - 2.6)
        painter.drawPolygon(inner if provenance == "decode" else QPolygonF(inner.toList()[:3]))
    painter.end()
    return image


def _draw_cross(painter: QPainter, look: Theme, middle: QPointF, arm: float) -> None:
    for colour, width in (("panel", 5.5), ("danger", 2.5)):
        pen = QPen(look.colour(colour), width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        for way in (arm, -arm):
            painter.drawLine(middle - QPointF(arm, way), middle + QPointF(arm, way))
