"""The requests of two tapes as a Qt table, which can be sorted by any column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app import theme
from app.debug.comparing import HEADINGS, SHORT_HEADINGS, Compared, cells, judged, keys
from app.words.tr import tr

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class CompareModel(QAbstractTableModel):
    """One line per request.

    Attributes:
        rows: in the order shown.
        title: the name of a conversation.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Compared] = []
        self.title: Callable[[int], str] = str
        self._order = (0, False)

    def show(self, rows: Sequence[Compared], title: Callable[[int], str]) -> None:
        """Show other rows, or more."""
        if list(rows) == sorted(self.rows, key=lambda row: row.number):
            return
        self.beginResetModel()
        self.rows, self.title = list(rows), title
        self._sort()
        self.endResetModel()

    def line_of(self, number: int) -> int | None:
        """The line of a request."""
        return next((n for n, row in enumerate(self.rows) if row.number == number), None)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(HEADINGS)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return cells(row, self.title)[column]
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignLeft if column == 1 else Qt.AlignmentFlag.AlignRight
                return side | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.FontRole:
                return None if column == 1 else theme.mono_font(11)
            case Qt.ItemDataRole.ForegroundRole:
                token = {1: "good", -1: "danger"}.get(judged(row, column), "text")
                return theme.current().colour(token)
            case Qt.ItemDataRole.ToolTipRole if not row.same_prompt:
                return tr("The two traces do not have the same prompt here.")
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return SHORT_HEADINGS[section]
            case Qt.ItemDataRole.ToolTipRole:
                return HEADINGS[section]
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignLeft if section == 1 else Qt.AlignmentFlag.AlignRight
                return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.beginResetModel()
        self._order = (max(column, 0), order == Qt.SortOrder.DescendingOrder)
        self._sort()
        self.endResetModel()

    def _sort(self) -> None:
        column, descending = self._order

        def key(row: Compared) -> tuple[bool, float | str]:
            value = keys(row, self.title)[column]
            return (value == "", "" if value == "" else value)

        self.rows.sort(key=key, reverse=descending)
