"""The mark of a speaker, told by its shape before any text is read."""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from app.cache.stretches import SPEAKERS, TEMPLATE

SIZE_PX = 11
_HALF = SIZE_PX / 2


def has_mark(kind: int) -> bool:
    return kind > TEMPLATE


def draw_speaker(painter: QPainter, left: float, middle: float, kind: int, colour: QColor) -> None:
    """Draw a mark SIZE_PX wide with its left edge at `left`, centred on height `middle`."""
    device = painter.device()
    scale = device.devicePixelRatioF() if device is not None else 1.0
    image = _picture(SPEAKERS[kind], colour.rgba(), scale)
    painter.drawPixmap(QPointF(round(left), round(middle - _HALF)), image)


@lru_cache(maxsize=64)
def _picture(speaker: str, colour: int, scale: float) -> QPixmap:
    side = math.ceil(SIZE_PX * scale)
    image = QPixmap(side, side)
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(_HALF, _HALF)
    ink = QColor.fromRgba(colour)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    _SHAPES[speaker](painter, ink)
    painter.end()
    return image


def _person(painter: QPainter, ink: QColor) -> None:
    painter.drawEllipse(QPointF(0, -2.4), 2.1, 2.1)
    shoulders = QPainterPath(QPointF(-4, 4.6))
    shoulders.cubicTo(QPointF(-4, -0.6), QPointF(4, -0.6), QPointF(4, 4.6))
    shoulders.closeSubpath()
    painter.drawPath(shoulders)


def _star(painter: QPainter, ink: QColor) -> None:
    corners = []
    for step in range(8):
        reach = 5.0 if step % 2 == 0 else 1.7
        angle = step * math.pi / 4 - math.pi / 2
        corners.append(QPointF(reach * math.cos(angle), reach * math.sin(angle)))
    painter.drawPolygon(QPolygonF(corners))


def _dots(painter: QPainter, ink: QColor) -> None:
    for x in (-3.6, 0.0, 3.6):
        painter.drawEllipse(QPointF(x, 0), 1.3, 1.3)


def _page(painter: QPainter, ink: QColor) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 1.2))
    painter.drawRoundedRect(QRectF(-3.6, -4.4, 7.2, 8.8), 1, 1)
    for y in (-1.8, 0.2, 2.2):
        painter.drawLine(QPointF(-1.8, y), QPointF(1.8, y))


def _nut(painter: QPainter, ink: QColor) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 1.6))
    angles = [step * math.pi / 3 for step in range(6)]
    corners = [QPointF(4.3 * math.cos(a), 4.3 * math.sin(a)) for a in angles]
    painter.drawPolygon(QPolygonF(corners))
    painter.drawEllipse(QPointF(0, 0), 1.2, 1.2)


_SHAPES = {
    "system": _page,
    "user": _person,
    "thinking": _dots,
    "tool": _nut,
    "assistant": _star,
}
