"""A short table that is filled anew, a line for each row, as those of clients and engines."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from app import theme
from app.stylesheet import TYPE

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PlainTable(QTreeWidget):
    """Columns of figures are aligned at the right, their headings with them."""

    def __init__(self, name: str, columns: Sequence[str], figures: Collection[int]) -> None:
        super().__init__()
        self._figures = figures
        self.setAccessibleName(name)
        self.setHeaderLabels(list(columns))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        # Figures at the far edge would stand apart from their row.
        self.header().setStretchLastSection(len(columns) - 1 not in figures)
        for column in figures:
            self.headerItem().setTextAlignment(column, _RIGHT)

    def fill(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these rows; an item that is there stays, with whatever is chosen."""
        while self.topLevelItemCount() > len(rows):
            self.takeTopLevelItem(self.topLevelItemCount() - 1)
        while self.topLevelItemCount() < len(rows):
            self.addTopLevelItem(self._row())
        for place, row in enumerate(rows):
            for column, text in enumerate(row):
                self.row(place).setText(column, text)
        for column in range(self.columnCount()):
            self.resizeColumnToContents(column)

    def row(self, place: int) -> QTreeWidgetItem:
        item = self.topLevelItem(place)
        assert item is not None, "the table has as many rows as were filled in"
        return item

    def _row(self) -> QTreeWidgetItem:
        made = QTreeWidgetItem()
        for column in self._figures:
            made.setTextAlignment(column, _RIGHT)
            made.setFont(column, theme.mono_font(TYPE["small"]))
        return made
