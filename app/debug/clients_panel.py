"""The programs that use the window's server: what each asked for, and why it missed the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.debug.chosen import Chosen
from app.debug.client_rows import (
    CLIENT_COLUMNS,
    CLIENT_FIGURES,
    REQUEST_COLUMNS,
    REQUEST_FIGURES,
    client_cells,
    request_cells,
    sentences,
)
from app.debug.panel import DebugPanel
from app.debug.plain_table import PlainTable
from app.debug.source import LiveSource
from app.debug.state import DebugState
from app.widgets import label
from app.words.tr import tr

if TYPE_CHECKING:
    from app.session.served import Served
    from engine.serve.book import RequestRecord

_CHIP_PX, _HUE_STEP = 10, 45
_LINE = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
_NOBODY = tr("Nobody has used the server yet: File > Start server lets other programs in.")


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
