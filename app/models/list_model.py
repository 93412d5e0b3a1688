"""The rows of the list: headings, and a model under each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.models.rows import Row
from app.words.joining import listed
from app.words.tr import tr

ROW = int(Qt.ItemDataRole.UserRole)
Index = QModelIndex | QPersistentModelIndex


class ListModel(QAbstractListModel):
    """Shows rows; what is chosen stays so when they change."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[Row, ...] = ()

    def show(self, rows: Sequence[Row]) -> None:
        """Take new rows; where only their texts differ, the view keeps its place."""
        rows = tuple(rows)
        if rows == self.rows:
            return
        same = [_key(row) for row in rows] == [_key(row) for row in self.rows]
        if same:
            self.rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def place(self, key: str) -> int | None:
        """The number of the row of an entry."""
        for at, row in enumerate(self.rows):
            if row.entry is not None and row.entry.key == key:
                return at
        return None

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            parts = [row.title, row.line, tr("open now") if row.is_open else "", row.mark_text]
            return listed(parts)
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.mark_text.capitalize()
        return row if role == ROW else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or self.rows[index.row()].entry is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def _key(row: Row) -> str:
    return row.title if row.entry is None else row.entry.key
