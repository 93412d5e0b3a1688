"""Paints who speaks along the lanes: cells, each with its speaker's mark and first words."""

from __future__ import annotations

from itertools import repeat

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.cache.bar_styles import BARE, UNTOLD, draw_doubts, draw_hatched, draw_outlined
from app.cache.cells import Cells, cells_of
from app.cache.geometry import Geometry
from app.cache.mark_table import BITS
from app.cache.speaker_marks import SIZE_PX, draw_speaker, has_mark
from app.cache.stretches import SPEAKERS, UNKNOWN
from app.cache.table import Flags
from app.theme import Theme

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


class SpeechPainter:
    """Paints the bars of a frame; created for each."""

    def __init__(self, painter: QPainter, look: Theme, geometry: Geometry) -> None:
        self._painter = painter
        self._look = look
        self._at = geometry
        self._layout = geometry.layout
        self._said = geometry.layout.scale.stretches
        self._cells = cells_of(geometry)

    def bars(self) -> None:
        """Solid with a checkpoint, hatched on a tombstone, outlined where only lower tiers are."""
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
        """The mark of each speaker where it fits, then the first words where they do."""
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
        """Where a cell's mark and text may be: on screen, and beside the checkpoints."""
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
        """A line below, strong enough to be told from the background."""
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
