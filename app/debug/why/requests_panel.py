"""The history of requests of all conversations, each with its own match ruler."""

from __future__ import annotations

import time
from typing import Any, cast

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    Qt,
    QTimer,
)
from PySide6.QtGui import QPainter, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.cache.event_view import ColumnRoom, as_lines
from app.debug.chosen import NOTHING, Chosen
from app.debug.panel import DebugPanel, RowHover
from app.debug.state import DebugState
from app.debug.why.inquiry import Inquiry
from app.debug.why.request_rows import (
    FIGURES,
    HEADINGS,
    HINTS,
    Column,
    spoken,
    text_of,
    worth_a_look,
)
from app.debug.why.ruler import paint_ruler
from app.widgets import DropDown, ElidedLabel
from app.words import format as fmt
from app.words.tr import tr
from engine.trace.tape import TapedRequest

_AROUND_PX = 20
_RULER_PX = 8
_AT_ONCE = 2
_LEARN_MS = 10
_USUAL: dict[int, str] = {
    Column.NUMBER: tr("Request"),
    Column.TIME: "00:00:00",
    Column.TOKENS: "88,888",
    Column.REUSED: "88,888",
    Column.REPLAYED: tr("Replayed"),
    Column.NEW: "88,888",
    Column.FIRST_TOKEN: tr("First token"),
    Column.CONVERSATION: tr("A conversation with"),
    Column.MATCH: tr("a bar of this"),
}
_WHY_PX = 130
# Left out where there is no room, in this order.
_SPARE = (Column.TIME, Column.TOKENS, Column.MATCH, Column.FIRST_TOKEN)
# Wider than usual where there is room.
_MOST: dict[int, int] = {Column.CONVERSATION: 360, Column.MATCH: 240}
_ALL = tr("All conversations")
Index = QModelIndex | QPersistentModelIndex
_ROLE = Qt.ItemDataRole
_NO_INDEX = QModelIndex()


class RequestModel(QAbstractTableModel):
    """Its rows are requests of the inquiry's tape.

    Attributes:
        session: only requests of this conversation; None for all.
        began_at: seconds to add to the tape's clock for the time of day; None if not known.
    """

    def __init__(self, state: DebugState, inquiry: Inquiry) -> None:
        super().__init__()
        self._state, self._inquiry = state, inquiry
        self.session: int | None = None
        self.offset_s = 0.0
        # Numbers of the shown requests, oldest first.
        self._shown: list[int] = []
        self._seen = 0

    def reset(self) -> None:
        """There is another tape, or another filter."""
        self.beginResetModel()
        self._shown, self._seen = [], 0
        self._take()
        self.endResetModel()

    def follow(self) -> int:
        """Take the new requests; returns how many rows came."""
        fresh = [r.number for r in self._inquiry.requests[self._seen :] if self._accepts(r)]
        if fresh:
            self.beginInsertRows(_NO_INDEX, 0, len(fresh) - 1)
            self._shown.extend(fresh)
            self.endInsertRows()
        self._seen = len(self._inquiry.requests)
        return len(fresh)

    def request(self, row: int) -> TapedRequest:
        return self._inquiry.requests[self._shown[-1 - row]]

    def row_of(self, number: int) -> int | None:
        """The row of a request; None if it is not shown."""
        try:
            return len(self._shown) - 1 - self._shown.index(number)
        except ValueError:
            return None

    def learn(self, first: int, last: int, budget: int) -> bool:
        """Explain up to `budget` of the rows from `first` to `last`; False once all are."""
        for row in range(max(first, 0), min(last + 1, len(self._shown))):
            number = self._shown[-1 - row]
            if self._inquiry.known(number):
                continue
            if not budget:
                return True
            budget -= 1
            if self._inquiry.evidence(number) is None:
                return True
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(Column) - 1))
        return False

    def sessions(self) -> list[int]:
        """Of all requests, the one heard of last first."""
        found = dict.fromkeys(r.session for r in reversed(self._inquiry.requests))
        return list(found)

    def _take(self) -> None:
        self._shown = [r.number for r in self._inquiry.requests if self._accepts(r)]
        self._seen = len(self._inquiry.requests)

    def _accepts(self, request: TapedRequest) -> bool:
        return self.session is None or request.session == self.session

    def _title(self, request: TapedRequest) -> str:
        source = self._state.source
        return "" if source is None else source.title(request.session)

    # ---- Qt

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, way: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        if way is not Qt.Orientation.Horizontal:
            return None
        column = Column(section)
        if role == _ROLE.DisplayRole:
            return HEADINGS[column]
        if role == _ROLE.ToolTipRole:
            return HINTS.get(column)
        if role == _ROLE.TextAlignmentRole:
            return _alignment(column)
        return None

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> Any:
        if not index.isValid():
            return None
        request, column = self.request(index.row()), Column(index.column())
        number = request.number
        evidence = self._inquiry.evidence(number) if self._inquiry.known(number) else None
        if role == _ROLE.DisplayRole:
            return text_of(request, column, self._title(request), evidence, self.offset_s)
        if role == _ROLE.TextAlignmentRole:
            return _alignment(column)
        if role == _ROLE.FontRole:
            return theme.mono_font() if column in FIGURES else None
        if role in (_ROLE.ToolTipRole, _ROLE.AccessibleTextRole):
            return spoken(request, self._title(request), evidence)
        if role == _ROLE.ForegroundRole and column is Column.CAUSE and evidence is not None:
            look = theme.current()
            return look.colour("text" if worth_a_look(evidence) else "faint")
        return None


def _alignment(column: Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in FIGURES else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


class _Rulers(QStyledItemDelegate):
    """Paints the match ruler of a row's request."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        model = cast(RequestModel, index.model())
        area = QRectF(option.rect)
        top = area.center().y() - _RULER_PX / 2
        bar = QRectF(area.left() + 6, top, max(area.width() - 12, 1), _RULER_PX)
        paint_ruler(painter, bar, model.request(index.row()).ran)


class RequestsPanel(DebugPanel):
    """A table of them, newest first; choosing a row chooses the request everywhere.

    Attributes:
        table, model: the rows.
        which: the conversation that is shown, or all of them.
        this: only the conversation of the chosen request.
        count: how many rows there are.
    """

    title = tr("Requests")
    name = "requests"

    def __init__(self, state: DebugState, inquiry: Inquiry, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self._inquiry = inquiry
        self.model = RequestModel(state, inquiry)
        self.model.setParent(self)
        self.table = self._table()
        self.count = ElidedLabel("strong")
        self.which = DropDown()
        self.which.setAccessibleName(tr("Conversation"))
        self.which.setMinimumWidth(180)
        self.which.setMaximumWidth(280)
        self.this = QPushButton(tr("This conversation"))
        self.this.setProperty("kind", "sum")
        self.this.setCheckable(True)
        self.this.setToolTip(tr("Only requests of the chosen request's conversation"))
        self._moving = False
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.count, 1)
        head.addWidget(self.this)
        head.addWidget(self.which)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addLayout(head)
        column.addWidget(self.table, 1)
        self._hover = RowHover(self.table)
        self._hover.pointed.connect(self._point)
        self._learn = QTimer(self)
        self._learn.setSingleShot(True)
        self._learn.setInterval(_LEARN_MS)
        self._learn.timeout.connect(self._learn_more)
        self.which.activated.connect(self._narrow)
        self.this.toggled.connect(self._narrow_to_this)
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.table.verticalScrollBar().valueChanged.connect(self._learn.start)
        inquiry.changed.connect(self._refresh)
        self._list_conversations()

    def _table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        table.setAccessibleName(tr("Requests"))
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        as_lines(table, _USUAL, FIGURES, _AROUND_PX)
        table.setItemDelegateForColumn(Column.MATCH, _Rulers(table))
        self._room = ColumnRoom(table, _SPARE, _WHY_PX, _MOST)
        return table

    # ---- what is shown

    def show_source(self) -> None:
        self.model.session = None
        self.this.setChecked(False)
        self._offset()
        self.model.reset()
        self._list_conversations()
        self._want()

    def follow(self) -> None:
        self._want()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._want()

    def show_chosen(self) -> None:
        """Select the chosen request's row, and narrow to its conversation if asked to."""
        number = self.state.chosen.request
        if self.this.isChecked():
            self._narrow_to_this(True)
        row = None if number is None else self.model.row_of(number)
        if row is None or row == self.table.currentIndex().row():
            return
        self._moving = True
        self.table.setCurrentIndex(self.model.index(row, 0))
        self._moving = False

    def restyle(self) -> None:
        self.table.viewport().update()

    def _offset(self) -> None:
        """The time of day where the file says when it began; its clock starts there."""
        source = self.state.source
        header = None if source is None or source.live else source.tape.header
        self.model.offset_s = 0.0 if header is None else header.started
        if source is not None and source.live:
            self.model.offset_s = _clock_offset()

    def _want(self) -> None:
        if self.isVisible():
            self._inquiry.want()
            self._refresh()

    def _refresh(self) -> None:
        if not self.isVisible():
            return
        bar = self.table.verticalScrollBar()
        reading = bar.value() > 0
        self._moving = True
        came = self.model.follow()
        self._moving = False
        if came:
            if reading:
                bar.setValue(bar.value() + came)
            self._list_conversations()
            self.show_chosen()
        self._show_count()
        self._learn.start()

    def _learn_more(self) -> None:
        """Explain what is in sight, a little at a time."""
        if not self.isVisible():
            return
        first = self.table.rowAt(0)
        last = self.table.indexAt(QPoint(4, self.table.viewport().height() - 2)).row()
        last = self.model.rowCount() - 1 if last < 0 else last
        if self.model.learn(first, last, _AT_ONCE):
            self._learn.start()

    def _show_count(self) -> None:
        shown, total = self.model.rowCount(), len(self._inquiry.requests)
        words = fmt.plural(shown, "request")
        if not total:
            words = tr("No request yet. Each one will be listed here with what it reused.")
        elif shown < total:
            words = tr("{shown} of {requests}").format(
                shown=fmt.count(shown), requests=fmt.plural(total, "request")
            )
        self.count.setText(words)

    # ---- filters

    def _list_conversations(self) -> None:
        source = self.state.source
        self.which.clear()
        self.which.addItem(_ALL, None)
        for session in self.model.sessions():
            title = "" if source is None else source.title(session)
            self.which.addItem(title, session)
        at = max(self.which.findData(self.model.session), 0)
        self.which.setCurrentIndex(0 if self.model.session is None else at)

    def _narrow(self) -> None:
        self._show_session(self.which.currentData())
        self.this.blockSignals(True)
        self.this.setChecked(False)
        self.this.blockSignals(False)

    def _narrow_to_this(self, on: bool) -> None:
        number = self._inquiry.chosen()
        session = None
        if on and number is not None:
            session = self._inquiry.requests[number].session
        self._show_session(session)

    def _show_session(self, session: int | None) -> None:
        if session == self.model.session:
            return
        self.model.session = session
        self._moving = True
        self.model.reset()
        self._moving = False
        self._list_conversations()
        self._show_count()
        self._learn.start()
        row = (
            None
            if self.state.chosen.request is None
            else self.model.row_of(self.state.chosen.request)
        )
        if row is not None:
            self._moving = True
            self.table.setCurrentIndex(self.model.index(row, 0))
            self._moving = False

    def _moved(self, index: QModelIndex) -> None:
        if index.isValid() and not self._moving:
            self.state.choose(self._meant(index))

    def _point(self, index: QModelIndex) -> None:
        self.state.hover(self._meant(index) if index.isValid() else NOTHING)

    def _meant(self, index: QModelIndex) -> Chosen:
        return Chosen(request=self.model.request(index.row()).number)


def _clock_offset() -> float:
    """From the engine's clock to seconds since 1970."""
    return time.time() - time.monotonic()
