"""The clients panel: programs that use the window's server, and why each missed the cache."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.tr import tr
from app.debugger.logic.chosen import Chosen
from app.debugger.logic.source import LiveSource
from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState
from app.debugger.why.logic.request_rows import clock
from app.ui.table import Table
from app.ui.table_rows import Column, Sheet, TableRow
from app.ui.widgets import label
from engine.reuse import Reason, ReusePlan

if TYPE_CHECKING:
    from app.core.session.served import Served
    from engine.net.server.registry import ClientRecord, RequestRecord

S = TypeVar("S")
_HUE_STEP = 45
_LINE = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
_NOBODY = tr("Nobody has used the server yet: File > Start server lets other programs in.")
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


def why(request: RequestRecord) -> str:
    """A few words on why it did not reuse more, including what changed in its system text."""
    plan = request.plan
    reason = "" if plan is None or plan.reason is Reason.NONE else said(plan.reason.value)
    return " · ".join(part for part in (reason, *map(said, request.notes)) if part)


def sentences(request: RequestRecord) -> str:
    """All that is known about a request, one sentence per line."""
    plan = request.plan
    found = [said(request.sentence), "" if plan is None else said(plan.detail)]
    found += map(said, request.notes)
    at = None if plan is None else plan.divergence
    # The notes on the system text are complete.
    if request.notes and plan is not None and at is not None and at.message in (None, 0):
        words = tr("It could have reused {tokens} more, at most, if they had stayed the same.")
        found.append(words.format(tokens=fmt.plural(plan.total - plan.reused, "token")))
    return "\n".join(one for one in found if one)


def _tokens(title: str, of: Callable[[S], int | None]) -> Column[S]:
    """A column of token counts, which may not be known yet."""

    def text(subject: S) -> str:
        tokens = of(subject)
        return _NOT_YET if tokens is None else fmt.count(tokens)

    def key(subject: S) -> float:
        tokens = of(subject)
        return -1.0 if tokens is None else tokens

    return Column(title, text, key, figures="right")


CLIENTS: Sheet[ClientRecord] = Sheet(
    (
        Column(tr("Client"), lambda one: one.name, hue=lambda one: one.colour * _HUE_STEP),
        _tokens(tr("Requests"), lambda one: one.requests),
        _tokens(tr("Reused"), lambda one: one.reused),
        _tokens(tr("Replayed"), lambda one: one.replayed),
        _tokens(tr("New"), lambda one: one.new),
        Column(tr("Last seen"), lambda one: clock(one.last_seen), lambda one: one.last_seen),
    ),
    first=-1,
    descending=False,
)


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """The subject of a line: a request, and the name of its client."""

    record: RequestRecord
    client: str

    def tokens(self, of: Callable[[ReusePlan], int]) -> int | None:
        """A figure of its plan; None until there is one."""
        return None if self.record.plan is None else of(self.record.plan)

    @property
    def first_token_s(self) -> float | None:
        report = self.record.report
        return None if report is None else report.first_token_s


REQUESTS: Sheet[ClientRequest] = Sheet(
    (
        Column(
            tr("Time"),
            lambda one: clock(one.record.began),
            lambda one: one.record.began,
            figures="right",
        ),
        Column(tr("Client"), lambda one: one.client),
        Column(tr("State"), lambda one: _STATES[one.record.state]),
        _tokens(tr("Reused"), lambda one: one.tokens(lambda plan: plan.reused)),
        _tokens(tr("Replayed"), lambda one: one.tokens(lambda plan: plan.replayed)),
        _tokens(tr("New"), lambda one: one.tokens(lambda plan: plan.computed)),
        Column(
            tr("First token"),
            lambda one: _NOT_YET if one.first_token_s is None else fmt.seconds(one.first_token_s),
            lambda one: -1.0 if one.first_token_s is None else one.first_token_s,
            figures="right",
        ),
        Column(tr("Why"), lambda one: why(one.record)),
    ),
    lambda one: sentences(one.record),
    first=-1,
)


class ClientsPanel(DebugPanel):
    """A row per client, and the requests below; a request selected here is selected everywhere.

    Attributes:
        clients, requests: the tables; the newest request is on top.
        said: all that is known about the selected request.
    """

    title = tr("Clients")
    name = "clients"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.clients = Table(CLIENTS, tr("Programs that use the server"))
        self.requests = Table(REQUESTS, tr("Requests of clients"), tr("Why?"))
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
        self.requests.chosen.connect(self._choose)
        self.requests.opened.connect(self._explain)
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
        self.clients.show_rows([CLIENTS.line(at, one) for at, one in enumerate(snapshot.clients)])
        self.requests.show_rows(
            [
                REQUESTS.line(one.number, ClientRequest(one, served.name(one.owner)))
                for one in snapshot.requests
            ]
        )
        self._say()

    def _say(self) -> None:
        row = self.requests.current
        hint = tr("A request says here why it did not reuse more. Enter explains it in full.")
        self.said.setText((row.sentence if row is not None else "") or hint)

    def _choose(self, row: TableRow) -> None:
        """Select the request and its node in every panel."""
        self._say()
        source = self.state.source
        if source is None:
            return
        taped = reversed(source.tape.requests)
        found = next((one for one in taped if one.bare.request == row.number), None)
        if found is not None:
            self.state.choose(Chosen(request=found.number))

    def _explain(self, row: TableRow) -> None:
        self._choose(row)
        self.state.panel_wanted.emit("why")
