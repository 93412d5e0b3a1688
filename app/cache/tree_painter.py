"""Paints a layout of the tree: batches by style, draws only what is on screen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
)

from app import format as fmt
from app.cache.axis import Viewport, ticks
from app.cache.layout import Ghost, Layout
from app.cache.marks import draw_mark
from app.cache.table import LIVE_ID, PROVENANCES, Ints
from app.theme import Theme
from engine.snapshot import CacheSnapshot

RULER_PX = 24
_MOST_LABELS = 120
_LEAST_LABEL_PX = 44
_MARK_SPACING_PX = 11


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked besides the tree itself: rows, or None."""

    hovered: int | None = None
    selected: int | None = None


class TreePainter:
    """Paints one frame; made anew for each.

    Attributes:
        bar_px: height of a node's bar.
    """

    def __init__(
        self,
        painter: QPainter,
        look: Theme,
        view: Viewport,
        layout: Layout,
        snapshot: CacheSnapshot,
        fonts: tuple[QFont, QFont],
    ) -> None:
        self._painter = painter
        self._look = look
        self._view = view
        self._layout = layout
        self._snapshot = snapshot
        self._text_font, self._figure_font = fonts
        self.bar_px = min(20.0, view.lane_px * 0.62)
        top = view.lane(0)
        bottom = view.lane(view.height) + 1
        self._rows = layout.visible(view.left, view.right, top, bottom)

    def paint(self, ghosts: list[Ghost], now: float, marks: Marks) -> None:
        self._axis()
        painter = self._painter
        painter.save()
        painter.translate(0, RULER_PX)
        painter.setClipRect(QRectF(0, 0, self._view.width, self._view.height))
        self._forks()
        self._ghosts(ghosts, now)
        self._bars()
        self._live()
        self._labels()
        self._locks()
        self._checkpoints()
        self._head()
        self._marks(marks)
        painter.restore()

    def _y(self, lane: float) -> float:
        return self._view.y(lane) + (self._view.lane_px - self.bar_px) / 2 + 3

    def _rect(self, row: int) -> QRectF:
        table, view = self._layout.table, self._view
        left = max(-4.0, view.x(int(table.start[row])))
        right = min(view.width + 4.0, view.x(int(table.end[row])))
        return QRectF(
            left, self._y(int(self._layout.lane[row])), max(1.0, right - left - 1), self.bar_px
        )

    def _axis(self) -> None:
        painter, look, view = self._painter, self._look, self._view
        painter.setFont(self._figure_font)
        bottom = RULER_PX + view.height
        for tick in ticks(view):
            x = round(view.x(tick)) + 0.5
            painter.setPen(QPen(look.colour("border", 0.7), 1))
            painter.drawLine(QPointF(x, RULER_PX - 4), QPointF(x, bottom))
            painter.setPen(look.colour("faint"))
            align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            room = QRectF(x - 2, 0, view.width - x + 2, RULER_PX - 4)
            if painter.fontMetrics().horizontalAdvance(fmt.count(tick)) <= room.width():
                painter.drawText(room, align, fmt.count(tick))

    def _forks(self) -> None:
        layout, view = self._layout, self._view
        table = layout.table
        rows = layout.forks
        seen = (table.start[rows] >= view.left - 8) & (table.start[rows] <= view.right)
        rows = rows[seen]
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        drawn: set[tuple[int, int]] = set()
        for row in rows.tolist():
            lane = int(layout.lane[row])
            above = int(layout.lane[table.parent[row]])
            x = view.x(int(table.start[row]))
            if (round(x), lane) in drawn:
                continue
            drawn.add((round(x), lane))
            start = self._y(above) + self.bar_px / 2
            end = self._y(lane) + self.bar_px / 2
            bend = min(6.0, abs(end - start) / 2)
            sign = 1 if end > start else -1
            path = QPainterPath(QPointF(x - 3, start))
            path.lineTo(x - 3, end - sign * bend)
            path.quadTo(x - 3, end, x, end)
            self._painter.setPen(QPen(self._look.lane(lane), 2))
            self._painter.drawPath(path)

    def _bars(self) -> None:
        layout, table = self._layout, self._layout.table
        rows = self._rows[table.ids[self._rows] != LIVE_ID]
        rows = self._merged(rows)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._painter.setPen(Qt.PenStyle.NoPen)
        hue = layout.lane[rows] % len(self._look.lanes)
        bare = table.provenance[rows] == 0
        for number in np.unique(hue).tolist():
            colour = QColor(self._look.lanes[number])
            solid = [self._rect(row) for row in rows[(hue == number) & ~bare].tolist()]
            hatched = [self._rect(row) for row in rows[(hue == number) & bare].tolist()]
            if solid:
                self._painter.setBrush(colour)
                self._painter.drawRects(solid)
            if hatched:
                faint = QColor(colour)
                faint.setAlphaF(0.28)
                self._painter.setBrush(faint)
                self._painter.drawRects(hatched)
                self._painter.setBrush(QBrush(colour, Qt.BrushStyle.BDiagPattern))
                self._painter.drawRects(hatched)

    def _merged(self, rows: Ints) -> Ints:
        """Of the nodes that fall on one pixel of a lane, the first."""
        table, view = self._layout.table, self._view
        wide = (table.end[rows] - table.start[rows]) * view.px_per_token >= 1
        thin = rows[~wide]
        if len(thin) < 2:
            return rows
        pixel = np.floor((table.start[thin] - view.left) * view.px_per_token).astype(np.int64)
        _, first = np.unique(self._layout.lane[thin] * 100_000 + pixel, return_index=True)
        return np.concatenate([rows[wide], thin[first]])

    def _live(self) -> None:
        """The running request: what it has run, what is left, and the stretch it replays."""
        live = self._snapshot.live
        if live is None:
            return
        layout, look, view = self._layout, self._look, self._view
        row = layout.row_of(LIVE_ID)
        if row is not None:
            whole = self._rect(row)
            done = min(max(view.x(live.position), whole.left()), whole.right())
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(look.colour("accent", 0.20))
            self._painter.drawRect(whole)
            self._painter.setBrush(look.colour("accent", 0.75))
            self._painter.drawRect(
                QRectF(whole.left(), whole.top(), done - whole.left(), whole.height())
            )
        matched = live.reused + live.replayed
        if live.replayed and live.position <= live.total:
            for on_path in np.flatnonzero(layout.on_path).tolist():
                start = max(live.reused, int(layout.table.start[on_path]))
                end = min(matched, int(layout.table.end[on_path]))
                if end > start:
                    y = self._y(int(layout.lane[on_path])) - 5
                    area = QRectF(view.x(start), y, view.x(end) - view.x(start), 4)
                    self._painter.fillRect(area, look.colour("replayed"))

    def _labels(self) -> None:
        if self.bar_px < 14:
            return
        table, view = self._layout.table, self._view
        rows = self._rows[table.source[self._rows] >= 0]
        left = np.maximum(table.start[rows], view.left)
        right = np.minimum(table.end[rows], view.right)
        room = (right - left) * view.px_per_token
        rows = rows[room >= _LEAST_LABEL_PX][:_MOST_LABELS]
        metrics = QFontMetricsF(self._text_font)
        self._painter.setFont(self._text_font)
        for row in rows.tolist():
            text = self._snapshot.nodes[int(table.source[row])].text
            if not text:
                continue
            area = self._rect(row).adjusted(6, 0, -12, 0)
            area.setLeft(max(area.left(), 6))
            shown = metrics.elidedText(
                " ".join(text[:160].split()), Qt.TextElideMode.ElideRight, area.width()
            )
            if len(shown) > 2:
                bare = not table.provenance[row]
                self._painter.setPen(self._ink(bare))
                self._painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, shown)

    def _ink(self, on_hatching: bool) -> QColor:
        if on_hatching:
            return self._look.colour("text")
        return QColor("#0e1116")

    def _locks(self) -> None:
        """A line under what the running request holds on to."""
        table = self._layout.table
        held = self._rows[(table.kv_lock[self._rows] > 0) & (table.source[self._rows] >= 0)]
        lines = []
        for row in held[:2000].tolist():
            area = self._rect(row)
            lines.append(QRectF(area.left(), area.bottom() + 2, area.width(), 2))
        if lines:
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(self._look.colour("accent"))
            self._painter.drawRects(lines)

    def _checkpoints(self) -> None:
        layout, table, view = self._layout, self._layout.table, self._view
        rows = np.flatnonzero(
            (table.provenance > 0) & (table.end >= view.left) & (table.end <= view.right)
        )
        top, bottom = view.lane(0), view.lane(view.height) + 1
        rows = rows[(layout.lane[rows] >= top) & (layout.lane[rows] <= bottom)]
        if not len(rows):
            return
        # Where marks would lie on each other only the last of each stretch is drawn.
        bucket = np.floor(table.end[rows] * view.px_per_token / _MARK_SPACING_PX).astype(np.int64)
        key = layout.lane[rows] * 1_000_000 + bucket
        _, last = np.unique(key[::-1], return_index=True)
        shown = rows[len(rows) - 1 - last]
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        reach = min(7.0, self.bar_px * 0.5)
        for row in shown.tolist():
            middle = QPointF(
                view.x(int(table.end[row])), self._y(int(layout.lane[row])) + self.bar_px / 2
            )
            draw_mark(
                self._painter, self._look, middle, reach, PROVENANCES[int(table.provenance[row])]
            )
            if table.state_lock[row] > 0:
                self._painter.setPen(QPen(self._look.colour("accent"), 1.5))
                self._painter.setBrush(Qt.BrushStyle.NoBrush)
                self._painter.drawEllipse(middle, reach + 4, reach + 4)

    def _head(self) -> None:
        live = self._snapshot.live
        if live is None:
            return
        layout, view = self._layout, self._view
        x = view.x(live.position)
        lane = None
        for row in np.flatnonzero(layout.on_path).tolist():
            if layout.table.start[row] <= live.position <= layout.table.end[row]:
                lane = int(layout.lane[row])
        if lane is None or not 0 <= x <= view.width:
            return
        y = self._y(lane)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._look.colour("accent")
        self._painter.setPen(QPen(colour, 2))
        self._painter.drawLine(QPointF(x, y - 3), QPointF(x, y + self.bar_px + 3))
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        self._painter.drawPolygon(
            QPolygonF([QPointF(x - 5, y - 9), QPointF(x + 5, y - 9), QPointF(x, y - 2)])
        )

    def _ghosts(self, ghosts: list[Ghost], now: float) -> None:
        view, look = self._view, self._look
        for ghost in ghosts:
            strength = ghost.strength(now)
            y = self._y(ghost.lane)
            if ghost.span:
                area = QRectF(
                    view.x(ghost.start),
                    y,
                    (ghost.end - ghost.start) * view.px_per_token,
                    self.bar_px,
                )
                self._painter.fillRect(area, look.colour("danger", 0.45 * strength))
            if ghost.checkpoint:
                middle = QPointF(view.x(ghost.end), y + self.bar_px / 2)
                draw_mark(
                    self._painter, look, middle, min(7.0, self.bar_px * 0.5), "decode", strength
                )

    def _marks(self, marks: Marks) -> None:
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, token, width in ((marks.hovered, "dim", 1.0), (marks.selected, "text", 2.0)):
            if row is not None and row < len(self._layout.table):
                self._painter.setPen(QPen(self._look.colour(token), width))
                self._painter.drawRect(self._rect(row).adjusted(-0.5, -1.5, 0.5, 1.5))
