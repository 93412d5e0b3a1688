"""Bar styles shared by all views: hatched, outlined, in doubt."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from app.ui.theme import Theme

# No checkpoint, and not reported whether there is one.
BARE, UNTOLD = Qt.BrushStyle.BDiagPattern, Qt.BrushStyle.DiagCrossPattern
_BEHIND_HATCHING, _INSIDE_OUTLINE = 0.28, 0.14


def draw_hatched(
    painter: QPainter, bars: Sequence[QRectF], colour: QColor, pattern: Qt.BrushStyle
) -> None:
    """Hatch in a colour on a faint fill of the same; the pen is none before and after."""
    painter.setBrush(_faint(colour, _BEHIND_HATCHING))
    painter.drawRects(bars)
    painter.setBrush(QBrush(colour, pattern))
    painter.drawRects(bars)


def draw_outlined(painter: QPainter, bars: Sequence[QRectF], fill: QColor, edge: QColor) -> None:
    """Nodes that are not on the device: they have to be loaded first."""
    painter.setBrush(_faint(fill, _INSIDE_OUTLINE))
    painter.setPen(QPen(edge, 1))
    painter.drawRects(_within(bars))
    painter.setPen(Qt.PenStyle.NoPen)


def draw_doubts(painter: QPainter, look: Theme, bars: Sequence[QRectF]) -> None:
    """A dashed edge: it may be gone."""
    if not bars:
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(look.colour("text"), 1, Qt.PenStyle.DashLine))
    painter.drawRects(_within(bars))
    painter.setPen(Qt.PenStyle.NoPen)


def _faint(colour: QColor, alpha: float) -> QColor:
    made = QColor(colour)
    made.setAlphaF(alpha)
    return made


def _within(bars: Sequence[QRectF]) -> list[QRectF]:
    """Smaller by a pen's width, so that the line stays inside."""
    return [bar.adjusted(0.5, 0.5, -0.5, -0.5) for bar in bars]
