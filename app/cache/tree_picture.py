"""Composes the picture of a tree: a cached pixmap, with what moves painted over it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPixmap, QPolygonF

from app.cache.fading_painter import FadingPainter
from app.cache.logic.axis import Viewport
from app.cache.logic.folding import Chip
from app.cache.logic.geometry import Geometry
from app.cache.logic.layout import Layout, path_rows
from app.cache.logic.lit import Cover, covers
from app.cache.logic.table import LIVE_ID
from app.cache.logic.tree_model import TreeModel
from app.cache.marks import draw_mark
from app.cache.tree_painter import RULER_PX
from app.cache.tree_view import Frame, TreeView
from app.core.words import format as fmt
from app.ui import theme
from app.ui.theme import Theme
from engine.snapshot import LiveView

_LEAST_LABEL_PX = 34.0
_LEAST_LABEL_BAR_PX = 12.0
_MOST_CHIPS = 400
_DIMMED = 0.82
_MOST = 2000
_FLAG_PX = 4.0
# Beyond the upper and lower edge of a bar.
_OUT_PX = 3.0
_HOOK_PX = 5.0
_LEAST_PX = 4.0
# Around a checkpoint, to either side.
_RING_PX = 7.0
_BETWEEN_PX = 8
_TICK_PX = 4
_REPLAY_PX = 4


class LivePainter:
    """Paints over a frame of the tree, in its coordinates."""

    def __init__(self, painter: QPainter, look: Theme, geometry: Geometry) -> None:
        self._painter = painter
        self._look = look
        self._at = geometry
        self._view = geometry.view
        self._layout = geometry.layout

    def request(self, live: LiveView) -> None:
        """The tokens that the request has run, still has to prefill, and replays."""
        layout, look, view = self._layout, self._look, self._view
        row = layout.row_of(LIVE_ID)
        if row is not None:
            whole = self.rect(row)
            head = view.x(layout.scale.x(row, live.position))
            done = min(max(head, whole.left()), whole.right())
            self._painter.fillRect(whole, look.colour("accent", 0.20))
            ran = QRectF(whole.left(), whole.top(), done - whole.left(), whole.height())
            self._painter.fillRect(ran, look.colour("accent", 0.75))
            self._mark_start(int(layout.table.parent[row]))
        matched = live.reused + live.replayed
        if not live.replayed or live.position > live.total:
            return
        for on_path in np.flatnonzero(layout.on_path).tolist():
            start = max(live.reused, int(layout.table.start[on_path]))
            end = min(matched, int(layout.table.end[on_path]))
            if end > start:
                y = self._at.y(int(layout.lane[on_path])) - _REPLAY_PX - 1
                left = view.x(layout.scale.x(on_path, start))
                right = view.x(layout.scale.x(on_path, end))
                area = QRectF(left, y, right - left, _REPLAY_PX)
                self._painter.fillRect(area, look.colour("replayed"))

    def _mark_start(self, row: int) -> None:
        """Redraw the checkpoint where the request's own tokens start on top of them."""
        table = self._layout.table
        if table.provenance[row] and self._layout.pointed:
            y = self._at.y(int(self._layout.lane[row])) + self._at.bar_px / 2
            middle = QPointF(self._view.x(float(self._layout.scale.right[row])), y)
            reach = min(7.0, self._at.bar_px * 0.5)
            draw_mark(self._painter, self._look, middle, reach, int(table.marks[row]))

    def head(self, live: LiveView) -> None:
        """The current position of the request."""
        layout = self._layout
        start, end = layout.table.start, layout.table.end
        here = np.flatnonzero(
            layout.on_path & (start <= live.position) & (end >= live.position) & (end > start)
        )
        if not len(here):
            return
        x = self._view.x(layout.scale.x(int(here[-1]), live.position))
        if not 0 <= x <= self._view.width:
            return
        y = self._at.y(int(layout.lane[here[-1]]))
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._look.colour("accent")
        self._painter.setPen(QPen(colour, 2))
        self._painter.drawLine(QPointF(x, y - 3), QPointF(x, y + self._at.bar_px + 3))
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        tip = [QPointF(x - 5, y - 9), QPointF(x + 5, y - 9), QPointF(x, y - 2)]
        self._painter.drawPolygon(QPolygonF(tip))

    def outlines(self, hovered: int | None, selected: int | None) -> None:
        """Frames around the node under the mouse and the selected one."""
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, token, width in ((hovered, "dim", 1.0), (selected, "text", 2.0)):
            if row is not None and row < len(self._layout.table):
                self._painter.setPen(QPen(self._look.colour(token), width))
                self._painter.drawRect(self.rect(row).adjusted(-0.5, -1.5, 0.5, 1.5))

    def rect(self, row: int) -> QRectF:
        left, top, width = self._at.bars(np.array([row], dtype=np.int64))
        return QRectF(float(left[0]), float(top[0]), float(width[0]), self._at.bar_px)


@dataclass(frozen=True, slots=True)
class Notch:
    """A token position and its x in pixels; `whole`: a message begins there."""

    x: float
    position: int
    whole: bool


def spine(layout: Layout, *wanted: int | None) -> list[int]:
    """The path from the root to the first wanted row that exists; else to the furthest row."""
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
    """The starts of a path's messages, and its end, as far as they are on screen."""
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
    """Paint notches at the lower edge of a strip; a label that would touch the last is dropped."""
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


def paint_chips(painter: QPainter, look: Theme, at: Geometry, font: QFont) -> None:
    """Dashed boxes with a word, in coordinates that start below the ruler."""
    chips = at.layout.folded.chips
    rows = at.chips()[:_MOST_CHIPS]
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
    """Another conversation on one line: a thin bar, and its title above or after it."""
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
    """The areas on screen, in pixels, clipped a little outside of it."""
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


def paint_hits(painter: QPainter, look: Theme, at: Geometry, found: frozenset[int]) -> None:
    """A frame around each node found, and a flag above it, below the ruler.

    Hits on the same two pixels are marked once.
    """
    table = at.layout.table
    rows = at.rows[np.isin(table.ids[at.rows], list(found))][:_MOST]
    if not len(rows):
        return
    left, top, width = at.bars(rows)
    key = np.round(left / 2).astype(np.int64) * 100_000 + np.round(top / 2).astype(np.int64)
    _, first = np.unique(key, return_index=True)
    areas = [
        QRectF(x - 1, y - 1, max(w, 3.0) + 2, at.bar_px + 2)
        for x, y, w in zip(
            left[first].tolist(), top[first].tolist(), width[first].tolist(), strict=True
        )
    ]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrush(look.colour("accent", 0.22))
    painter.setPen(QPen(look.colour("accent"), 2))
    painter.drawRects(areas)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.colour("accent"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for area in areas[:400]:
        x, y = max(area.left(), 0.0), area.top()
        painter.drawPolygon(
            QPolygonF(
                [
                    QPointF(x, y),
                    QPointF(x, y - _FLAG_PX * 2),
                    QPointF(x + _FLAG_PX * 2, y - _FLAG_PX),
                ]
            )
        )


class TreePicture:
    """Paints what a model shows, as a view draws it.

    Attributes:
        figured: see Frame.
    """

    def __init__(self) -> None:
        self.figured = True
        self._still: QPixmap | None = None
        self._key: object = None

    def paint(
        self, painter: QPainter, size: QSize, model: TreeModel, view: TreeView, now: float
    ) -> None:
        """Paint into a widget of a size; evictions fade by `now`."""
        made, snapshot = model.layout, model.snapshot
        if made is None or snapshot is None:
            return
        look, shown = theme.current(), model.viewport
        geometry = Geometry.of(shown, made, view.bar_px(shown.lane_px))
        frame = Frame(geometry, snapshot, look, self.figured)
        painter.drawPixmap(0, 0, self._picture(painter, size, model, view, frame))
        selected = model.selected_row
        axis = made.scale.axis
        if self.figured and axis is not None and not axis.uniform:
            path = spine(made, model.hovered, selected)
            found = notches(made, path, shown)
            paint_path_ruler(painter, look, theme.mono_font(10), found, RULER_PX)
        painter.save()
        painter.translate(0, RULER_PX)
        painter.setClipRect(QRectF(0, 0, size.width(), size.height() - RULER_PX))
        moving = LivePainter(painter, look, frame.geometry)
        FadingPainter(painter, look, frame.geometry).marks(model.marks(now))
        if snapshot.live is not None:
            moving.request(snapshot.live)
            moving.head(snapshot.live)
        paint_chosen(painter, look, frame.geometry, covers(made, model.lights.marked))
        moving.outlines(model.hovered, selected)
        lit = covers(made, model.lights.lit)
        if model.hovered is not None:
            # The hovered node already has an outline; its checkpoint does not.
            lit = tuple(one for one in lit if one.left == one.right)
        paint_hovered(painter, look, frame.geometry, lit)
        painter.restore()

    def _picture(
        self, painter: QPainter, size: QSize, model: TreeModel, view: TreeView, frame: Frame
    ) -> QPixmap:
        """The static part, cached until the layout, the viewport or the theme changes."""
        device = painter.device()
        scale = device.devicePixelRatioF() if device is not None else 1.0
        what = (view.name, model.made, model.viewport, frame.figured)
        key = (*what, frame.look.name, size.toTuple(), scale)
        if self._still is not None and self._key == key:
            return self._still
        picture = QPixmap(size * scale)
        picture.setDevicePixelRatio(scale)
        picture.fill(frame.look.colour("panel"))
        still = QPainter(picture)
        if frame.figured:
            view.paint_head(still, frame)
        still.translate(0, RULER_PX)
        still.setClipRect(QRectF(0, 0, size.width(), size.height() - RULER_PX))
        _paint_nodes(still, view, frame)
        bright = model.bright
        if bright is not None:
            # Dim everything, then repaint the bright nodes over it.
            still.fillRect(QRect(QPoint(0, 0), size), frame.look.colour("panel", _DIMMED))
            wanted = replace(frame, geometry=frame.geometry.of_rows(bright))
            _erase(still, wanted)
            _paint_nodes(still, view, wanted)
        paint_hits(still, frame.look, frame.geometry, model.folding.found)
        still.end()
        self._still, self._key = picture, key
        return picture


def paint_focus(painter: QPainter, area: QRect) -> None:
    """The keyboard focus ring."""
    painter.setPen(theme.current().colour("accent"))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)


def _paint_nodes(painter: QPainter, view: TreeView, frame: Frame) -> None:
    view.paint(painter, frame)
    paint_chips(painter, frame.look, frame.geometry, theme.ui_font(11))


def _erase(painter: QPainter, frame: Frame) -> None:
    """Clear the areas of a frame's rows, whose paint may be translucent."""
    at = frame.geometry
    columns = (column.tolist() for column in at.bars(at.merged()))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.look.colour("panel"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.drawRects([QRectF(x, y, w, at.bar_px) for x, y, w in zip(*columns, strict=True)])
