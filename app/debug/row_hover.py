"""The row of a table that the pointer is on."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTableView


class RowHover(QObject):
    """Follows the pointer over a table's rows; they may scroll under it while it rests.

    Signals:
        pointed(object): at the row of this QModelIndex, which is invalid beside all rows.
    """

    pointed = Signal(object)

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self._at: QPoint | None = None
        self._row = QPersistentModelIndex()
        table.setMouseTracking(True)
        table.viewport().installEventFilter(self)
        table.verticalScrollBar().valueChanged.connect(self._look)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._at = event.position().toPoint()
            self._look()
        elif event.type() == QEvent.Type.Leave and self._at is not None:
            self._at, self._row = None, QPersistentModelIndex()
            self.pointed.emit(QModelIndex())
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        if self._at is None:
            return
        index = self._table.indexAt(self._at).siblingAtColumn(0)
        if not index.isValid() or self._row != index:
            self._row = QPersistentModelIndex(index)
            self.pointed.emit(index)
