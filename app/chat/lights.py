"""Marks at the side of messages: what is pointed at, or chosen, in the cache is theirs."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QLine, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app import theme

# Between the mark and the message.
_AWAY_PX = 13
_BAR_PX = 3
_BAND_PX = 6


@dataclass(frozen=True, slots=True)
class ColumnLights:
    """Turns by id.

    Attributes:
        lit: something of them is under the pointer in the cache.
        marked: something of them is chosen there.
    """

    lit: frozenset[int] = frozenset()
    marked: frozenset[int] = frozenset()


def paint_light(painter: QPainter, area: QRect, left: int, *, marked: bool) -> None:
    """A solid bar on a quiet band where it is chosen, a dotted line where it is pointed at.

    Args:
        area: of the message, over the whole width; its text begins at `left`.
    """
    look = theme.current()
    x = left - _AWAY_PX
    if marked:
        band = QRectF(area.adjusted(x - _BAND_PX, -_BAND_PX, _BAND_PX - x, _BAND_PX))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.colour("accent", 0.07))
        painter.drawRoundedRect(band, 6, 6)
        painter.setBrush(look.colour("accent"))
        painter.drawRoundedRect(QRectF(x, area.top(), _BAR_PX, area.height()), 1.5, 1.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        return
    painter.setPen(QPen(look.colour("text"), 2, Qt.PenStyle.DotLine))
    painter.drawLine(QLine(x + 1, area.top(), x + 1, area.bottom()))
