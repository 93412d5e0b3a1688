"""Draws what is lit and what is marked over the tree; told apart by their shape, too."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.cache.geometry import Geometry
from app.cache.lit import Cover
from app.theme import Theme

# Beyond the edges of a bar, above and below it.
_OUT_PX = 3.0
_HOOK_PX = 5.0
_LEAST_PX = 4.0
# Around a checkpoint, to either side.
_RING_PX = 7.0


def paint_chosen(painter: QPainter, look: Theme, at: Geometry, found: Iterable[Cover]) -> None:
    """Brackets around them, on a tint."""
    areas = _areas(at, found)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for area in areas:
        painter.fillRect(area, look.colour("accent", 0.22))
    painter.setPen(QPen(look.colour("accent"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    for area in areas:
        hook = min(_HOOK_PX, area.width() / 2)
        lines = []
        for x, inward in ((area.left(), hook), (area.right(), -hook)):
            lines.append(QLineF(x, area.top(), x, area.bottom()))
            lines += [QLineF(x, y, x + inward, y) for y in (area.top(), area.bottom())]
        painter.drawLines(lines)


def paint_hovered(painter: QPainter, look: Theme, at: Geometry, found: Iterable[Cover]) -> None:
    """A dashed frame around them."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(look.colour("text"), 1, Qt.PenStyle.DashLine))
    painter.drawRects(_areas(at, found))


def _areas(at: Geometry, found: Iterable[Cover]) -> list[QRectF]:
    """Those on screen, in pixels, cut off a little outside of it."""
    view, made = at.view, []
    for one in found:
        left, right = view.x(one.left), view.x(one.right)
        if one.left == one.right:
            left, right = left - _RING_PX, right + _RING_PX
        y = at.y(one.lane)
        if right < 0 or left > view.width or y + at.bar_px < 0 or y > view.height:
            continue
        left, right = max(left, -2 * _HOOK_PX), min(right, view.width + 2 * _HOOK_PX)
        wide = max(right - left - 1, _LEAST_PX)
        made.append(QRectF(left, y - _OUT_PX, wide, at.bar_px + 2 * _OUT_PX))
    return made
