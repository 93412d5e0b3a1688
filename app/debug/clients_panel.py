"""The programs that use the window's server: what each asked for, and why it missed the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.debug.chosen import Chosen
from app.debug.panel import DebugPanel, PlainTable
from app.debug.source import LiveSource
from app.debug.state import DebugState
from app.debug.why.request_rows import clock
from app.widgets import label
from app.words import format as fmt
from app.words.engine_words import said
from app.words.tr import tr
from engine.reuse import Reason

if TYPE_CHECKING:
    from app.session.served import Served
    from engine.serve.book import RequestRecord
if TYPE_CHECKING:
    from engine.serve.book import ClientRecord, RequestRecord


_CHIP_PX, _HUE_STEP = 10, 45
_LINE = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
_NOBODY = tr("Nobody has used the server yet: File > Start server lets other programs in.")
_REUSE = (tr("Reused"), tr("Replayed"), tr("New"))
CLIENT_COLUMNS = (tr("Client"), tr("Requests"), *_REUSE, tr("Last seen"))
REQUEST_COLUMNS = (tr("Time"), tr("Client"), tr("State"), *_REUSE, tr("First token"), tr("Why"))
# Of either table, those that are read as figures.
CLIENT_FIGURES = (1, 2, 3, 4)
REQUEST_FIGURES = (0, 3, 4, 5, 6)
_STATES = {
    "waiting": tr("waiting"),
    "reading": tr("reading"),
    "writing": tr("writing"),
    "done": tr("done"),
    "stopped": tr("stopped"),
    "refused": tr("refused"),
    "failed": tr("failed"),
}
_NOT_YET = "–"


def client_cells(client: ClientRecord) -> tuple[str, ...]:
    """The row of a client."""
    figures = (client.requests, client.reused, client.replayed, client.new)
    return (client.name, *(fmt.count(one) for one in figures), clock(client.last_seen))


def request_cells(request: RequestRecord, name: str) -> tuple[str, ...]:
    """The row of a request; `name`: of its client."""
    plan, report = request.plan, request.report
    figures = (_NOT_YET,) * 3
    if plan is not None:
        figures = (fmt.count(plan.reused), fmt.count(plan.replayed), fmt.count(plan.computed))
    first = None if report is None else report.first_token_s
    return (
        clock(request.began),
        name,
        _STATES[request.state],
        *figures,
        _NOT_YET if first is None else fmt.seconds(first),
        why(request),
    )


def why(request: RequestRecord) -> str:
    """Why it did not reuse more, in a few words, and what of its system text is to blame."""
    plan = request.plan
    reason = "" if plan is None or plan.reason is Reason.NONE else said(plan.reason.value)
    return " · ".join(part for part in (reason, *map(said, request.notes)) if part)


def sentences(request: RequestRecord) -> str:
    """All that is known about a request, a sentence a line."""
    plan = request.plan
    found = [said(request.sentence), "" if plan is None else said(plan.detail)]
    found += map(said, request.notes)
    at = None if plan is None else plan.divergence
    # Those of the system text are all there are.
    if request.notes and plan is not None and at is not None and at.message in (None, 0):
        words = tr("It could have reused {tokens} more, at most, if they had stayed the same.")
        found.append(words.format(tokens=fmt.plural(plan.total - plan.reused, "token")))
    return "\n".join(one for one in found if one)


class ClientsPanel(DebugPanel):
    """A row for each client, and the requests below; choosing a request chooses it everywhere.

    Attributes:
        clients, requests: the tables; the newest request is on top.
        said: all that is known about the chosen request.
    """

    title = tr("Clients")
    name = "clients"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.clients = PlainTable(
            tr("Programs that use the server"), CLIENT_COLUMNS, CLIENT_FIGURES
        )
        self.requests = PlainTable(tr("Requests of clients"), REQUEST_COLUMNS, REQUEST_FIGURES)
        self.said = label("", "faint", wrap=True, selectable=True)
        self.said.setAlignment(_LINE)
        both = QSplitter(Qt.Orientation.Vertical)
        both.setObjectName("quiet")
        both.setHandleWidth(8)
        both.addWidget(self.clients)
        both.addWidget(self.requests)
        both.setChildrenCollapsible(False)
        both.setStretchFactor(1, 1)
        both.setSizes([90, 180])
        self._both = both
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(6)
        column.addWidget(self.said)
        column.addWidget(both, 1)
        self._version = -1
        self._records: dict[int, RequestRecord] = {}
        self._filling = False
        self.requests.currentItemChanged.connect(self._choose)
        self.requests.itemActivated.connect(self._explain)
        self._show()

    def show_source(self) -> None:
        self._version = -1
        self._show()

    def show_on_screen(self) -> None:
        self._show()

    def follow(self) -> None:
        self._show()

    def restyle(self) -> None:
        self._version = -1
        self._show()

    @property
    def _served(self) -> Served | None:
        source = self.state.source
        return source.served if isinstance(source, LiveSource) else None

    def _show(self) -> None:
        served = self._served
        snapshot = None if served is None else served.snapshot
        some = snapshot is not None and bool(snapshot.clients)
        self._both.setVisible(some)
        self.said.setAlignment(_LINE if some else Qt.AlignmentFlag.AlignCenter)
        if served is None or snapshot is None or not some:
            self.said.setText(_NOBODY)
            self._version = -1
            return
        if not self.on_screen or snapshot.version == self._version:
            return
        self._version = snapshot.version
        chosen = self._current()
        self._filling = True
        self.clients.fill([client_cells(one) for one in snapshot.clients])
        for place, client in enumerate(snapshot.clients):
            self.clients.row(place).setIcon(0, _chip(client.colour))
        self.clients.resizeColumnToContents(0)
        newest = tuple(reversed(snapshot.requests))
        self._records = {one.number: one for one in newest}
        rows = [request_cells(one, served.name(one.owner)) for one in newest]
        self.requests.fill(rows)
        at = None
        for place, one in enumerate(newest):
            item = self.requests.row(place)
            item.setData(0, Qt.ItemDataRole.UserRole, one.number)
            item.setToolTip(len(REQUEST_COLUMNS) - 1, sentences(one))
            at = item if one.number == chosen else at
        self.requests.setCurrentItem(at)  # type: ignore[arg-type]
        self._filling = False
        self._say()

    def _current(self) -> int | None:
        item = self.requests.currentItem()
        return None if item is None else int(item.data(0, Qt.ItemDataRole.UserRole))

    def _say(self) -> None:
        number = self._current()
        record = None if number is None else self._records.get(number)
        hint = tr("A request says here why it did not reuse more. Enter explains it in full.")
        self.said.setText(hint if record is None else sentences(record) or hint)

    def _choose(self) -> None:
        """Choose the request, and with it its node, in every panel."""
        if self._filling:
            return
        self._say()
        number, source = self._current(), self.state.source
        if number is None or source is None:
            return
        taped = reversed(source.tape.requests)
        found = next((one for one in taped if one.bare.request == number), None)
        if found is not None:
            self.state.choose(Chosen(request=found.number))

    def _explain(self) -> None:
        self._choose()
        self.state.panel_wanted.emit("why")


def _chip(colour: int) -> QIcon:
    """The colour of a client, which tells it apart in both themes."""
    square = QPixmap(_CHIP_PX, _CHIP_PX)
    square.fill(QColor.fromHsv(colour * _HUE_STEP % 360, 150, 190))
    return QIcon(square)
