"""A table view: sorts, copies, has a context menu, and keeps the scroll position stable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QToolTip, QWidget

from app.core.words.glossary import explained
from app.core.words.tr import tr
from app.ui import theme
from app.ui.table_rows import (
    Column,
    RowRange,
    Sheet,
    TableFilter,
    TableRow,
    TableRows,
    rows_csv,
    rows_text,
)

_SHIFT = Qt.KeyboardModifier.ShiftModifier
# Padding around a cell's text, with room for the sort indicator.
_AROUND_PX = 18
_ROW_PX = 24
_CHIP_PX = 10
_FEW = 200
_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


def left_out(widths: Mapping[int, int], room: int, spare: Sequence[int]) -> frozenset[int]:
    """The first columns of `spare` that must be hidden for the others to fit."""
    over = sum(widths.values()) - room
    gone = 0
    while gone < len(spare) and over > 0:
        over -= widths[spare[gone]]
        gone += 1
    return frozenset(spare[:gone])


def widened(widths: Mapping[int, int], room: int, most: Mapping[int, int]) -> dict[int, int]:
    """Widths of the columns in `most`: they share half of the spare width equally.

    The last column takes the other half, and whatever they do not need.
    """
    part = max(0, room - sum(widths.values())) // 2 // max(1, len(most))
    return {one: max(widths[one], min(wide, widths[one] + part)) for one, wide in most.items()}


class ColumnRoom(QObject):
    """Distributes the width of a table whose last column takes the rest.

    The table scrolls sideways only once all spare columns are hidden.
    """

    def __init__(
        self,
        table: QTableView,
        spare: Sequence[int],
        last_px: int,
        most: Mapping[int, int] | None = None,
    ) -> None:
        """spare: columns that may be hidden, in that order. last_px: minimum width of the last one.

        most: maximum widths of columns that grow with the table.
        """
        super().__init__(table)
        self._table, self._spare, self._last_px = table, spare, last_px
        self._most = dict(most or {})
        # The default widths, and those set last: any other width was set by the user.
        self._usual = {column: table.columnWidth(column) for column in self._most}
        self._given = dict(self._usual)
        # Widths of hidden columns, for which Qt reports 0.
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


class TableModel(QAbstractTableModel):
    """The model of one table.

    Attributes:
        sheet: its columns.
        rows: all rows, and the shown ones.
    """

    def __init__(self, sheet: Sheet[Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sheet = sheet
        self.rows = TableRows(sheet.first, sheet.descending)
        self._figures: QFont | None = None

    def add(self, rows: Iterable[TableRow], oldest: tuple[int, int] = (0, 0)) -> None:
        """Add new rows, and drop those before the oldest notice and the oldest of the others."""
        self.rows.drop(oldest, self._removing, self.endRemoveRows)
        self.rows.add(rows, self._inserting, self.endInsertRows)

    def show(self, rows: Iterable[TableRow]) -> None:
        """Replace all rows; given by ascending number."""
        self._reset(lambda: self.rows.show(rows))

    def replace(self, rows: Sequence[TableRow]) -> bool:
        """Replace rows by number; whether any moved."""
        moved = []
        for row in rows:
            # Replacing many one by one would be slower than all at once.
            line = self.rows.swap(row) if len(rows) <= _FEW else None
            if line is None:
                moved.append(row)
            else:
                last = self.index(line, len(self.sheet.columns) - 1)
                self.dataChanged.emit(self.index(line, 0), last)
        if moved:
            self._reset(lambda: self.rows.replace(moved))
        return bool(moved)

    def narrow(self, wanted: TableFilter) -> None:
        """Set the filter."""
        self._reset(lambda: self.rows.narrow(wanted))

    def row(self, index: _Index) -> TableRow | None:
        return self.rows.row(index.row()) if index.isValid() else None

    def index_of(self, row: TableRow | None) -> QModelIndex:
        """The index of a row's first cell; invalid if it is not shown."""
        line = None if row is None else self.rows.line_of(row)
        return _ROOT if line is None else self.index(line, 0)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.sheet.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is None:
            return None
        column = self.sheet.columns[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.text(row.subject)
            case Qt.ItemDataRole.ToolTipRole:
                return explained(self._tip(row), *_term(column, row))
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return explained(row.sentence, *_term(column, row))
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(index.column())
            case Qt.ItemDataRole.FontRole:
                return self._font() if column.figures else None
            case Qt.ItemDataRole.ForegroundRole:
                return theme.current().colour(
                    self.sheet.tone if column.tone is None else column.tone(row.subject)
                )
            case Qt.ItemDataRole.DecorationRole if column.hue is not None:
                return _chip(column.hue(row.subject))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.sheet.columns[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.short or column.title
            case Qt.ItemDataRole.ToolTipRole:
                return column.hint or (column.title if column.short else None)
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(section)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        descending = order == Qt.SortOrder.DescendingOrder
        if column < 0 or (self.rows.column, self.rows.descending) == (column, descending):
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        rows = [self.rows.row(index.row()) for index in before]
        self.rows.arrange(column, descending)
        lines = [self.rows.line_of(row) for row in rows]
        after = [
            self.index(line, old.column())
            for old, line in zip(before, lines, strict=True)
            if line is not None
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def explain(self, row: TableRow) -> str:
        """A row's tooltip, with the meanings of all terms in it."""
        return explained(self._tip(row), *self.sheet.terms(row.subject))

    def _tip(self, row: TableRow) -> str:
        return (self.sheet.tip or self.sheet.sentence)(row.subject)

    def _reset(self, change: Callable[[], None]) -> None:
        self.beginResetModel()
        change()
        self.endResetModel()

    def _inserting(self, change: RowRange) -> None:
        self.beginInsertRows(_ROOT, change.first, change.first + change.count - 1)

    def _removing(self, change: RowRange) -> None:
        self.beginRemoveRows(_ROOT, change.first, change.first + change.count - 1)

    def _font(self) -> QFont:
        if self._figures is None:
            self._figures = theme.mono_font()
        return self._figures

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        right = self.sheet.columns[column].figures == "right"
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


def _term(column: Column[Any], row: TableRow) -> tuple[str, ...]:
    return () if column.term is None else (column.term(row.subject),)


def _chip(hue: int) -> QIcon:
    """A colour square that is distinct in both themes."""
    square = QPixmap(_CHIP_PX, _CHIP_PX)
    square.fill(QColor.fromHsv(hue % 360, 150, 190))
    return QIcon(square)


class Table(QTableView):
    """A view that selects whole rows, in the sheet's order until the user sorts them.

    Attributes:
        shown: the model.
        open_words: the menu's text for opening a row; "" if rows cannot be opened.

    Signals:
        chosen(object): the user moved to this TableRow.
        opened(object): the user pressed Enter on it, or double-clicked it.
        pointed(object): the hovered TableRow changed, or None; scrolling can do that, too.
    """

    chosen = Signal(object)
    opened = Signal(object)
    pointed = Signal(object)

    def __init__(
        self, sheet: Sheet[Any], name: str, open_words: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.shown = TableModel(sheet, self)
        self.open_words = open_words
        # Adding and removing rows moves the current one, which is not the user's choice.
        self._moving = False
        self._at: QPoint | None = None
        self._under: TableRow | None = None
        self.setMouseTracking(True)
        self.verticalScrollBar().valueChanged.connect(self._look)
        self.setModel(self.shown)
        self.setAccessibleName(name)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        side = self.verticalHeader()
        side.hide()
        side.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        side.setDefaultSectionSize(_ROW_PX)
        self._divide(sheet)
        first = Qt.SortOrder.DescendingOrder if sheet.descending else Qt.SortOrder.AscendingOrder
        head = self.horizontalHeader()
        head.setSortIndicator(sheet.first, first)
        self.setSortingEnabled(True)
        # Until then no header needs room for the indicator.
        head.setSortIndicatorShown(sheet.first >= 0)
        head.sortIndicatorChanged.connect(lambda *_: head.setSortIndicatorShown(True))
        self.selectionModel().currentRowChanged.connect(self._moved)
        self.doubleClicked.connect(self.open_current)

    def _divide(self, sheet: Sheet[Any]) -> None:
        """Set up column widths; figures at the far edge would be too far from their row."""
        head, last = self.horizontalHeader(), len(sheet.columns) - 1
        head.setStretchLastSection(sheet.columns[-1].figures != "right")
        head.setHighlightSections(False)
        for at, column in enumerate(sheet.columns):
            if column.usual:
                font = theme.mono_font() if column.figures else theme.ui_font()
                wide = QFontMetrics(font).horizontalAdvance(column.usual)
                self.setColumnWidth(at, wide + _AROUND_PX)
            elif at < last or not head.stretchLastSection():
                head.setSectionResizeMode(at, QHeaderView.ResizeMode.ResizeToContents)
        most = {at: one.most_px for at, one in enumerate(sheet.columns) if one.most_px}
        if sheet.spare:
            ColumnRoom(self, sheet.spare, sheet.last_px, most)

    @property
    def rows(self) -> TableRows:
        """All rows, and the shown ones."""
        return self.shown.rows

    @property
    def current(self) -> TableRow | None:
        return self.shown.row(self.currentIndex())

    @property
    def selected(self) -> list[TableRow]:
        """The selected rows, from the top."""
        lines = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self.rows.row(line) for line in lines]

    def add(self, rows: Sequence[TableRow], oldest: tuple[int, int] = (0, 0)) -> None:
        """Add new rows, and drop those before the oldest; the visible rows stay in place."""
        bar = self.verticalScrollBar()
        reading = bar.value() > bar.minimum()
        top = self.shown.row(self.indexAt(QPoint(0, 0))) if reading else None
        self._moving = True
        self.shown.add(rows, oldest)
        self._moving = False
        index = self.shown.index_of(top)
        if index.isValid():
            bar.setValue(index.row())

    def replace(self, rows: Sequence[TableRow]) -> None:
        """Replace rows by number."""
        self._keep_current(lambda: self.shown.replace(rows))

    def show_rows(self, rows: Sequence[TableRow]) -> None:
        """Replace all rows; given by ascending number."""
        top = self.verticalScrollBar().value()
        self._keep_current(lambda: self.shown.show(rows), scrolls=False)
        self.verticalScrollBar().setValue(top)

    def narrow(self, wanted: TableFilter) -> None:
        """Set the filter; the current row stays current if it is still shown."""
        if wanted != self.rows.filter:
            self._keep_current(lambda: self.shown.narrow(wanted))

    def _keep_current(self, change: Callable[[], object], scrolls: bool = True) -> None:
        current = self.current
        self._moving = True
        # False: no row moved.
        if change() is not False and current is not None:
            self._go_to(current.number, scrolls)
        self._moving = False

    def show_number(self, number: int) -> None:
        """Select the row with a number, if it is shown, without emitting `chosen`."""
        self._moving = True
        self._go_to(number)
        self._moving = False

    def _go_to(self, number: int, scrolls: bool = True) -> None:
        index = self.shown.index_of(self.rows.numbered(number))
        if index.isValid():
            self.setCurrentIndex(index)
            if scrolls:
                self.scrollTo(index)

    def copy(self) -> int:
        """Copy the selected rows to the clipboard; returns how many."""
        rows = self.selected
        if rows:
            QGuiApplication.clipboard().setText(rows_text(rows, self.shown.sheet))
        return len(rows)

    def copy_csv(self) -> int:
        """Copy the selected rows, or all shown ones, as CSV; returns how many."""
        rows = self.selected or self.rows.shown
        QGuiApplication.clipboard().setText(rows_csv(rows, self.shown.sheet))
        return len(rows)

    def enter(self) -> None:
        """Take the focus, on the current row or the first."""
        self.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.currentIndex().isValid() and len(self.rows):
            self.selectRow(0)

    def open_current(self) -> None:
        row = self.current
        if row is not None:
            self.opened.emit(row)

    def explain_current(self) -> None:
        """Show what the current row says, and what its terms mean."""
        row = self.current
        if row is not None:
            below = self.visualRect(self.currentIndex()).bottomLeft()
            QToolTip.showText(self.viewport().mapToGlobal(below), self.shown.explain(row), self)

    def sort_by(self, column: int) -> None:
        """Sort by a column, or reverse the order if it is already sorted by it."""
        rows, sheet = self.rows, self.shown.sheet
        at_first = column == sheet.first and sheet.descending
        down = at_first if column != rows.column else not rows.descending
        order = Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder
        self.sortByColumn(column, order)

    def _moved(self) -> None:
        row = self.current
        if row is not None and not self._moving:
            self.chosen.emit(row)

    def _look(self) -> None:
        row = None if self._at is None else self.shown.row(self.indexAt(self._at))
        if row is not self._under:
            self._under = row
            self.pointed.emit(row)

    def _menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.open_words:
            opens = menu.addAction(self.open_words, self.open_current)
            opens.setEnabled(self.current is not None)
        if any(one.term is not None for one in self.shown.sheet.columns):
            means = menu.addAction(tr("What it means"), self.explain_current)
            # Only shown: the key is handled below.
            means.setShortcut(QKeySequence.StandardKey.WhatsThis)
            means.setEnabled(self.current is not None)
        menu.addAction(tr("Copy"), self.copy).setEnabled(bool(self.selected))
        menu.addAction(tr("Copy as CSV"), self.copy_csv).setEnabled(bool(len(self.rows)))
        menu.addSeparator()
        order = menu.addMenu(tr("Sort by"))
        for column, heading in enumerate(self.shown.sheet.titles):
            action = order.addAction(heading)
            action.setCheckable(True)
            action.setChecked(column == self.rows.column)
            action.triggered.connect(lambda _on=False, column=column: self.sort_by(column))
        menu.popup(at)

    def _menu_by_key(self) -> None:
        here = self.visualRect(self.currentIndex()).bottomLeft()
        self._menu(self.viewport().mapToGlobal(here))

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseMove:
            self._at = event.position().toPoint()
            self._look()
        elif event.type() is QEvent.Type.Leave:
            self._at = None
            self._look()
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self._menu_by_key()
        else:
            self._menu(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif self.open_words and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_current()
        elif event.matches(QKeySequence.StandardKey.WhatsThis):
            self.explain_current()
        elif event.key() == Qt.Key.Key_F10 and event.modifiers() == _SHIFT:
            # Qt itself handles only the menu key.
            self._menu_by_key()
        else:
            super().keyPressEvent(event)
