"""Draws cache events: a mark each, or a block with their number where they crowd."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from app.debug.timeline.cluster import Clusters, clusters
from app.debug.timeline.concerned import Concerned
from app.debug.timeline.ink import tone_colour
from app.debug.timeline.pixels import counts
from app.debug.timeline.stack import Stack
from app.debug.timeline.tracks import GUTTER_PX, ROW_PX, Track
from app.debug.timeline.viewport import View
from app.theme import Theme
from app.words import format as fmt

# Texts are what costs most.
_MOST_NUMBERS = 120
_TICK_PX = 3


class EventArt:
    """Draws the event track; made for each frame."""

    def __init__(self, painter: QPainter, look: Theme, stack: Stack, view: View) -> None:
        self._painter, self._look = painter, look
        self._stack, self._view = stack, view
        self._numbers = 0

    def rows(self, track: Track, top: float, chosen: Concerned, hovered: Concerned) -> None:
        """Every row, or all as one while the track is folded."""
        events, edges = self._stack.series.events, self._stack.edges(self._view)
        if track.folded:
            self._folded(top)
        for place, row in enumerate(track.rows):
            y = top + place * ROW_PX
            if place % 2:
                area = QRectF(GUTTER_PX, y, self._view.width, ROW_PX)
                self._painter.fillRect(area, self._look.colour("track", 0.35))
            self._row(clusters(counts(events, row, edges)), y, row)
        for one, pen in (
            (hovered, QPen(self._look.colour("text"), 1, Qt.PenStyle.DashLine)),
            (chosen, QPen(self._look.colour("accent"), 2)),
        ):
            self._painter.setPen(pen)
            for number in one.events.tolist():
                self._ring(track, top, number)
            if one.event is not None:
                self._painter.setPen(QPen(self._look.colour("text"), pen.width(), pen.style()))
                self._ring(track, top, one.event)

    def _row(self, found: Clusters, y: float, row: int) -> None:
        if not len(found):
            return
        kind = self._stack.series.events.rows[row]
        solid = tone_colour(self._look, kind.tone)
        blocks, ticks = [], []
        numbered = list(
            zip(found.left.tolist(), found.right.tolist(), found.count.tolist(), strict=True)
        )
        for left, right, count in numbered:
            x = GUTTER_PX + left
            if count == 1:
                ticks.append(QRectF(x, y + 2, _TICK_PX, ROW_PX - 4))
            else:
                blocks.append(QRectF(x, y + 2, max(right - left, _TICK_PX + 1), ROW_PX - 4))
        painter = self._painter
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(solid)
        painter.drawRects(ticks)
        painter.setBrush(tone_colour(self._look, kind.tone, 0.4))
        painter.setPen(QPen(solid, 1))
        painter.drawRects([block.adjusted(0.5, 0.5, -0.5, -0.5) for block in blocks])
        self._count(numbered, y)

    def _count(self, numbered: list[tuple[int, int, int]], y: float) -> None:
        """How many stand in a block, in it or right of it, where there is room."""
        painter = self._painter
        metrics = QFontMetricsF(painter.font())
        painter.setPen(self._look.colour("text"))
        free = [left for left, _, _ in numbered[1:]] + [self._view.width]
        for (left, right, count), following in zip(numbered, free, strict=True):
            if count == 1 or self._numbers >= _MOST_NUMBERS:
                continue
            text = fmt.thousands(count)
            width = metrics.horizontalAdvance(text)
            x = (left + right - width) / 2 if right - left >= width + 4 else right + 4
            if x > right and x + width + 2 > following:
                continue
            self._numbers += 1
            room = QRectF(GUTTER_PX + x, y, width + 2, ROW_PX)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)

    def _folded(self, top: float) -> None:
        """All rows over one another, what was lost last."""
        events, edges = self._stack.series.events, self._stack.edges(self._view)
        rows = sorted(range(len(events.rows)), key=lambda row: events.rows[row].tone == "lost")
        self._painter.setPen(Qt.PenStyle.NoPen)
        for row in rows:
            kind = events.rows[row]
            found = clusters(counts(events, row, edges))
            low = 3 if kind.evicts else 8
            self._painter.setBrush(tone_colour(self._look, kind.tone))
            self._painter.drawRects(
                [
                    QRectF(GUTTER_PX + left, top + low, max(right - left, 2), ROW_PX - 3 - low)
                    for left, right in zip(found.left.tolist(), found.right.tolist(), strict=True)
                ]
            )

    def _ring(self, track: Track, top: float, number: int) -> None:
        """Around one event."""
        events = self._stack.series.events
        if number >= len(events):
            return
        row = int(events.row[number])
        y = top + (track.rows.index(row) * ROW_PX if row in track.rows else 0)
        x = self._view.x(float(self._stack.clock.place(events.time[number])))
        if not -8 < x < self._view.width + 8:
            return
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.drawRect(QRectF(GUTTER_PX + x - 3, y + 0.5, 9, ROW_PX - 1))
