"""Lines of events as a Qt table, which grows and shrinks by rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from app import theme
from app.cache.event_rows import EventRow, Sheet
from app.cache.event_table import Change, EventFilter, EventTable

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class EventModel(QAbstractTableModel):
    """The lines of one list of events.

    Attributes:
        sheet: its columns.
        table: all lines, and those shown.
    """

    def __init__(self, sheet: Sheet, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sheet = sheet
        self.table = EventTable(sheet.time)
        self._figures: QFont | None = None

    def add(self, rows: Iterable[EventRow], oldest: tuple[int, int] = (0, 0)) -> None:
        """Add new lines, and drop those before the oldest notice and the oldest eviction."""
        self.table.drop(oldest, self._removing, self.endRemoveRows)
        self.table.add(rows, self._inserting, self.endInsertRows)

    def show(self, rows: Iterable[EventRow]) -> None:
        """Have exactly these lines, given by ascending number."""
        self.beginResetModel()
        self.table.show(rows)
        self.endResetModel()

    def replace(self, rows: Iterable[EventRow]) -> None:
        """Put other lines in the places of those of the same number."""
        self.beginResetModel()
        self.table.replace(rows)
        self.endResetModel()

    def clear(self) -> None:
        """Forget all lines; filter and order stay."""
        fresh = EventTable(self.table.column)
        fresh.filter, fresh.descending = self.table.filter, self.table.descending
        self.beginResetModel()
        self.table = fresh
        self.endResetModel()

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

    def index_of_number(self, number: int) -> QModelIndex:
        """Of the first cell of the line with this number; invalid if it is not shown."""
        row = self.table.numbered(number)
        return _ROOT if row is None else self.index_of(row)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.table)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.sheet.headings)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is None:
            return None
        column = index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.cells[column]
            case Qt.ItemDataRole.ToolTipRole:
                text = row.cells[self.sheet.last] if row.entry is not None else ""
                return f"{row.sentence}\n{text}" if text else row.sentence
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return row.sentence
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(column)
            case Qt.ItemDataRole.FontRole:
                return self._font() if column in self.sheet.figures else None
            case Qt.ItemDataRole.ForegroundRole:
                return theme.current().colour(self.sheet.tone(row, column))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.sheet.headings[section]
            case Qt.ItemDataRole.ToolTipRole:
                return self.sheet.hints[section]
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(section)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        descending = order == Qt.SortOrder.DescendingOrder
        if column < 0 or (self.table.column, self.table.descending) == (column, descending):
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        rows = [self.table.row(index.row()) for index in before]
        self.table.arrange(column, descending)
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

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        right = column in self.sheet.figures and column != self.sheet.time
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter
