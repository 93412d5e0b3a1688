"""Two traces compared: a table of their requests, and the sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.debug.chosen import Chosen
from app.debug.comparing import (
    HEADINGS,
    SHORT_HEADINGS,
    Compared,
    cells,
    compared,
    judged,
    keys,
    settings_text,
    sum_sentence,
)
from app.debug.panel import DebugPanel
from app.debug.source import FileSource, Source
from app.debug.state import DebugState
from app.debug.timeline.panel import TimelinePanel
from app.export.behind import Behind
from app.file_dialog import ask_which
from app.widgets import label, measured
from app.words.joining import titled
from app.words.tr import tr

TRACES = tr("Traces (*.jsonl *.jsonl.gz)")
_EMPTY = tr(
    "Open a second trace to compare it with this one, request by request: the "
    "same messages with another budget, say. It also appears on the timeline, "
    "below this one's tracks."
)
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


class ComparePanel(DebugPanel):
    """The table, and what opens and closes the second trace.

    Attributes:
        table: the requests.
        other: the second trace; None while nothing is compared.
        open_button, close_button: choose a second trace, forget it.
    """

    title = tr("Compare")
    name = "compare"

    def __init__(
        self, state: DebugState, timeline: TimelinePanel, parent: QWidget | None = None
    ) -> None:
        super().__init__(state, parent)
        self._timeline = timeline
        self.other: Source | None = None
        self.behind = Behind(self, state.notice.emit)
        self.model = CompareModel(self)
        self.table = QTableView()
        self.summary = label("", wrap=True, selectable=True)
        self.settings = label("", "faint", wrap=True, selectable=True)
        self.empty = label(_EMPTY, "dim", wrap=True)
        self.open_button = QPushButton(tr("Compare with a trace…"))
        self.open_button.setProperty("kind", "small")
        self.open_button.clicked.connect(self.ask)
        self.close_button = QPushButton(tr("Close the comparison"))
        self.close_button.setProperty("kind", "small")
        self.close_button.clicked.connect(self.close_other)
        self._build()
        self._show()

    def _build(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setAccessibleName(tr("Requests of both traces"))
        table.setSortingEnabled(True)
        table.sortByColumn(0, table.horizontalHeader().sortIndicatorOrder().AscendingOrder)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setShowGrid(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(22)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.selectionModel().currentRowChanged.connect(self._choose)
        row = QHBoxLayout()
        row.addWidget(self.open_button)
        row.addWidget(self.close_button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        column.addLayout(row)
        column.addLayout(measured(self.empty))
        column.addWidget(self.summary)
        column.addWidget(self.settings)
        column.addWidget(table, 1)
        column.addStretch(0)

    def ask(self) -> None:
        """Choose a file."""
        path = ask_which(self, "traces", tr("Compare with a trace"), TRACES)
        if path is not None:
            self.compare(path)

    def compare(self, path: Path) -> None:
        """Read a trace behind the window, and show it beside this one."""
        self.summary.setText(tr("Reading {name}…").format(name=path.name))
        self.behind.run(lambda: FileSource(path), self._take)

    def close_other(self) -> None:
        """Forget the second trace."""
        self._take(None)

    def show_source(self) -> None:
        self._show()

    def follow(self) -> None:
        if self.other is not None:
            self._show()

    def show_chosen(self) -> None:
        number = self.state.chosen.request
        line = None if number is None else self.model.line_of(number)
        if line is not None and line != self.table.currentIndex().row():
            self.table.selectRow(line)

    def _take(self, other: object) -> None:
        self.other = other if isinstance(other, FileSource) else None
        self._timeline.compare(self.other)
        self._show()

    def _show(self) -> None:
        mine, other = self.state.source, self.other
        both = mine is not None and other is not None
        self.empty.setVisible(not both)
        for widget in (self.table, self.close_button, self.settings, self.summary):
            widget.setVisible(both)
        if mine is None or other is None:
            self.model.show((), str)
            return
        rows = compared(mine.tape.requests, other.tape.requests)
        self.model.show(rows, mine.title)
        self.summary.setText(sum_sentence(rows))
        unknown = tr("settings not known")
        lines = [
            f"{letter}  {titled(source.name, settings_text(source.tape.header) or unknown)}"
            for letter, source in (("A", mine), ("B", other))
        ]
        self.settings.setText("\n".join(lines))

    def _choose(self, current: QModelIndex) -> None:
        mine = self.state.source
        if not current.isValid() or mine is None:
            return
        number = self.model.rows[current.row()].number
        if number < len(mine.tape.requests) and self.state.chosen.request != number:
            self.state.choose(Chosen(request=number, entry=mine.tape.requests[number].index))
