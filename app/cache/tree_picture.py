"""The picture of a tree: what stands still is painted once, and what moves drawn over it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap

from app import theme
from app.cache.chip_painter import paint_chips
from app.cache.fading_painter import FadingPainter
from app.cache.geometry import Geometry
from app.cache.hit_painter import paint_hits
from app.cache.lit import covers
from app.cache.lit_painter import paint_chosen, paint_hovered
from app.cache.live_painter import LivePainter
from app.cache.path_ruler import notches, paint_path_ruler, spine
from app.cache.tree_model import TreeModel
from app.cache.tree_painter import RULER_PX
from app.cache.tree_view import Frame, TreeView

_DIMMED = 0.82


class TreePicture:
    """Paints what a model shows, as a view draws it."""

    def __init__(self) -> None:
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
        frame = Frame(Geometry.of(shown, made, view.bar_px(shown.lane_px)), snapshot, look)
        painter.drawPixmap(0, 0, self._picture(painter, size, model, view, frame))
        selected = model.selected_row
        if made.scale.axis is not None and not made.scale.axis.uniform:
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
            # The node under the pointer has its outline; a checkpoint of it has not.
            lit = tuple(one for one in lit if one.left == one.right)
        paint_hovered(painter, look, frame.geometry, lit)
        painter.restore()

    def _picture(
        self, painter: QPainter, size: QSize, model: TreeModel, view: TreeView, frame: Frame
    ) -> QPixmap:
        """What stands still, until the tree, what is on screen of it, or the theme changes."""
        device = painter.device()
        scale = device.devicePixelRatioF() if device is not None else 1.0
        key = (view.name, model.made, model.viewport, frame.look.name, size.toTuple(), scale)
        if self._still is not None and self._key == key:
            return self._still
        picture = QPixmap(size * scale)
        picture.setDevicePixelRatio(scale)
        picture.fill(frame.look.colour("panel"))
        still = QPainter(picture)
        view.paint_head(still, frame)
        still.translate(0, RULER_PX)
        still.setClipRect(QRectF(0, 0, size.width(), size.height() - RULER_PX))
        _paint_nodes(still, view, frame)
        bright = model.bright
        if bright is not None:
            # All is dimmed, and what is wanted drawn over it once more.
            still.fillRect(QRect(QPoint(0, 0), size), frame.look.colour("panel", _DIMMED))
            wanted = replace(frame, geometry=frame.geometry.of_rows(bright))
            _erase(still, wanted)
            _paint_nodes(still, view, wanted)
        paint_hits(still, frame.look, frame.geometry, model.folding.found)
        still.end()
        self._still, self._key = picture, key
        return picture


def paint_focus(painter: QPainter, area: QRect) -> None:
    """The ring of what has the keyboard."""
    painter.setPen(theme.current().colour("accent"))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)


def _paint_nodes(painter: QPainter, view: TreeView, frame: Frame) -> None:
    view.paint(painter, frame)
    paint_chips(painter, frame.look, frame.geometry, theme.ui_font(11))


def _erase(painter: QPainter, frame: Frame) -> None:
    """Make room for the rows of a frame, which may be translucent."""
    at = frame.geometry
    columns = (column.tolist() for column in at.bars(at.merged()))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(frame.look.colour("panel"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.drawRects([QRectF(x, y, w, at.bar_px) for x, y, w in zip(*columns, strict=True)])
