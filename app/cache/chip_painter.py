"""Paints chips, which stand for folded nodes, over any view."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from app.cache.folding import Chip
from app.cache.geometry import Geometry
from app.theme import Theme

_LEAST_LABEL_PX = 34.0
_LEAST_LABEL_BAR_PX = 12.0
_MOST = 400


def paint_chips(painter: QPainter, look: Theme, at: Geometry, font: QFont) -> None:
    """Dashed boxes with a word, in coordinates that start below the ruler."""
    chips = at.layout.folded.chips
    rows = at.chips()[:_MOST]
    if not len(rows):
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    border = QPen(look.colour("dim"), 1, Qt.PenStyle.DashLine)
    columns = (column.tolist() for column in at.bars(rows))
    for row, left, top, width in zip(rows.tolist(), *columns, strict=True):
        if chips[row].kind == "chat":
            _paint_chat(painter, look, at, QRectF(left, top, width, at.bar_px), chips[row])
            continue
        area = QRectF(left + 0.5, top + 0.5, max(4.0, width - 1), at.bar_px - 1)
        painter.setPen(border)
        painter.setBrush(look.colour("hover"))
        painter.drawRoundedRect(area, 4, 4)
        seen = area.intersected(QRectF(0, area.top(), at.view.width, area.height()))
        room = seen.adjusted(6, 0, -6, 0)
        if room.width() < _LEAST_LABEL_PX or at.bar_px < _LEAST_LABEL_BAR_PX:
            continue
        words = chips[row].words
        if metrics.horizontalAdvance(words) > room.width():
            words = chips[row].short
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(look.colour("text"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)


def _paint_chat(painter: QPainter, look: Theme, at: Geometry, area: QRectF, chip: Chip) -> None:
    """Another conversation on one line: a thin bar, and its title over it or behind it."""
    middle = area.center().y()
    painter.setPen(QPen(look.colour("faint"), 1))
    painter.setBrush(look.colour("track"))
    bar = QRectF(area.left() + 0.5, area.top() + 0.5, max(4.0, area.width() - 1), at.bar_px - 1)
    painter.drawRoundedRect(bar, 3, 3)
    metrics = QFontMetricsF(painter.font())
    words, left = chip.words, max(area.left(), 0.0) + 6
    if metrics.horizontalAdvance(words) + 12 > area.right() - left:
        inside = metrics.horizontalAdvance(chip.title) + 12 <= area.right() - left
        words, left = chip.title, left if inside else max(area.right(), 0.0) + 6
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, at.view.width - left)
    if len(shown) < 2:
        return
    painter.setPen(look.colour("dim"))
    room = QRectF(left, middle - metrics.height() / 2, at.view.width - left, metrics.height())
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
