"""The event log as a Qt table, which grows and shrinks by rows."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from app import theme
from app.cache.event_rows import FIGURES, HEADINGS, HINTS, Column, EventRow, row_of
from app.cache.event_table import Change, EventFilter, EventTable
from app.session.event_log import EventLog

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class EventModel(QAbstractTableModel):
    """The lines of one log.

    Attributes:
        table: all lines, and those shown.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = EventTable()
        self._last = 0
        self._figures: QFont | None = None

    def follow(self, log: EventLog) -> bool:
        """Take over what was logged since the last call; False if that was nothing."""
        fresh = log.since(self._last)
        if not fresh:
            return False
        self._last = fresh[-1].number
        rows = [row_of(entry) for entry in fresh]
        self.table.drop(log.oldest, self._removing, self.endRemoveRows)
        self.table.add(rows, self._inserting, self.endInsertRows)
        return True

    def narrow(self, wanted: EventFilter) -> None:
        """Show other lines."""
        self.beginResetModel()
        self.table.narrow(wanted)
        self.endResetModel()

    def row(self, index: _Index) -> EventRow | None:
        return self.table.row(index.row()) if index.isValid() else None

    def index_of(self, row: EventRow) -> QModelIndex:
        """Of a line's first cell; invalid if it is not shown."""
        line = self.table.line_of(row)
        return _ROOT if line is None else self.index(line, 0)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.table)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is None:
            return None
        column = Column(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.cells[column]
            case Qt.ItemDataRole.ToolTipRole:
                text = row.cells[Column.TEXT] if row.entry is not None else ""
                return f"{row.sentence}\n{text}" if text else row.sentence
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return row.sentence
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
            case Qt.ItemDataRole.FontRole:
                return self._font() if column in FIGURES else None
            case Qt.ItemDataRole.ForegroundRole:
                return theme.current().colour(_token(row, column))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return HEADINGS[section]
            case Qt.ItemDataRole.ToolTipRole:
                return HINTS[section]
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(Column(section))
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        descending = order == Qt.SortOrder.DescendingOrder
        if column < 0 or (self.table.column, self.table.descending) == (column, descending):
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        rows = [self.table.row(index.row()) for index in before]
        self.table.arrange(Column(column), descending)
        lines = [self.table.line_of(row) for row in rows]
        after = [
            self.index(line, old.column())
            for old, line in zip(before, lines, strict=True)
            if line is not None
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def _inserting(self, change: Change) -> None:
        self.beginInsertRows(_ROOT, change.first, change.first + change.count - 1)

    def _removing(self, change: Change) -> None:
        self.beginRemoveRows(_ROOT, change.first, change.first + change.count - 1)

    def _font(self) -> QFont:
        if self._figures is None:
            self._figures = theme.mono_font()
        return self._figures


def _alignment(column: Column) -> Qt.AlignmentFlag:
    right = column in FIGURES and column is not Column.TIME
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _token(row: EventRow, column: Column) -> str:
    """The colour of a cell: what is lost stands out, what is kept does not."""
    if column is Column.WENT and row.kind == "lost":
        return "danger"
    if row.kind == "notice":
        return "text" if column is Column.TEXT else "dim"
    return "text" if column in (Column.EVENT, Column.TEXT) else "dim"
