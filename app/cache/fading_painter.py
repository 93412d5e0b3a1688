"""Paints what went over the tree: lost in red, moved down with an arrow, kept as a thin line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.cache.fading import Fate, Mark, Weight
from app.cache.geometry import Geometry
from app.cache.marks import diamond
from app.theme import Theme

_LINE_PX = 2
_LEAST_PX = 3.0
_ARROW_PX = 4.0
TOKENS: dict[Weight, str] = {
    "pressed": "lost",
    "wrong": "lost_wrong",
    "asked": "lost_asked",
    "useless": "lost",
}


class FadingPainter:
    """Paints marks in the coordinates of a frame of the tree."""

    def __init__(self, painter: QPainter, look: Theme, geometry: Geometry) -> None:
        self._painter = painter
        self._look = look
        self._at = geometry

    def marks(self, marks: Sequence[Mark]) -> None:
        """The oldest first, so that the newest lies on top."""
        painter, view = self._painter, self._at.view
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for mark in marks:
            if view.x(mark.end) < 0 or view.x(mark.start) > view.width:
                continue
            painter.setOpacity(mark.strength)
            if mark.span:
                draw_span(painter, self._look, self._area(mark), mark.span, mark.weight)
            if mark.state:
                middle = QPointF(view.x(mark.end), self._at.y(mark.lane) + self._at.bar_px / 2)
                reach = min(7.0, self._at.bar_px * 0.5)
                draw_state(painter, self._look, middle, reach, mark.state, mark.weight)
        painter.restore()

    def _area(self, mark: Mark) -> QRectF:
        view = self._at.view
        left, right = max(-4.0, view.x(mark.start)), min(view.width + 4.0, view.x(mark.end))
        width = max(_LEAST_PX, right - left - 1)
        return QRectF(left, self._at.y(mark.lane), width, self._at.bar_px)


def draw_span(painter: QPainter, look: Theme, area: QRectF, fate: Fate, weight: Weight) -> None:
    """Keys and values that went."""
    if fate == "kept":
        line = QRectF(area.left(), area.bottom() + 1, area.width(), _LINE_PX)
        painter.fillRect(line, look.colour("kept"))
        return
    inner = area.adjusted(0.75, 0.75, -0.75, -0.75)
    if fate == "moved":
        painter.setPen(QPen(look.colour("moved"), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(inner)
        draw_arrow(painter, look.colour("moved"), QPointF(area.center().x(), area.bottom() + 1))
        return
    colour = look.colour(TOKENS[weight])
    if weight == "useless":
        # Nothing of use was lost: a thin bar in the middle of the lane.
        inner = inner.adjusted(0, area.height() * 0.28, 0, -area.height() * 0.28)
    filled = QColor(colour)
    filled.setAlphaF(0.16 if weight == "asked" else 0.55)
    painter.setPen(QPen(colour, 1.5))
    painter.setBrush(filled)
    painter.drawRect(inner)


def draw_state(
    painter: QPainter, look: Theme, middle: QPointF, reach: float, fate: Fate, weight: Weight
) -> None:
    """A checkpoint that went: its diamond, or a ring around the one that stands there now."""
    if fate == "kept":
        painter.setPen(QPen(look.colour("kept"), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(middle, reach + 3, reach + 3)
        return
    if fate == "moved":
        painter.setPen(QPen(look.colour("moved"), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolygon(diamond(middle, reach * 0.8 + 2.5, reach + 2.5))
        draw_arrow(painter, look.colour("moved"), middle + QPointF(0, reach + 4))
        return
    colour = look.colour(TOKENS[weight])
    painter.setPen(QPen(look.colour("panel"), 2))
    painter.setBrush(look.colour("panel") if weight == "asked" else colour)
    painter.drawPolygon(diamond(middle, reach * 0.8 + 1.5, reach + 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, 1.5))
    painter.drawPolygon(diamond(middle, reach * 0.8 + 0.5, reach + 0.5))


def draw_arrow(painter: QPainter, colour: QColor, tip: QPointF) -> None:
    """A small triangle that points down, with its flat side around `tip`."""
    x, y, reach = tip.x(), tip.y(), _ARROW_PX
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    corners = [QPointF(x - reach, y), QPointF(x + reach, y), QPointF(x, y + reach * 1.2)]
    painter.drawPolygon(QPolygonF(corners))
