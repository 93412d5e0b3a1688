"""Paints evictions over the tree: lost in red, demoted with an arrow, kept as a thin line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

from app.cache.logic.fading import Fate, Mark, Weight
from app.cache.logic.geometry import Geometry
from app.cache.marks import diamond
from app.ui.theme import Theme, load_theme

_LEAST_PX = 3.0
_ARROW_PX = 4.0
_AROUND_PX = 10
TOKENS: dict[Weight, str] = {
    "pressed": "lost",
    "wrong": "lost_wrong",
    "asked": "lost_asked",
    "useless": "lost",
}


class FadingPainter:
    """Paints marks in the coordinates of a frame of the tree.

    There may be hundreds, many times a second: bars are plain rectangles, and each other kind of
    mark is painted once and then copied.
    """

    def __init__(self, painter: QPainter, look: Theme, geometry: Geometry) -> None:
        self._painter = painter
        self._look = look
        self._at = geometry

    def marks(self, marks: Sequence[Mark]) -> None:
        """Paint the oldest first, so that the newest is on top."""
        painter, view = self._painter, self._at.view
        reach = min(7.0, self._at.bar_px * 0.5)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for mark in marks:
            top = self._at.y(mark.lane)
            if not self._seen(mark, top):
                continue
            painter.setOpacity(mark.strength)
            if mark.span:
                draw_span(painter, self._look, self._area(mark, top), mark.span, mark.weight)
            if mark.state:
                middle = QPointF(view.x(mark.right), top + self._at.bar_px / 2)
                draw_state(painter, self._look, middle, reach, mark.state, mark.weight)
        painter.restore()

    def _seen(self, mark: Mark, top: float) -> bool:
        view = self._at.view
        across = view.x(mark.right) >= -_AROUND_PX and view.x(mark.left) <= view.width
        return across and -self._at.bar_px - _AROUND_PX <= top <= view.height

    def _area(self, mark: Mark, top: float) -> QRectF:
        view = self._at.view
        left, right = max(-4.0, view.x(mark.left)), min(view.width + 4.0, view.x(mark.right))
        return QRectF(left, top, max(_LEAST_PX, right - left - 1), self._at.bar_px)


def draw_span(painter: QPainter, look: Theme, area: QRectF, fate: Fate, weight: Weight) -> None:
    """Evicted keys and values."""
    # On whole pixels, or one edge comes out thicker than the other.
    area = QRectF(area.toRect())
    if fate == "kept":
        line = QRectF(area.left(), area.bottom() + 1, area.width(), 2)
        painter.fillRect(line, _colour(look.name, "kept"))
        return
    if fate == "moved":
        _frame(painter, area, _colour(look.name, "moved"), 2)
        tip = QPointF(area.center().x(), area.bottom() + 1)
        _copy(painter, tip, _arrow(look.name, _scale(painter)))
        return
    if weight == "useless":
        # Nothing useful was lost: a thin bar in the middle of the lane.
        aside = round(area.height() * 0.28)
        area = area.adjusted(0, aside, 0, -aside)
    token = TOKENS[weight]
    painter.fillRect(area, _colour(look.name, token, 0.16 if weight == "asked" else 0.55))
    _frame(painter, area, _colour(look.name, token), 1)


def draw_state(
    painter: QPainter, look: Theme, middle: QPointF, reach: float, fate: Fate, weight: Weight
) -> None:
    """An evicted checkpoint: its diamond, or a ring around the current one."""
    picture = _state(look.name, round(reach * 2) / 2, fate, weight, _scale(painter))
    _copy(painter, middle, picture)


def _frame(painter: QPainter, area: QRectF, colour: QColor, edge: int) -> None:
    """The edges of a bar, as rectangles `edge` pixels wide: a pen takes many times as long."""
    x, y, width, height = area.x(), area.y(), area.width(), area.height()
    painter.fillRect(QRectF(x, y, width, edge), colour)
    painter.fillRect(QRectF(x, y + height - edge, width, edge), colour)
    painter.fillRect(QRectF(x, y, edge, height), colour)
    painter.fillRect(QRectF(x + width - edge, y, edge, height), colour)


def _scale(painter: QPainter) -> float:
    device = painter.device()
    return device.devicePixelRatioF() if device is not None else 1.0


def _copy(painter: QPainter, middle: QPointF, picture: QPixmap) -> None:
    """Put the middle of a square picture at a point."""
    half = picture.width() / picture.devicePixelRatio() / 2
    painter.drawPixmap(middle - QPointF(half, half), picture)


def _square(half: float, scale: float) -> QPixmap:
    side = round(2 * half * scale)
    picture = QPixmap(side, side)
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


@lru_cache(maxsize=32)
def _colour(theme: str, token: str, alpha: float = 1.0) -> QColor:
    return load_theme(theme).colour(token, alpha)


@lru_cache(maxsize=8)
def _arrow(theme: str, scale: float) -> QPixmap:
    """A small triangle that points down, its flat side in the middle of the picture."""
    half = _ARROW_PX + 2
    picture = _square(half, scale)
    painter = QPainter(picture)
    _draw_arrow(painter, load_theme(theme), QPointF(half, half))
    painter.end()
    return picture


@lru_cache(maxsize=64)
def _state(theme: str, reach: float, fate: Fate, weight: Weight, scale: float) -> QPixmap:
    look = load_theme(theme)
    half = reach + _AROUND_PX
    middle = QPointF(half, half)
    picture = _square(half, scale)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if fate == "kept":
        painter.setPen(QPen(look.colour("kept"), 1.5))
        painter.drawEllipse(middle, reach + 3, reach + 3)
    elif fate == "moved":
        painter.setPen(QPen(look.colour("moved"), 1.5))
        painter.drawPolygon(diamond(middle, reach * 0.8 + 2.5, reach + 2.5))
        _draw_arrow(painter, look, middle + QPointF(0, reach + 4))
    else:
        colour = look.colour(TOKENS[weight])
        painter.setPen(QPen(look.colour("panel"), 2))
        painter.setBrush(look.colour("panel") if weight == "asked" else colour)
        painter.drawPolygon(diamond(middle, reach * 0.8 + 1.5, reach + 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, 1.5))
        painter.drawPolygon(diamond(middle, reach * 0.8 + 0.5, reach + 0.5))
    painter.end()
    return picture


def _draw_arrow(painter: QPainter, look: Theme, tip: QPointF) -> None:
    x, y, reach = tip.x(), tip.y(), _ARROW_PX
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.colour("moved"))
    corners = [QPointF(x - reach, y), QPointF(x + reach, y), QPointF(x, y + reach * 1.2)]
    painter.drawPolygon(QPolygonF(corners))
