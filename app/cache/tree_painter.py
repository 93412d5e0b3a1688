"""Paints the tree, batched by style: axis, forks, bars, labels, checkpoints."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from app.cache.bar_styles import BARE, UNTOLD, draw_doubts, draw_hatched, draw_outlined
from app.cache.logic.axis import ticks
from app.cache.logic.chats import Chats
from app.cache.logic.geometry import Geometry, uprights
from app.cache.logic.mark_table import BITS
from app.cache.logic.name_tags import name_tags, outside
from app.cache.logic.stretches import SPEAKERS
from app.cache.logic.table import Ints
from app.cache.marks import draw_letter, draw_mark, draw_pin
from app.cache.speech_painter import INK, SpeechPainter, draw_speaker, fitting
from app.core.words import format as fmt
from app.ui.theme import Theme
from engine.snapshot import CacheSnapshot

RULER_PX = 24
_MOST_LABELS = 120
_LEAST_LABEL_PX = 44
_LEAST_LABEL_BAR_PX = 14
# Room for a letter between two bars.
_LEAST_LETTER_LANE_PX = 30
# With more forks than this their corners are square, which draws in one go.
_MOST_ROUND_FORKS = 60
_BEND_PX = 6.0
_ASIDE_PX = 3
_NAME_PX = 12.0
# Lanes closer together have no room for names between them.
_LEAST_NAME_LANE_PX = 32
_LEAST_STUB_LANE_PX = 26
# Next to the letter of the checkpoint that the thinking branches from.
STUB_LEFT_PX, STUB_PX = 8.0, 13.0
_MOST_STUBS = 200
_LEAST_OUTSIDE_PX = 11
OUTSIDE_PX = 6.0


def paint_names(painter: QPainter, look: Theme, frame: Geometry, chats: Chats, font: QFont) -> None:
    """Write names above the bars, at the left edge of what each conversation alone uses."""
    if frame.view.lane_px < _LEAST_NAME_LANE_PX:
        return
    painter.setFont(font)
    painter.setPen(look.colour("dim"))
    metrics = QFontMetricsF(font)
    for tag in name_tags(frame, chats):
        if frame.y(tag.lane) >= frame.view.height:
            continue
        shown = fitting(tag.title, metrics, tag.right - tag.left)
        if shown:
            area = QRectF(tag.left, frame.y(tag.lane) - _NAME_PX, tag.right - tag.left, _NAME_PX)
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, shown)


def paint_outside(
    painter: QPainter, look: Theme, frame: Geometry, chats: Chats, font: QFont
) -> None:
    """At the left edge of each lane that would be blank, name what is further left in it."""
    view = frame.view
    if frame.bar_px < _LEAST_OUTSIDE_PX or frame.only is not None:
        return
    painter.setFont(font)
    painter.setPen(look.colour("dim"))
    metrics, room = QFontMetricsF(font), view.width - 2 * OUTSIDE_PX
    for one in outside(frame.layout, view, chats):
        area = QRectF(OUTSIDE_PX, frame.y(one.lane), room, frame.bar_px)
        if area.top() < 0 or area.bottom() > view.height:
            continue
        words = metrics.elidedText(f"‹ {one.words}", Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, words)


def paint_stubs(painter: QPainter, look: Theme, frame: Geometry) -> None:
    """A grey twig below each place where the template has dropped thinking."""
    layout, view = frame.layout, frame.view
    if view.lane_px < _LEAST_STUB_LANE_PX:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = look.colour("faint")
    painter.setPen(QPen(colour, 1))
    kind = SPEAKERS.index("thinking")
    shown = 0
    rows = layout.stubs if frame.only is None else layout.stubs[frame.only[layout.stubs]]
    for row in rows.tolist():
        x, lane = view.x(float(layout.scale.left[row])), int(layout.lane[row])
        if not -STUB_PX <= x <= view.width or shown >= _MOST_STUBS:
            continue
        shown += 1
        bottom = frame.y(lane) + frame.bar_px
        middle = bottom + (view.lane_px - frame.bar_px) / 2 - 4
        start = x + STUB_LEFT_PX - 3
        painter.drawLine(QPointF(start, bottom), QPointF(start, middle))
        painter.drawLine(QPointF(start, middle), QPointF(start + 4, middle))
        draw_speaker(painter, start + 5, middle, kind, colour)


class TreePainter:
    """Paints the cached prefixes; created for each frame."""

    def __init__(
        self,
        painter: QPainter,
        look: Theme,
        geometry: Geometry,
        snapshot: CacheSnapshot,
        *,
        figured: bool = True,
    ) -> None:
        self._painter = painter
        self._look = look
        self._at = geometry
        self._view = geometry.view
        self._layout = geometry.layout
        self._snapshot = snapshot
        self._figured = figured
        self._plain = False

    def axis(self, font: QFont) -> None:
        """The token ruler, in the coordinates of the whole canvas."""
        painter, look, view = self._painter, self._look, self._view
        painter.setFont(font)
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        colour = look.colour("track")
        painter.setPen(look.colour("faint"))
        for tick in ticks(view):
            x = round(view.x(tick))
            # A thin opaque rectangle: a line with a translucent pen takes many times as long.
            painter.fillRect(x, RULER_PX - 4, 1, math.ceil(view.height) + 4, colour)
            text = fmt.count(tick)
            room = QRectF(x - 2, 0, view.width - x + 2, RULER_PX - 4)
            if painter.fontMetrics().horizontalAdvance(text) <= room.width():
                painter.drawText(room, align, text)

    def tree(self, font: QFont) -> None:
        """Everything below the ruler, in coordinates that start there."""
        self._forks()
        self.nodes(font)

    def nodes(self, font: QFont, *, plain: bool = False) -> None:
        """The nodes without the forks; `plain`: all in one colour, not in their lanes'."""
        self._plain = plain
        if self._layout.scale.stretches.known and not plain:
            speech = SpeechPainter(self._painter, self._look, self._at)
            speech.bars()
            speech.labels(font)
        else:
            self._bars()
            self._labels(font)
        self._locks()
        self._checkpoints()

    def _forks(self) -> None:
        rows, xs, above, own = self._at.forks()
        if not len(rows):
            return
        speakers = self._layout.scale.stretches.known
        hue = self._layout.lane[rows] % len(self._look.lanes)
        # If colours show speakers, they do not show lanes.
        hue = np.zeros_like(hue) if speakers else hue
        many = len(rows) > _MOST_ROUND_FORKS
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, not many)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for number in np.unique(hue).tolist():
            mine = hue == number
            colour = self._look.colour("faint") if speakers else self._look.lane(number)
            self._painter.setPen(QPen(colour, 1 if many else 2))
            spots = xs[mine], above[mine], own[mine]
            if many:
                columns = (column.tolist() for column in uprights(*spots, self._view.height))
                lines = zip(*columns, strict=True)
                self._painter.drawLines([QLineF(x, high, x, low) for x, high, low in lines])
                continue
            path = QPainterPath()
            for x, start, end in zip(*(column.tolist() for column in spots), strict=True):
                _elbow(path, x, start, end)
            self._painter.drawPath(path)

    def _bars(self) -> None:
        table = self._layout.table
        rows = self._at.merged()
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._painter.setPen(Qt.PenStyle.NoPen)
        hue = self._layout.lane[rows] % len(self._look.lanes)
        hue = np.zeros_like(hue) if self._plain else hue
        bare = table.provenance[rows] == 0
        below = table.tier[rows] > 0
        untold = table.marks[rows] & BITS["untold"] > 0
        for number in np.unique(hue).tolist():
            colour = QColor(self._look.lanes[number])
            solid = self.rects(rows[(hue == number) & ~bare & ~below])
            hatched = self.rects(rows[(hue == number) & bare & ~below & ~untold])
            crossed = self.rects(rows[(hue == number) & bare & ~below & untold])
            lower = self.rects(rows[(hue == number) & below])
            if lower:
                draw_outlined(self._painter, lower, colour, colour)
            if solid:
                self._painter.setBrush(colour)
                self._painter.drawRects(solid)
            for bars, pattern in ((hatched, BARE), (crossed, UNTOLD)):
                if bars:
                    draw_hatched(self._painter, bars, colour, pattern)
        doubtful = rows[table.marks[rows] & BITS["doubtful"] > 0]
        draw_doubts(self._painter, self._look, self.rects(doubtful))

    def rects(self, rows: Ints) -> list[QRectF]:
        left, top, width = (column.tolist() for column in self._at.bars(rows))
        height = self._at.bar_px
        return [QRectF(x, y, w, height) for x, y, w in zip(left, top, width, strict=True)]

    def _labels(self, font: QFont) -> None:
        if self._at.bar_px < _LEAST_LABEL_BAR_PX:
            return
        table = self._layout.table
        rows = self._at.rows[table.source[self._at.rows] >= 0]
        _, _, room = self._at.bars(rows)
        rows = rows[room >= _LEAST_LABEL_PX][:_MOST_LABELS]
        metrics = QFontMetricsF(font)
        self._painter.setFont(font)
        plain, on_hatching = QColor(INK), self._look.colour("text")
        for row, bar in zip(rows.tolist(), self.rects(rows), strict=True):
            text = " ".join(self._snapshot.nodes[int(table.source[row])].text[:160].split())
            area = bar.adjusted(10, 0, -12, 0)
            area.setLeft(max(area.left(), 6))
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
            if shown == text or len(shown) > 6:
                solid = table.provenance[row] and not table.tier[row]
                self._painter.setPen(plain if solid else on_hatching)
                self._painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, shown)

    def _locks(self) -> None:
        """A line under everything that the running request has locked, and pins."""
        table = self._layout.table
        rows = self._at.rows
        held = rows[(table.kv_lock[rows] > 0) & (table.source[rows] >= 0)]
        pinned = rows[table.marks[rows] & BITS["pinned"] > 0][:_MOST_LABELS]
        for spot in self.rects(pinned):
            draw_pin(self._painter, self._look, QPointF(max(spot.left(), 0) + 5, spot.top() + 3))
        if not len(held):
            return
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._look.colour("accent"))
        below = self._at.bar_px + 2
        self._painter.drawRects(
            [QRectF(r.left(), r.top() + below, r.width(), 2) for r in self.rects(held)]
        )

    def _checkpoints(self) -> None:
        """The diamonds, with a ring around locked ones."""
        table, view = self._layout.table, self._view
        rows = self._at.checkpoints()
        reach = min(7.0, self._at.bar_px * 0.5)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        xs = view.xs(self._layout.scale.right[rows]).tolist()
        lanes, kinds = self._layout.lane[rows].tolist(), table.marks[rows].tolist()
        locks = table.state_lock[rows].tolist()
        half = self._at.bar_px / 2
        lettered = (
            self._figured and view.lane_px >= _LEAST_LETTER_LANE_PX and len(xs) <= _MOST_LABELS
        )
        for x, lane, kind, lock in zip(xs, lanes, kinds, locks, strict=True):
            middle = QPointF(x, self._at.y(lane) + half)
            draw_mark(self._painter, self._look, middle, reach, kind)
            if lettered:
                draw_letter(self._painter, self._look, middle + QPointF(0, half + 1), kind)
            if lock:
                self._painter.setPen(QPen(self._look.colour("accent"), 1.5))
                self._painter.setBrush(Qt.BrushStyle.NoBrush)
                self._painter.drawEllipse(middle, reach + 4, reach + 4)


def _elbow(path: QPainterPath, x: float, start: float, end: float) -> None:
    """A rounded elbow from the parent's lane into the child's, at the exact token."""
    bend = min(_BEND_PX, abs(end - start) / 2)
    before = end - bend if end > start else end + bend
    path.moveTo(x - _ASIDE_PX, start)
    path.lineTo(x - _ASIDE_PX, before)
    path.quadTo(x - _ASIDE_PX, end, x, end)
