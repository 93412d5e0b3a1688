"""Paints the lanes by speaker: cells, each with its speaker's mark and first words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
)

from app.cache.bar_styles import BARE, UNTOLD, draw_doubts, draw_hatched, draw_outlined
from app.cache.logic.columns import one_of_each
from app.cache.logic.geometry import Geometry
from app.cache.logic.mark_table import BITS
from app.cache.logic.stretches import SPEAKERS, TEMPLATE, UNKNOWN
from app.cache.logic.table import Flags, Floats, Ints
from app.ui.theme import Theme

_CELLS_EDGE_PX = 4.0
# Between two messages.
_GAP_PX = 1.0
SIZE_PX = 11
_HALF = SIZE_PX / 2
INK = "#0e1116"
# Narrower cells have no mark, lower ones neither mark nor text.
_LEAST_MARK_PX = SIZE_PX + 2
_LEAST_MARK_BAR_PX = 11
_LEAST_TEXT_BAR_PX = 13
# A text is cut to no fewer characters than these.
_LEAST_CHARACTERS = 6
_MOST_LABELS = 150
_EDGE_PX = 2.0
_LEAST_EDGE_BAR_PX = 9
# Half of a checkpoint's mark, at the end of a cell.
_CHECKPOINT_PX = 9


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Columns with one entry per stretch on screen; of those on one pixel only the first.

    Attributes:
        at: index into the scale's stretches.
        row: of the layout.
        left, top, width: pixels.
        kind: index into SPEAKERS.
        last: it ends its row, where a checkpoint may stand.
    """

    at: Ints
    row: Ints
    left: Floats
    top: Floats
    width: Floats
    kind: Ints
    last: Flags


def cells_of(frame: Geometry) -> Cells:
    """The stretches of a frame's bars."""
    layout, view, scale = frame.layout, frame.view, frame.layout.scale
    said, rows = scale.stretches, frame.merged()
    counts = said.first[rows + 1] - said.first[rows]
    before = np.cumsum(counts) - counts
    at = np.arange(int(counts.sum())) + np.repeat(said.first[rows] - before, counts)
    row = np.repeat(rows, counts)
    last = at == said.first[row + 1] - 1
    parted = said.opens[at] & (at > said.first[row])
    left = view.xs(scale.begin[at]) + np.where(parted, _GAP_PX, 0.0)
    right = view.xs(scale.finish[at]) - np.where(last, _GAP_PX, 0.0)
    seen = (right >= 0) & (left <= view.width)
    seen &= _first_of_pixel(layout.lane[row], left, right)
    at, row, last = at[seen], row[seen], last[seen]
    left = np.maximum(left[seen], -_CELLS_EDGE_PX)
    right = np.minimum(right[seen], view.width + _CELLS_EDGE_PX)
    top = layout.lane[row] * view.lane_px + frame.y(0)
    width = np.maximum(1.0, right - left)
    return Cells(at, row, left, top, width, said.kind[at], last)


def _first_of_pixel(lane: Ints, left: Floats, right: Floats) -> Flags:
    """Flags those at least a pixel wide, and the first of the others on each pixel of a lane."""
    kept: Flags = right - left >= 1
    thin = np.flatnonzero(~kept)
    if len(thin):
        pixel = np.floor(left[thin]).astype(np.int64)
        first = one_of_each(lane[thin] * 10_000_000 + pixel)
        kept[thin[first]] = True
    return kept


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


class SpeechPainter:
    """Paints the bars of a frame; created for each frame."""

    def __init__(self, painter: QPainter, look: Theme, geometry: Geometry) -> None:
        self._painter = painter
        self._look = look
        self._at = geometry
        self._layout = geometry.layout
        self._said = geometry.layout.scale.stretches
        self._cells = cells_of(geometry)

    def bars(self) -> None:
        """Solid with a checkpoint, hatched for a tombstone, outlined if only in lower tiers."""
        table, cells = self._layout.table, self._cells
        bare = table.provenance[cells.row] == 0
        below = table.tier[cells.row] > 0
        untold = table.marks[cells.row] & BITS["untold"] > 0
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._painter.setPen(Qt.PenStyle.NoPen)
        for kind in np.unique(cells.kind).tolist():
            mine = cells.kind == kind
            fill, edge = self._colours(kind)
            self._solid(mine & ~bare & ~below, fill, edge)
            self._hatched(mine & bare & ~below & ~untold, fill, edge, BARE)
            self._hatched(mine & bare & ~below & untold, fill, edge, UNTOLD)
            draw_outlined(self._painter, self._rects(mine & below), fill, edge)
        doubtful = table.marks[cells.row] & BITS["doubtful"] > 0
        draw_doubts(self._painter, self._look, self._rects(doubtful))

    def labels(self, font: QFont) -> None:
        """The mark of each speaker if it fits, then the first words if they fit."""
        height = self._at.bar_px
        if height < _LEAST_MARK_BAR_PX:
            return
        table, cells = self._layout.table, self._cells
        wide = np.flatnonzero(cells.width >= _LEAST_MARK_PX)[:_MOST_LABELS]
        solid = (table.provenance[cells.row] > 0) & (table.tier[cells.row] == 0)
        inks = QColor(INK), self._look.colour("text")
        metrics = QFontMetricsF(font)
        self._painter.setFont(font)
        for cell in wide.tolist():
            self._painter.setPen(inks[0] if solid[cell] else inks[1])
            area = self._room(cell)
            kind = int(cells.kind[cell])
            if has_mark(kind) and area.width() >= SIZE_PX:
                ink = inks[0] if solid[cell] else inks[1]
                draw_speaker(self._painter, area.left(), area.center().y(), kind, ink)
                area.setLeft(area.left() + SIZE_PX + 3)
            if height >= _LEAST_TEXT_BAR_PX:
                words = " ".join(self._said.text[int(cells.at[cell])][:160].split())
                shown = fitting(words, metrics, area.width())
                if shown:
                    self._painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, shown)

    def _room(self, cell: int) -> QRectF:
        """The area for a cell's mark and text: on screen, and clear of the checkpoints."""
        cells, table = self._cells, self._layout.table
        row, at = int(cells.row[cell]), int(cells.at[cell])
        left, right = float(cells.left[cell]), float(cells.left[cell] + cells.width[cell])
        above = int(table.parent[row])
        behind = at == int(self._said.first[row]) and above >= 0 and table.provenance[above] > 0
        left = max(left + (_CHECKPOINT_PX if behind else 2), 3.0)
        marked = bool(cells.last[cell]) and table.provenance[row] > 0
        right = min(right, self._at.view.width) - (_CHECKPOINT_PX if marked else 2)
        return QRectF(left, float(cells.top[cell]), max(0.0, right - left), self._at.bar_px)

    def _colours(self, kind: int) -> tuple[QColor, QColor]:
        if kind == UNKNOWN:
            return self._look.lane(0), self._look.lane(0)
        name = SPEAKERS[kind]
        return self._look.colour(f"says_{name}"), self._look.colour(f"says_{name}_edge")

    def _rects(self, mine: Flags) -> list[QRectF]:
        cells: Cells = self._cells
        height = self._at.bar_px
        columns = (column[mine].tolist() for column in (cells.left, cells.top, cells.width))
        return list(map(QRectF, *columns, repeat(height)))

    def _solid(self, mine: Flags, fill: QColor, edge: QColor) -> None:
        self._painter.setBrush(fill)
        self._painter.drawRects(self._rects(mine))
        self._edges(mine, edge)

    def _hatched(self, mine: Flags, fill: QColor, edge: QColor, pattern: Qt.BrushStyle) -> None:
        rects = self._rects(mine)
        if rects:
            draw_hatched(self._painter, rects, fill, pattern)
            self._edges(mine, edge)

    def _edges(self, mine: Flags, colour: QColor) -> None:
        """A line below, strong enough to stand out from the background."""
        height = self._at.bar_px
        if height < _LEAST_EDGE_BAR_PX:
            return
        cells, top = self._cells, self._cells.top[mine] + height - _EDGE_PX
        columns = (column.tolist() for column in (cells.left[mine], top, cells.width[mine]))
        self._painter.setBrush(colour)
        self._painter.drawRects(list(map(QRectF, *columns, repeat(_EDGE_PX))))


def fitting(words: str, metrics: QFontMetricsF, width: float) -> str:
    """As much of a text as fits; "" rather than a few letters of it."""
    if metrics.horizontalAdvance(words) <= width:
        return words
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, width)
    return shown if len(shown) > _LEAST_CHARACTERS else ""
