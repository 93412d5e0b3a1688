"""Paints the headings of several engines' lanes: a line above each group, and its engine's name."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from app.cache.geometry import Geometry
from app.theme import Theme

_LEAST_PX = 15.0
_LEFT_PX = 6.0
_MOST_SHARE = 0.5


def headings(frame: Geometry) -> list[tuple[str, float]]:
    """The names on screen with their upper edges, pixels below the ruler; none over another.

    A group whose heading is further up has its name at the upper edge of the canvas.
    """
    view = frame.view
    made: list[tuple[str, float]] = []
    free = 0.0
    for group in frame.layout.groups:
        top, bottom = view.y(group.first), view.y(group.first + group.count)
        at = max(top, 0.0)
        if at > view.height:
            break
        if at >= free and bottom - at >= _LEAST_PX:
            made.append((group.title, at))
            free = at + _LEAST_PX
    return made


def paint_groups(painter: QPainter, look: Theme, frame: Geometry, font: QFont) -> None:
    """Over the tree, at its left edge."""
    view = frame.view
    line = look.colour("border")
    for group in frame.layout.groups:
        y = view.y(group.first)
        if group.first and 0 <= y <= view.height:
            painter.fillRect(QRectF(0, y, view.width, 1), line)
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    painter.setFont(bold)
    painter.setPen(look.colour("text"))
    metrics = QFontMetricsF(bold)
    for title, y in headings(frame):
        room = max(view.width * _MOST_SHARE, 1.0)
        words = metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, room)
        area = QRectF(0, y + 1, metrics.horizontalAdvance(words) + 2 * _LEFT_PX, _LEAST_PX)
        # What is further up may stand below a name at the edge.
        painter.fillRect(area, look.colour("panel"))
        inside = area.adjusted(_LEFT_PX, 0, 0, 0)
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, words)
