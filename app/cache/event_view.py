"""The table of the event log: selects, copies, and keeps what is read in its place."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from app import theme
from app.cache.event_model import EventModel
from app.cache.event_rows import FIGURES, HEADINGS, Column, EventRow, rows_text
from app.cache.event_table import EventFilter
from app.session.event_log import EventLog

_ROW_PX = 24
_SHIFT = Qt.KeyboardModifier.ShiftModifier
# Around a text in its cell, with room for the arrow of the sorted column.
_AROUND_PX = 18
_TEXT_PX = 80
# What usually stands in a column.
_USUAL = {
    Column.TIME: "00:00:00",
    Column.EVENT: "tombstone chain",
    Column.PLANE: "KV + state",
    Column.NODE: "8888",
    Column.LEFT: "device",
    Column.WENT: "replaced",
    Column.TOKENS: "8,888 to 8,888",
    Column.BYTES: "88.8 MiB",
    Column.AGE: "88 min",
}


class EventView(QTableView):
    """The lines of a log, the newest first until the user sorts them.

    Signals:
        chosen(object): the user moved to this EventRow.
        opened(object): the user pressed Enter on it, or double-clicked it.
    """

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.events = EventModel(self)
        # Rows that come and go move the current one, which is no choice of the user's.
        self._moving = False
        self.setModel(self.events)
        self.setAccessibleName("Events")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(_ROW_PX)
        head = self.horizontalHeader()
        for column, usual in _USUAL.items():
            font = theme.mono_font() if column in FIGURES else theme.ui_font()
            self.setColumnWidth(column, QFontMetrics(font).horizontalAdvance(usual) + _AROUND_PX)
        self.setColumnWidth(Column.TEXT, _TEXT_PX)
        head.setStretchLastSection(True)
        head.setHighlightSections(False)
        head.setSortIndicator(Column.TIME, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        self.selectionModel().currentRowChanged.connect(self._moved)
        self.doubleClicked.connect(self.open_current)

    @property
    def current(self) -> EventRow | None:
        return self.events.row(self.currentIndex())

    @property
    def selected(self) -> list[EventRow]:
        """The selected lines, from the top."""
        lines = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self.events.table.row(line) for line in lines]

    def follow(self, log: EventLog) -> bool:
        """Show what was logged since the last call; what is being read stays where it is."""
        bar = self.verticalScrollBar()
        reading = bar.value() > bar.minimum()
        top = self.events.row(self.indexAt(QPoint(0, 0))) if reading else None
        self._moving = True
        changed = self.events.follow(log)
        self._moving = False
        if changed and top is not None:
            stands = self.events.index_of(top)
            if stands.isValid():
                bar.setValue(stands.row())
        return changed

    def narrow(self, wanted: EventFilter) -> None:
        """Show other lines; the current one stays so if it is still there."""
        if wanted == self.events.table.filter:
            return
        current = self.current
        self._moving = True
        self.events.narrow(wanted)
        stands = QModelIndex() if current is None else self.events.index_of(current)
        if stands.isValid():
            self.setCurrentIndex(stands)
            self.scrollTo(stands)
        self._moving = False

    def copy(self) -> int:
        """Put the selected lines on the clipboard; returns how many."""
        rows = self.selected
        if rows:
            QGuiApplication.clipboard().setText(rows_text(rows))
        return len(rows)

    def open_current(self) -> None:
        row = self.current
        if row is not None:
            self.opened.emit(row)

    def sort_by(self, column: Column) -> None:
        """Sort by a column, or the other way round if it is sorted by that one."""
        table = self.events.table
        down = column is Column.TIME if column is not table.column else not table.descending
        order = Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder
        self.sortByColumn(column, order)

    def _moved(self) -> None:
        row = self.current
        if row is not None and not self._moving:
            self.chosen.emit(row)

    def _menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        some = bool(self.selected)
        menu.addAction("Show in tree", self.open_current).setEnabled(self.current is not None)
        menu.addAction("Copy", self.copy).setEnabled(some)
        menu.addSeparator()
        order = menu.addMenu("Sort by")
        for column in Column:
            action = order.addAction(HEADINGS[column])
            action.setCheckable(True)
            action.setChecked(column is self.events.table.column)
            action.triggered.connect(lambda _on=False, column=column: self.sort_by(column))
        menu.popup(at)

    def _menu_by_key(self) -> None:
        here = self.visualRect(self.currentIndex()).bottomLeft()
        self._menu(self.viewport().mapToGlobal(here))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self._menu_by_key()
        else:
            self._menu(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_current()
        elif event.key() == Qt.Key.Key_F10 and event.modifiers() == _SHIFT:
            # Qt itself handles only the menu key.
            self._menu_by_key()
        else:
            super().keyPressEvent(event)
