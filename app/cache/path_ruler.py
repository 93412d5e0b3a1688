"""The ruler of an axis of messages: token positions along one path of the tree.

Such an axis gives the same place to different positions of different branches, so the ruler goes by
the path to the node under the pointer, to the chosen one, or else to where the tree goes furthest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from app.cache.layout import Layout, path_rows
from app.cache.viewport import Viewport
from app.theme import Theme
from app.words import format as fmt

_BETWEEN_PX = 8
_TICK_PX = 4


@dataclass(frozen=True, slots=True)
class Notch:
    """A token position and where it is in pixels; `whole`: a message begins there."""

    x: float
    position: int
    whole: bool


def spine(layout: Layout, *wanted: int | None) -> list[int]:
    """The rows from the root to the first row wanted that there is; else to the furthest one."""
    end = next((row for row in wanted if row is not None and row < len(layout.table)), None)
    if end is None:
        on_path = np.flatnonzero(layout.on_path)
        shown = np.flatnonzero(layout.lane == 0)
        rows = on_path if len(on_path) else shown
        if not len(rows):
            return []
        end = int(rows[np.argmax(layout.scale.right[rows])])
    return path_rows(layout.table, end)[::-1]


def notches(layout: Layout, rows: list[int], view: Viewport) -> list[Notch]:
    """Where the messages of a path begin, and its end, as far as they are on screen."""
    said = layout.scale.stretches
    made: list[Notch] = []
    for row in rows:
        for at in said.of(row):
            x = view.x(float(layout.scale.begin[at]))
            if said.end[at] > said.start[at] and (said.opens[at] or not made) and x <= view.width:
                made.append(Notch(x, int(said.start[at]), whole=True))
    if rows:
        end = view.x(float(layout.scale.right[rows[-1]]))
        made.append(Notch(end, int(layout.table.end[rows[-1]]), whole=False))
    return [one for one in made if 0 <= one.x <= view.width]


def paint_path_ruler(
    painter: QPainter, look: Theme, font: QFont, found: list[Notch], height: float
) -> None:
    """Paint notches at the lower edge of a strip; of labels that would touch, the first stays."""
    painter.setFont(font)
    painter.setPen(look.colour("faint"))
    metrics = painter.fontMetrics()
    free = 0.0
    for one in found:
        painter.drawLine(QPointF(one.x, height - _TICK_PX), QPointF(one.x, height - 1))
        text = fmt.count(one.position)
        width = metrics.horizontalAdvance(text)
        left = min(one.x - 2, painter.window().width() - width - 2)
        if left >= free:
            area = QRectF(left, 0, width + 4, height - _TICK_PX)
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)
            free = left + width + _BETWEEN_PX
