"""Leaves out columns of a table where there is no room for all, and widens some in a wide one."""

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


def widened(widths: Mapping[int, int], room: int, most: Mapping[int, int]) -> dict[int, int]:
    """How wide the columns of `most` are: half of what is left over goes to them, in equal parts.

    The last column takes the other half, and whatever they do not need.
    """
    part = max(0, room - sum(widths.values())) // 2 // max(1, len(most))
    return {one: max(widths[one], min(wide, widths[one] + part)) for one, wide in most.items()}


class ColumnRoom(QObject):
    """Watches the width of a table whose last column takes what is left.

    The table scrolls sideways only once all spare columns are left out.
    """

    def __init__(
        self,
        table: QTableView,
        spare: Sequence[int],
        last_px: int,
        most: Mapping[int, int] | None = None,
    ) -> None:
        """spare: the columns that may go, in that order. last_px: what the last one needs.

        most: of columns that are wider where there is room, how wide they get.
        """
        super().__init__(table)
        self._table, self._spare, self._last_px = table, spare, last_px
        self._most = dict(most or {})
        # What they begin with, and what they were given last: another width is the user's.
        self._usual = {column: table.columnWidth(column) for column in self._most}
        self._given = dict(self._usual)
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
        widths |= self._usual
        room = table.viewport().width()
        gone = left_out(widths, room, self._spare)
        for column in self._spare:
            if table.isColumnHidden(column) != (column in gone):
                table.setColumnHidden(column, column in gone)
        shown = {column: width for column, width in widths.items() if column not in gone}
        most = {column: wide for column, wide in self._most.items() if column not in gone}
        for column, width in widened(shown, room, most).items():
            if table.columnWidth(column) == self._given[column]:
                self._given[column] = width
                table.setColumnWidth(column, width)
            else:
                del self._most[column], self._usual[column]
