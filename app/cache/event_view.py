"""A table of events: selects, copies, and keeps what is read in its place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from app import theme
from app.cache.event_rows import LOG, EventRow, Sheet, row_of, rows_csv, rows_text
from app.cache.event_table import Change, EventFilter, EventTable
from app.session.event_log import EventLog
from app.words.tr import tr

_SHIFT = Qt.KeyboardModifier.ShiftModifier
# Around a text in its cell, with room for the arrow of the sorted column.
_AROUND_PX = 18
_TEXT_PX = 140
_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_ROW_PX = 24


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


def as_lines(
    table: QTableView, usual: Mapping[int, str], figures: Collection[int], around_px: int
) -> None:
    """Make a table, whose model is set, one of lines: chosen whole, of one height, without a grid.

    Args:
        usual: a text that is as wide as most of its column; the last column takes what is left.
        figures: the columns of figures, which have the font of those.
        around_px: around a text in its cell.
    """
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setTabKeyNavigation(False)
    table.setShowGrid(False)
    table.setWordWrap(False)
    side, head = table.verticalHeader(), table.horizontalHeader()
    side.hide()
    side.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    side.setDefaultSectionSize(_ROW_PX)
    for column, text in usual.items():
        font = theme.mono_font() if column in figures else theme.ui_font()
        table.setColumnWidth(column, QFontMetrics(font).horizontalAdvance(text) + around_px)
    head.setStretchLastSection(True)
    head.setHighlightSections(False)


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


class EventView(QTableView):
    """Lines of events, the newest first until the user sorts them.

    Attributes:
        open_words: what the menu calls opening a line.

    Signals:
        chosen(object): the user moved to this EventRow.
        opened(object): the user pressed Enter on it, or double-clicked it.
    """

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, sheet: Sheet = LOG, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.events = EventModel(sheet, self)
        self.open_words = tr("Show in tree")
        # Rows that come and go move the current one, which is no choice of the user's.
        self._moving = False
        self.setModel(self.events)
        self.setAccessibleName(tr("Events"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        as_lines(self, sheet.usual, sheet.figures, _AROUND_PX)
        self._room = ColumnRoom(self, sheet.spare, _TEXT_PX)
        self.horizontalHeader().setSortIndicator(sheet.time, Qt.SortOrder.DescendingOrder)
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

    def add(self, rows: Sequence[EventRow], oldest: tuple[int, int] = (0, 0)) -> None:
        """Add new lines, and drop those before the oldest; what is being read stays in place."""
        bar = self.verticalScrollBar()
        reading = bar.value() > bar.minimum()
        top = self.events.row(self.indexAt(QPoint(0, 0))) if reading else None
        self._moving = True
        self.events.add(rows, oldest)
        self._moving = False
        if top is not None:
            stands = self.events.index_of(top)
            if stands.isValid():
                bar.setValue(stands.row())

    def replace(self, rows: Sequence[EventRow]) -> None:
        """Put other lines in the places of those of the same number."""
        if rows:
            self._keep_current(lambda: self.events.replace(rows))

    def show_rows(self, rows: Sequence[EventRow]) -> None:
        """Have exactly these lines, given by ascending number."""
        current, bar = self.current, self.verticalScrollBar()
        top = bar.value()
        self._moving = True
        self.events.show(rows)
        bar.setValue(top)
        if current is not None:
            stands = self.events.index_of_number(current.number)
            if stands.isValid():
                self.setCurrentIndex(stands)
        self._moving = False

    def clear(self) -> None:
        self._moving = True
        self.events.clear()
        self._moving = False

    def narrow(self, wanted: EventFilter) -> None:
        """Show other lines; the current one stays so if it is still there."""
        if wanted == self.events.table.filter:
            return
        self._keep_current(lambda: self.events.narrow(wanted))

    def _keep_current(self, change: Callable[[], None]) -> None:
        current = self.current
        self._moving = True
        change()
        stands = QModelIndex() if current is None else self.events.index_of(current)
        if stands.isValid():
            self.setCurrentIndex(stands)
            self.scrollTo(stands)
        self._moving = False

    def show_number(self, number: int) -> None:
        """Select the line of this number, if it is shown; not a choice of the user's."""
        stands = self.events.index_of_number(number)
        if stands.isValid():
            self._moving = True
            self.setCurrentIndex(stands)
            self.scrollTo(stands)
            self._moving = False

    def copy(self) -> int:
        """Put the selected lines on the clipboard; returns how many."""
        rows = self.selected
        if rows:
            QGuiApplication.clipboard().setText(rows_text(rows, self.events.sheet.headings))
        return len(rows)

    def copy_csv(self) -> int:
        """Put the selected lines on the clipboard as CSV, or all shown ones; returns how many."""
        table = self.events.table
        rows = self.selected or [table.row(line) for line in range(len(table))]
        QGuiApplication.clipboard().setText(rows_csv(rows, self.events.sheet.headings))
        return len(rows)

    def open_current(self) -> None:
        row = self.current
        if row is not None:
            self.opened.emit(row)

    def sort_by(self, column: int) -> None:
        """Sort by a column, or the other way round if it is sorted by that one."""
        table = self.events.table
        down = column == self.events.sheet.time if column != table.column else not table.descending
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
        menu.addAction(self.open_words, self.open_current).setEnabled(self.current is not None)
        menu.addAction(tr("Copy"), self.copy).setEnabled(some)
        menu.addAction(tr("Copy as CSV"), self.copy_csv).setEnabled(bool(len(self.events.table)))
        menu.addSeparator()
        order = menu.addMenu(tr("Sort by"))
        for column, heading in enumerate(self.events.sheet.headings):
            action = order.addAction(heading)
            action.setCheckable(True)
            action.setChecked(column == self.events.table.column)
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


class LogView(EventView):
    """The lines of the event log."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(LOG, parent)
        self._last = 0

    def follow(self, log: EventLog) -> bool:
        """Show what was logged since the last call; False if that was nothing."""
        fresh = log.since(self._last)
        if not fresh:
            return False
        self._last = fresh[-1].number
        self.add([row_of(entry) for entry in fresh], log.oldest)
        return True

    def forget(self) -> None:
        """Another log follows."""
        self._last = 0
        self.clear()
