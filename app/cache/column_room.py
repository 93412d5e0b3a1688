"""Leaves out columns of a table where there is no room for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QTableView


def left_out(widths: Mapping[int, int], room: int, spare: Sequence[int]) -> frozenset[int]:
    """The first of `spare`, as many as must go so that the other columns fit."""
    over = sum(widths.values()) - room
    gone = 0
    while gone < len(spare) and over > 0:
        over -= widths[spare[gone]]
        gone += 1
    return frozenset(spare[:gone])


class ColumnRoom(QObject):
    """Watches the width of a table whose last column takes what is left.

    The table scrolls sideways only once all spare columns are left out.
    """

    def __init__(self, table: QTableView, spare: Sequence[int], last_px: int) -> None:
        """spare: the columns that may go, in that order. last_px: what the last one needs."""
        super().__init__(table)
        self._table, self._spare, self._last_px = table, spare, last_px
        # Of columns that are left out: Qt then says 0.
        self._widths: dict[int, int] = {}
        table.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._divide()
        return super().eventFilter(watched, event)

    def _divide(self) -> None:
        table, last = self._table, self._table.model().columnCount() - 1
        for column in range(last):
            if not table.isColumnHidden(column):
                self._widths[column] = table.columnWidth(column)
        widths = {**self._widths, last: self._last_px}
        gone = left_out(widths, table.viewport().width(), self._spare)
        for column in self._spare:
            if table.isColumnHidden(column) != (column in gone):
                table.setColumnHidden(column, column in gone)
