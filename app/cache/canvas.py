"""The tree of cached prefixes as lanes on a token ruler: zoom, pan, hover, select."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app import theme
from app.cache.axis import Viewport, fitted
from app.cache.eviction_words import eviction_tooltip
from app.cache.fading import FadingBook, Mark, marks_at
from app.cache.fading_painter import FadingPainter
from app.cache.geometry import Geometry
from app.cache.lanes import LaneBook
from app.cache.layout import Layout, advance, lay_out
from app.cache.live_painter import LivePainter
from app.cache.tree_painter import RULER_PX, TreePainter
from app.cache.walk import Direction, neighbour
from app.words.explain import node_tooltip, tree_summary
from engine.snapshot import CacheSnapshot, Evicted, NodeView

_FADE_MS = 50
_ZOOM = 1.2
_PAN_PX = 60
_CLICK_PX = 4
_REACH_PX = 6
# Evicted spans are drawn around the existing ones.
_MARK_REACH_PX = 10
_ARROWS: dict[int, Direction] = {
    Qt.Key.Key_Left: "parent",
    Qt.Key.Key_Right: "child",
    Qt.Key.Key_Down: "next",
    Qt.Key.Key_Up: "previous",
}


class TreeCanvas(QWidget):
    """Shows the latest snapshot, fitted to the whole tree until the user zooms or drags.

    Attributes:
        selected: id of the selected node, or None.
        viewport: the part that is on screen.
        clock: in seconds; evictions fade by it.

    Signals:
        chosen: a node was selected (its id) or the selection was cleared (None).
        faded: the last eviction on screen has faded.
        menu_wanted: the context menu of a node (its id) is requested, at a screen position.
    """

    chosen = Signal(object)
    faded = Signal()
    # Node ids of the lower tiers do not fit a C int.
    menu_wanted = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selected: int | None = None
        self.viewport = Viewport()
        self.layout_now: Layout | None = None
        self._snapshot: CacheSnapshot | None = None
        self._book = LaneBook()
        self._fades = FadingBook()
        self.clock = time.monotonic
        self._laid_out = 0
        self._still: QPixmap | None = None
        self._still_key: object = None
        self._auto = True
        self._hovered: int | None = None
        self._grabbed: QPointF | None = None
        self._dragged = 0.0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(90)
        self.setAccessibleName("Tree of cached prefixes")
        self._fade = QTimer(self)
        self._fade.setInterval(_FADE_MS)
        self._fade.timeout.connect(self._fade_on)

    def show_snapshot(self, snapshot: CacheSnapshot | None, fresh: Sequence[Evicted] = ()) -> None:
        """Lay out and show a snapshot; None clears the canvas and forgets the lanes.

        `fresh`: evictions that were not shown before.
        """
        if snapshot is None:
            self._snapshot = self.layout_now = None
            self._book.forget()
            self._fades.forget()
            self._fade_on()
            self._hovered = None
            self._select(None)
            self.update()
            return
        self._fades.add(fresh, self.layout_now, self.clock())
        for gone in fresh:
            if gone.node_before is not None and gone.node_now is not None:
                self._book.follow(gone.node_before, gone.node_now)
        made = advance(self.layout_now, snapshot)
        if made is None:
            made = lay_out(snapshot, self._book, self._fades.held())
            self._laid_out += 1
            self.setAccessibleDescription(tree_summary(snapshot))
        self._fades.settle(made)
        if self.layout_now is None or len(made.table) != len(self.layout_now.table):
            self._hovered = None
        self._snapshot, self.layout_now = snapshot, made
        if len(self._fades) and not self._fade.isActive():
            self._fade.start()
        if self.selected is not None and made.row_of(self.selected) is None:
            self._select(None)
        self._follow_tree()
        self.update()

    @property
    def empty(self) -> bool:
        """There is no tree, and no eviction is fading."""
        return self.layout_now is None or self._extent == 0

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The evictions that are currently drawn."""
        return self._fades.marks(self.clock())

    def node(self, number: int) -> NodeView | None:
        if self._snapshot is None:
            return None
        return next((node for node in self._snapshot.nodes if node.id == number), None)

    def fit(self) -> None:
        """Show the whole tree, and keep it fitted."""
        self._auto = True
        self._fit(growing=False)
        self.update()

    def tidy(self) -> None:
        """Forget all lanes and lay the tree out again."""
        self._book.forget()
        if self._snapshot is not None:
            self.layout_now = lay_out(self._snapshot, self._book, self._fades.held())
            self._laid_out += 1
            self._fades.settle(self.layout_now)
        self.fit()

    def zoom(self, factor: float, x: float | None = None) -> None:
        self._auto = False
        at = self.width() / 2 if x is None else x
        self.viewport = self.viewport.zoomed(factor, at, self._extent)
        self.update()

    def pan(self, dx: float, dy: float) -> None:
        self._auto = False
        self.viewport = self.viewport.moved(dx, dy, self._extent, self._lanes)
        self.update()

    def row_at(self, point: QPointF) -> int | None:
        """The row of the node, or of the checkpoint, under a point."""
        if self.layout_now is None or point.y() < RULER_PX:
            return None
        lane = self.viewport.lane(point.y() - RULER_PX)
        position = self.viewport.position(point.x())
        row = self.layout_now.checkpoint_near(
            position, lane, _REACH_PX / self.viewport.px_per_token
        )
        row = self.layout_now.hit(position, lane) if row is None else row
        return None if row is None or self.layout_now.table.source[row] < 0 else row

    def select(self, number: int | None) -> None:
        """Select a node by its id."""
        self._select(number)
        self.update()

    def reveal(self, number: int | None) -> None:
        """Select a node, and move the view if none of it is on screen."""
        self.select(number)
        made = self.layout_now
        row = None if made is None or number is None else made.row_of(number)
        if made is None or row is None:
            return
        span = int(made.table.start[row]), int(made.table.end[row])
        moved = self.viewport.showing(span, int(made.lane[row]), self._extent, self._lanes)
        if moved != self.viewport:
            self._auto = False
            self.viewport = moved
            self.update()

    @property
    def _extent(self) -> int:
        """The last token position of the tree or of a fading eviction."""
        return max(self.layout_now.extent if self.layout_now else 0, self._fades.extent)

    @property
    def _lanes(self) -> int:
        return max(self.layout_now.lanes if self.layout_now else 1, self._fades.lanes)

    def _fit(self, *, growing: bool) -> None:
        height = float(max(1, self.height() - RULER_PX))
        width = float(self.width())
        self.viewport = fitted(self._extent, self._lanes, width, height, growing=growing)

    def _follow_tree(self) -> None:
        """Show the whole tree, unless the user has zoomed or panned."""
        if self._auto and not self.viewport.shows(self._extent, self._lanes):
            self._fit(growing=True)

    def _fade_on(self) -> None:
        if not self._fades.prune(self.clock()) and self._fade.isActive():
            self._fade.stop()
            self._follow_tree()
            self.faded.emit()
        self.update()

    def _select(self, number: int | None) -> None:
        if number != self.selected:
            self.selected = number
            self.chosen.emit(number)

    def _row_node(self, row: int) -> NodeView | None:
        if self.layout_now is None or self._snapshot is None:
            return None
        source = int(self.layout_now.table.source[row])
        return self._snapshot.nodes[source] if source >= 0 else None

    def _walk(self, direction: Direction) -> None:
        made = self.layout_now
        if made is None or not len(made.table):
            return
        row = made.row_of(self.selected) if self.selected is not None else 0
        target = neighbour(made, row or 0, direction)
        if target is not None:
            self.select(int(made.table.ids[target]))

    def sizeHint(self) -> QSize:
        return QSize(420, 220)

    def paintEvent(self, event: QPaintEvent) -> None:
        made, snapshot = self.layout_now, self._snapshot
        if made is None or snapshot is None:
            return
        look, geometry = theme.current(), Geometry.of(self.viewport, made)
        still = self._still_picture(geometry, snapshot, look)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, still)
        painter.save()
        painter.translate(0, RULER_PX)
        painter.setClipRect(QRectF(0, 0, self.width(), self.height() - RULER_PX))
        moving = LivePainter(painter, look, geometry)
        FadingPainter(painter, look, geometry).marks(self.marks)
        if snapshot.live is not None:
            moving.request(snapshot.live)
            moving.head(snapshot.live)
        chosen = made.row_of(self.selected) if self.selected is not None else None
        moving.outlines(self._hovered, chosen)
        painter.restore()
        if self.hasFocus():
            painter.setPen(look.colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _still_picture(
        self, geometry: Geometry, snapshot: CacheSnapshot, look: theme.Theme
    ) -> QPixmap:
        """The static part of the picture; cached until the tree, the view or the theme changes."""
        scale = self.devicePixelRatioF()
        key = (self._laid_out, self.viewport, look.name, self.size().toTuple(), scale)
        if self._still is not None and self._still_key == key:
            return self._still
        picture = QPixmap(self.size() * scale)
        picture.setDevicePixelRatio(scale)
        picture.fill(look.colour("panel"))
        painter = QPainter(picture)
        tree = TreePainter(painter, look, geometry, snapshot)
        tree.axis(theme.mono_font(10))
        painter.translate(0, RULER_PX)
        painter.setClipRect(QRectF(0, 0, self.width(), self.height() - RULER_PX))
        tree.tree(theme.ui_font(11))
        painter.end()
        self._still, self._still_key = picture, key
        return picture

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._auto = True
        self._fit(growing=False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not steps:
            self.pan(event.angleDelta().x() / 2 + steps * _PAN_PX, 0)
        else:
            self.zoom(_ZOOM**steps, event.position().x())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grabbed, self._dragged = event.position(), 0.0

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is not None and event.buttons():
            moved = event.position() - self._grabbed
            self._dragged += abs(moved.x()) + abs(moved.y())
            self._grabbed = event.position()
            if self._dragged > _CLICK_PX:
                self.pan(moved.x(), moved.y())
            return
        row = self.row_at(event.position())
        if row != self._hovered:
            self._hovered = row
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if self._dragged <= _CLICK_PX:
            row = self.row_at(event.position())
            node = None if row is None else self._row_node(row)
            self.select(None if node is None else node.id)
        self._grabbed = None

    def leaveEvent(self, event: QEvent) -> None:
        if self._hovered is not None:
            self._hovered = None
            self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """For the node under the pointer; by keyboard, for the selected one."""
        made, at = self.layout_now, event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            row = None if made is None or self.selected is None else made.row_of(self.selected)
            at = self.mapToGlobal(self.rect().center())
        else:
            row = self.row_at(QPointF(event.pos()))
        node = None if row is None else self._row_node(row)
        if node is not None:
            self.menu_wanted.emit(node.id, at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_F:
            self.fit()
        elif key == Qt.Key.Key_T:
            self.tidy()
        elif key in (Qt.Key.Key_W, Qt.Key.Key_Plus):
            self.zoom(_ZOOM)
        elif key in (Qt.Key.Key_S, Qt.Key.Key_Minus):
            self.zoom(1 / _ZOOM)
        elif key in (Qt.Key.Key_A, Qt.Key.Key_D):
            self.pan(_PAN_PX if key == Qt.Key.Key_A else -_PAN_PX, 0)
        elif key in _ARROWS:
            self._walk(_ARROWS[key])
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tooltip_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def tooltip_at(self, point: QPointF) -> str:
        """The tooltip of evictions and the node at a point; "" if there is neither."""
        now = self._snapshot.time if self._snapshot else 0.0
        row = self.row_at(point)
        node = None if row is None else self._row_node(row)
        parts = [] if node is None else [node_tooltip(node, now)]
        if point.y() >= RULER_PX:
            lane = self.viewport.lane(point.y() - RULER_PX)
            reach = _MARK_REACH_PX / self.viewport.px_per_token
            here = marks_at(self.marks, self.viewport.position(point.x()), lane, reach)
            if here:
                parts.insert(0, eviction_tooltip(here, now))
        return "\n\n".join(parts)
