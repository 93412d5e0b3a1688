"""Draws the mark of a checkpoint: a diamond that shows its tier, provenance and audit."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap, QPolygonF

from app.cache.logic.mark_table import BITS, DRAWN, letter_of
from app.ui import theme
from app.ui.theme import Theme, load_theme

# Around the diamond, for underlines and badges.
_MARGIN_PX = 6
_LETTER_PX = 10
_PIN_PX = 12
_BADGES = {"verified": "good", "unclear": "dim", "drifted": "replayed"}


def diamond(middle: QPointF, half_width: float, half_height: float) -> QPolygonF:
    x, y = middle.x(), middle.y()
    corners = [
        QPointF(x, y - half_height),
        QPointF(x + half_width, y),
        QPointF(x, y + half_height),
        QPointF(x - half_width, y),
    ]
    return QPolygonF(corners)


def held(x: float, bar: QRectF, half: float) -> float:
    """`x`, moved so that a mark of that half width is not cut by an end of its bar."""
    return min(max(x, bar.left() + half), bar.right() - half)


def draw_mark(painter: QPainter, look: Theme, middle: QPointF, reach: float, marks: int) -> None:
    """Draw a checkpoint by its bits of app.cache.logic.mark_table, which says what each looks like.

    A wrong one is a red cross, so that it stands out without colour vision.

    Marks are drawn by the hundred, so each kind is painted once and then copied.
    """
    image = _picture(look.name, round(reach * 2) / 2, marks & DRAWN, _scale(painter))
    half = reach + _MARGIN_PX
    area = QRectF(middle.x() - half, middle.y() - half, 2 * half, 2 * half)
    painter.drawPixmap(area, image, QRectF(image.rect()))


def draw_letter(painter: QPainter, look: Theme, top: QPointF, marks: int) -> None:
    """Draw the letter of why a checkpoint is kept, centred below a point; none if unknown."""
    letter = letter_of(marks)
    if letter:
        image = _letter(look.name, letter, _scale(painter))
        painter.drawPixmap(top - QPointF(_LETTER_PX / 2, 0), image)


def draw_pin(painter: QPainter, look: Theme, tip: QPointF) -> None:
    """Draw a pin that sticks in a point."""
    image = _pin(look.name, _scale(painter))
    painter.drawPixmap(tip - QPointF(_PIN_PX / 2, _PIN_PX - 1), image)


def _scale(painter: QPainter) -> float:
    device = painter.device()
    return device.devicePixelRatioF() if device is not None else 1.0


@lru_cache(maxsize=512)
def _picture(name: str, reach: float, marks: int, scale: float) -> QPixmap:
    look = load_theme(name)
    half = reach + _MARGIN_PX
    size = round(2 * half * scale)
    image = QPixmap(size, size)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / (2 * half), size / (2 * half))
    middle = QPointF(half, half)
    if marks & BITS["quarantined"]:
        _draw_cross(painter, look, middle, reach * 0.6)
    else:
        _draw_diamond(painter, look, middle, reach, marks)
        _draw_tier(painter, look, middle, reach, marks)
        for key, token in _BADGES.items():
            if marks & BITS[key]:
                spot = middle + QPointF(reach * 0.8, -reach * 0.8)
                _draw_badge(painter, look, spot, key, token)
    painter.end()
    return image


def _draw_diamond(
    painter: QPainter, look: Theme, middle: QPointF, reach: float, marks: int
) -> None:
    flat = bool(marks & BITS["compressed"])
    wide, high = (reach, reach * 0.62) if flat else (reach * 0.8, reach)
    painter.setPen(QPen(look.colour("panel"), 2))
    painter.setBrush(look.colour("text"))
    painter.drawPolygon(diamond(middle, wide, high))
    hollow, half = bool(marks & BITS["decode"]), bool(marks & BITS["fork"])
    if hollow or half:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.colour("panel"))
        inner = diamond(middle, wide - (2.8 if flat else 2.2), high - (2.0 if flat else 2.6))
        painter.drawPolygon(inner if hollow else QPolygonF(inner.toList()[:3]))


def _draw_tier(painter: QPainter, look: Theme, middle: QPointF, reach: float, marks: int) -> None:
    """One line under a checkpoint in host memory, two under one on disk."""
    lines = 1 if marks & BITS["host"] else 2 if marks & BITS["disk"] else 0
    for number in range(lines):
        y = middle.y() + reach + 1 + 2.5 * number
        line = QLineF(middle.x() - reach * 0.7, y, middle.x() + reach * 0.7, y)
        for token, width in (("panel", 3.0), ("text", 1.4)):
            painter.setPen(QPen(look.colour(token), width))
            painter.drawLine(line)


def _draw_badge(painter: QPainter, look: Theme, spot: QPointF, key: str, token: str) -> None:
    """A tick, a question mark or a tilde."""
    x, y = spot.x(), spot.y()
    shapes = {
        "verified": [(-3.0, 0.0), (-1.0, 2.2), (3.0, -2.5)],
        "drifted": [(-3.2, 0.8), (-1.6, -0.9), (1.6, 0.9), (3.2, -0.8)],
        "unclear": [(-1.8, -1.6), (0.0, -3.0), (1.8, -1.6), (0.0, 0.2), (0.0, 1.0)],
    }
    points = [QPointF(x + dx, y + dy) for dx, dy in shapes[key]]
    if key == "unclear":
        points += [QPointF(x, y + 2.6)]
    for colour, width in (("panel", 4.0), (token, 1.7)):
        pen = QPen(look.colour(colour), width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        dot = points[-1:] if key == "unclear" else []
        painter.drawPolyline(QPolygonF(points[: len(points) - len(dot)]))
        for at in dot:
            painter.drawPoint(at)


def _draw_cross(painter: QPainter, look: Theme, middle: QPointF, arm: float) -> None:
    for colour, width in (("panel", 5.5), ("danger", 2.5)):
        pen = QPen(look.colour(colour), width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        for way in (arm, -arm):
            painter.drawLine(middle - QPointF(arm, way), middle + QPointF(arm, way))


@lru_cache(maxsize=64)
def _letter(name: str, letter: str, scale: float) -> QPixmap:
    image = QPixmap(round(_LETTER_PX * scale), round(_LETTER_PX * scale))
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setFont(theme.ui_font(9))
    painter.setPen(load_theme(name).colour("dim"))
    painter.drawText(QRectF(0, 0, _LETTER_PX, _LETTER_PX), Qt.AlignmentFlag.AlignCenter, letter)
    painter.end()
    return image


@lru_cache(maxsize=8)
def _pin(name: str, scale: float) -> QPixmap:
    look = load_theme(name)
    image = QPixmap(round(_PIN_PX * scale), round(_PIN_PX * scale))
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = _PIN_PX / 2
    painter.setPen(QPen(look.colour("panel"), 3.5))
    painter.drawLine(QPointF(middle, 5), QPointF(middle, _PIN_PX - 1))
    painter.setPen(QPen(look.colour("text"), 1.5))
    painter.drawLine(QPointF(middle, 5), QPointF(middle, _PIN_PX - 1))
    painter.setPen(QPen(look.colour("panel"), 1))
    painter.setBrush(look.colour("text"))
    painter.drawEllipse(QPointF(middle, 4), 3.2, 3.2)
    painter.end()
    return image
