"""The requests panel: the history of all conversations' requests, each with a match ruler."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRectF, Qt, QTimer
from PySide6.QtGui import QKeySequence, QPainter, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.core.words import format as fmt
from app.core.words.tr import tr
from app.debugger.logic.chosen import NOTHING, Chosen
from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState
from app.debugger.why.inquiry import PORTION_S, Inquiry
from app.debugger.why.logic.request_rows import EXPLAINED, SHEET, RequestLine
from app.debugger.why.ruler import paint_ruler
from app.ui.filter_line import FilterLine
from app.ui.table import Table, TableModel
from app.ui.table_rows import TableFilter, TableRow
from app.ui.widgets import DropDown, ElidedLabel
from engine.journal.tape import TapedRequest

_RULER_PX = 8
_MATCH = 7
_AT_ONCE = 2
_LEARN_MS = 10
_ALL = tr("All conversations")


class _Rulers(QStyledItemDelegate):
    """Paints the match ruler of a row's request."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        row = cast(TableModel, index.model()).row(index)
        assert row is not None
        area = QRectF(option.rect)
        top = area.center().y() - _RULER_PX / 2
        bar = QRectF(area.left() + 6, top, max(area.width() - 12, 1), _RULER_PX)
        paint_ruler(painter, bar, row.subject.request.ran)


class RequestsPanel(DebugPanel):
    """A table of requests, newest first; a request selected here is selected everywhere.

    Attributes:
        table: the requests.
        filter: what each listed one must have, see app/ui/filter.py.
        which: chooses one conversation or all.
        session: its number; None for all.
        this: toggles showing only the conversation of the selected request.
        count: the number of rows.
    """

    title = tr("Requests")
    name = "requests"

    def __init__(self, state: DebugState, inquiry: Inquiry, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self._inquiry = inquiry
        self.session: int | None = None
        # From the tape's clock to seconds since 1970, or to those since its start.
        self._offset_s = 0.0
        self._titles: dict[int, str] = {}
        self.table = Table(SHEET, tr("Requests"))
        self.table.setItemDelegateForColumn(_MATCH, _Rulers(self.table))
        self.filter = FilterLine(SHEET.fields, tr("Filter requests"))
        self.count = ElidedLabel("strong")
        self.which = DropDown()
        self.which.setAccessibleName(tr("Conversation"))
        self.which.setMinimumWidth(180)
        self.which.setMaximumWidth(280)
        self.this = QPushButton(tr("This conversation"))
        self.this.setProperty("kind", "sum")
        self.this.setCheckable(True)
        self.this.setToolTip(tr("Only requests of the chosen request's conversation"))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.count, 3)
        head.addWidget(self.filter, 2)
        head.addWidget(self.this)
        head.addWidget(self.which)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addLayout(head)
        column.addWidget(self.filter.error)
        column.addWidget(self.table, 1)
        self.table.pointed.connect(self._point)
        self._learn = QTimer(self)
        self._learn.setSingleShot(True)
        self._learn.setInterval(_LEARN_MS)
        self._learn.timeout.connect(self._learn_more)
        self.which.activated.connect(self._narrow)
        self.this.toggled.connect(self._narrow_to_this)
        self.filter.narrowed.connect(self._narrow_table)
        self.filter.left.connect(self.table.enter)
        find = QShortcut(QKeySequence.StandardKey.Find, self, self.filter.begin)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.table.chosen.connect(lambda row: state.choose(Chosen(request=row.number)))
        self.table.verticalScrollBar().valueChanged.connect(self._learn.start)
        inquiry.changed.connect(self._refresh)
        self._list_conversations()

    # ---- content

    def show_source(self) -> None:
        self._titles = {}
        self.this.setChecked(False)
        self._offset()
        self.table.show_rows(())
        self._show_session(None)
        self._list_conversations()
        self._want()

    def follow(self) -> None:
        self._want()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._want()

    def show_chosen(self) -> None:
        """Select the request's row, and filter by its conversation if `this` is checked."""
        if self.this.isChecked():
            self._narrow_to_this(True)
        self._select_chosen()

    def _select_chosen(self) -> None:
        number, current = self.state.chosen.request, self.table.current
        if number is not None and (current is None or current.number != number):
            self.table.show_number(number)

    def restyle(self) -> None:
        self.table.viewport().update()

    def _offset(self) -> None:
        """Use the time of day if it is known: for a file, if its header has a start time."""
        source = self.state.source
        header = None if source is None or source.live else source.tape.header
        self._offset_s = 0.0 if header is None else header.started
        if source is not None and source.live:
            self._offset_s = _clock_offset()

    def _want(self) -> None:
        if self.isVisible():
            self._inquiry.want()
            self._refresh()

    def _refresh(self) -> None:
        if not self.isVisible():
            return
        fresh = self._inquiry.requests[self.table.rows.total :]
        self._follow_titles()
        if fresh:
            self.table.add([self._line(request) for request in fresh])
            self._list_conversations()
            self.show_chosen()
        self._show_count()
        self._learn.start()

    def _line(self, request: TapedRequest) -> TableRow:
        number, session = request.number, request.session
        known = self._inquiry.known(number)
        evidence = self._inquiry.evidence(number) if known else None
        line = RequestLine(request, self._title(session), evidence, self._offset_s)
        return SHEET.line(number, line, str(session))

    def _title(self, session: int) -> str:
        source = self.state.source
        return "" if source is None else source.title(session)

    def _follow_titles(self) -> None:
        """Update the lines of renamed conversations."""
        titles = {session: self._title(session) for session in self._sessions()}
        if titles != self._titles:
            was, self._titles = self._titles, titles
            listed = self._inquiry.requests[: self.table.rows.total]
            renamed = [one for one in listed if titles[one.session] != was.get(one.session)]
            self.table.replace([self._line(request) for request in renamed])

    def _sessions(self) -> list[int]:
        """The conversations of all requests, the most recent first."""
        return list(dict.fromkeys(r.session for r in reversed(self._inquiry.requests)))

    def _learn_more(self) -> None:
        """Explain the visible requests, or all if the filter asks why; a few at a time."""
        if not self.isVisible():
            return
        if self.filter.query.fields & EXPLAINED:
            self._learn_all()
            return
        rows, first = self.table.rows, max(self.table.rowAt(0), 0)
        last = self.table.indexAt(QPoint(4, self.table.viewport().height() - 2)).row()
        seen = [rows.row(at) for at in range(first, len(rows) if last < 0 else last + 1)]
        unknown = [row.number for row in seen if not self._inquiry.known(row.number)]
        for number in unknown[:_AT_ONCE]:
            if self._inquiry.evidence(number) is None:
                break
        self._replace([row for row in seen if row.subject.evidence is None])
        if unknown:
            self._learn.start()

    def _learn_all(self) -> None:
        """Explain requests for one step, the newest first: the filter needs their causes."""
        rows, ends = self.table.rows, time.perf_counter() + PORTION_S
        listed = [row for n in reversed(range(rows.total)) if (row := rows.numbered(n))]
        bare = [row for row in listed if row.subject.evidence is None]
        for row in bare:
            if time.perf_counter() > ends or self._inquiry.evidence(row.number) is None:
                self._learn.start()
                break
        self._replace(bare)
        self._show_count()

    def _replace(self, rows: Sequence[TableRow]) -> None:
        """Update the lines of requests that are explained by now."""
        known = [row for row in rows if self._inquiry.known(row.number)]
        if known:
            self.table.replace([self._line(row.subject.request) for row in known])

    def _show_count(self) -> None:
        shown, total = len(self.table.rows), len(self._inquiry.requests)
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
        self.which.clear()
        self.which.addItem(_ALL, None)
        for session in self._sessions():
            self.which.addItem(self._title(session), session)
        at = max(self.which.findData(self.session), 0)
        self.which.setCurrentIndex(0 if self.session is None else at)

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
        if session != self.session:
            self.session = session
            self._narrow_table()
            self._list_conversations()
            self._select_chosen()

    def _narrow_table(self) -> None:
        kinds = frozenset() if self.session is None else frozenset({str(self.session)})
        self.table.narrow(TableFilter(self.filter.query, kinds))
        self._show_count()
        self._learn.start()

    def _point(self, row: TableRow | None) -> None:
        self.state.hover(NOTHING if row is None else Chosen(request=row.number))


def _clock_offset() -> float:
    """From the engine's clock to seconds since 1970."""
    return time.time() - time.monotonic()
