"""The mouse over the tree: it drags, points at nodes and picks them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QWheelEvent

from app.cache.drag import Drag
from app.cache.tree_painter import RULER_PX

if TYPE_CHECKING:
    from app.cache.canvas import TreeCanvas

_ZOOM, _PAN_PX = 1.2, 60


class Pointer:
    """What a canvas does with its mouse events."""

    def __init__(self, canvas: TreeCanvas) -> None:
        self._canvas = canvas
        self._drag = Drag()
        self._on_checkpoint = False

    def wheel(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not steps:
            self._canvas.pan(event.angleDelta().x() / 2 + steps * _PAN_PX, 0)
        else:
            self._canvas.zoom(_ZOOM**steps, event.position())
        event.accept()

    def press(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag.begin(event.position())

    def move(self, event: QMouseEvent) -> None:
        if self._drag.held and event.buttons():
            if (moved := self._drag.move(event.position())) is not None:
                self._canvas.pan(moved.x(), moved.y())
            return
        row, on_checkpoint = self._spot(event.position())
        self._hover(row, on_checkpoint)
        node = self._canvas.model.node_of(row)
        number = None if node is None else node.id
        self._canvas.cards.point_at(number, event.position().toPoint())

    def release(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._drag.end():
            row, on_checkpoint = self._spot(event.position())
            self._canvas.select_row(row)
            self._canvas.pick(row, on_checkpoint)

    def leave(self) -> None:
        self._canvas.cards.floating.hide()
        self._hover(None)

    def ask_for_menu(self, event: QContextMenuEvent) -> None:
        """For the node under the pointer; by keyboard, for the selected one."""
        canvas = self._canvas
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        row = canvas.model.selected_row if by_key else canvas.row_at(QPointF(event.pos()))
        node = canvas.model.node_of(row)
        if row is None or node is None:
            return
        at = canvas.mapToGlobal(canvas.rect().center()) if by_key else event.globalPos()
        position = None if by_key else canvas.model.position_at(row, event.pos().x())
        canvas.menu_wanted.emit(node.id, at, position)

    def _hover(self, row: int | None, on_checkpoint: bool = False) -> None:
        model = self._canvas.model
        if (row, on_checkpoint) != (model.hovered, self._on_checkpoint):
            model.hovered, self._on_checkpoint = row, on_checkpoint
            node = model.node_of(row)
            self._canvas.hovered.emit(None if node is None else node.id, on_checkpoint)
            self._canvas.update()

    def _spot(self, point: QPointF) -> tuple[int | None, bool]:
        """The row at a point, and whether it is the row's checkpoint that is there."""
        row = self._canvas.row_at(point)
        return row, self._canvas.model.on_checkpoint(row, point.x(), point.y() - RULER_PX)
