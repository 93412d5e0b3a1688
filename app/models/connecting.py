"""Connecting to engines elsewhere: the dialog, the known servers, and their tokens."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.cache.elsewhere_page import ElsewherePage
from app.core.bridge import Bridge
from app.core.loops import remote_loop
from app.core.session.changes import Change, Changed
from app.core.session.records import EnginePhase
from app.core.store import connections
from app.core.store.connections import Tokens
from app.core.words.engine_words import said
from app.core.words.tr import tr
from app.debugger.remote.view import RemoteController
from app.ui.widgets import CheckBox, DropDown, label, set_state
from engine.errors import RemoteError
from engine.net.client.address import Address
from engine.net.client.catalog import PROGRAM_NAMES, Catalog, read_catalog
from engine.net.client.connection import Connection
from engine.net.client.exchange import Closed, Exchange, Patience
from engine.net.kv_events.address import Publisher

if TYPE_CHECKING:
    from app.debugger.remote.logic.source import RemoteSource

# Users do not watch a dialog for longer.
_PATIENCE = Patience(connect_s=5, read_s=15)


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of a trial.

    Attributes:
        address: the one tried.
        token: the one sent; "" for none.
        catalog: the models; None if there is a problem.
        problem: in one sentence; "" if there is none.
    """

    address: Address
    token: str
    catalog: Catalog | None = None
    problem: str = ""


class Trial:
    """Connects once, on its own thread. `stop` aborts it."""

    def __init__(self, address: Address, token: str, tokens: Tokens) -> None:
        """token: "" uses the known one for the server, if there is one."""
        self._address, self._token, self._tokens = address, token, tokens
        self._tried: Tried | None = None
        self._exchange = Exchange(address, _PATIENCE)
        self._thread = threading.Thread(target=self._run, name="biplane-trial", daemon=True)
        self._thread.start()

    def done(self) -> Tried | None:
        """The result; None while the trial is running."""
        return self._tried

    def stop(self) -> None:
        """Abandon the trial."""
        self._exchange.close()

    def _run(self) -> None:
        address = self._address
        token = self._token or self._tokens.of(address)
        try:
            catalog = read_catalog(address, token, exchange=self._exchange)
            self._tried = Tried(address, token, catalog)
        except Closed:
            self._tried = Tried(address, token, problem=tr("The trial was stopped."))
        except RemoteError as error:
            self._tried = Tried(address, token, problem=str(error))
        except BaseException as error:
            # The dialog must be notified of any failure.
            self._tried = Tried(
                address, token, problem=tr("The connection failed: {error}.").format(error=error)
            )


_FIELD_PX, _NAME_PX = 30, 80
_LOOK_MS = 30
_MOST_TOKEN = 4096
_ABOUT = tr(
    "Chat with a model that another program serves, here or on another computer: llama-server, "
    "vLLM, SGLang, another Biplane, or any server with an OpenAI-compatible address."
)
_OVERHEARD = tr(
    "What you write there, and the token, can be read by others on the way: http:// does not "
    "encrypt. Use https://, or a tunnel to this computer."
)
Try = Callable[[Address, str], Trial]


class ConnectDialog(QDialog):
    """Asks for a connection, and tries it before it is used.

    Attributes:
        address, token, model, metrics, events: the fields.
        keep: saves the token in the system's keyring.
        warning: shown if the connection could be overheard.
        sentence: the result of the trial.
        look_up: tries the address and lists the models.
        connect_: uses the connection.

    Signals:
        chosen: the Connection, its token, and whether to keep that in the keyring.
    """

    chosen = Signal(object, str, bool)

    def __init__(self, parent: QWidget, recent: Sequence[Connection], trial: Try) -> None:
        """recent: suggestions, most recent first; trial: starts a trial."""
        super().__init__(parent)
        self.setWindowTitle(tr("Connect to an engine elsewhere"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._try = trial
        self._trial: Trial | None = None
        self._tried: Tried | None = None
        # Connect was pressed before the models were listed.
        self._hurried = False
        self._recent = {str(one.address): one for one in reversed(recent)}
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._take)
        self._build_fields(recent)
        self._build()
        self.finished.connect(self._stop)
        self.address.editTextChanged.connect(self._changed)
        self.token.textChanged.connect(self._changed)
        self.model.editTextChanged.connect(lambda _: self._enable())
        self._changed()

    def fill(self, connection: Connection) -> None:
        """Fill in a known connection."""
        self.address.setEditText(str(connection.address))
        self.model.setEditText(connection.model)
        self.metrics.setText("" if connection.metrics is None else str(connection.metrics))
        self.events.setText(connection.events)

    # ---- fields

    def _build_fields(self, recent: Sequence[Connection]) -> None:
        self.address = _combo(tr("Address of the server"), "http://127.0.0.1:8080")
        for place in dict.fromkeys(str(one.address) for one in recent):
            self.address.addItem(place)
        self.token = _line(tr("Token of the server"), tr("none, or the one that is kept"))
        self.token.setEchoMode(QLineEdit.EchoMode.Password)
        self.token.setMaxLength(_MOST_TOKEN)
        self.keep = CheckBox(tr("Keep the token in this system's keyring"))
        self.keep.setToolTip(tr("Otherwise it is forgotten when Biplane is closed"))
        self.model = _combo(tr("Model of the server"), tr("found by a trial"))
        self.metrics = _line(tr("Address of the counters"), tr("/metrics of the same server"))
        self.events = _line(tr("Address of the KV events"), tr("none, or tcp://127.0.0.1:5557"))
        self.events.setToolTip(
            tr("After a space that of their replay; after a comma those of another engine")
        )
        self.warning = label(_OVERHEARD, "danger", wrap=True)
        self.warning.hide()
        self.sentence = label("", "dim", wrap=True, selectable=True)
        self.sentence.setAccessibleName(tr("Result of the trial"))
        self.look_up = QPushButton(tr("Find models"))
        self.look_up.setAutoDefault(False)
        self.look_up.clicked.connect(lambda: self._begin(hurried=False))
        self.connect_ = QPushButton(tr("Connect"))
        self.connect_.setProperty("kind", "primary")
        # Otherwise it loses its default state once it has had the focus.
        self.connect_.setAutoDefault(False)
        self.connect_.setDefault(True)
        self.connect_.clicked.connect(self._connect)
        self.address.activated.connect(self._recall)

    def _build(self) -> None:
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(10)
        for title, field in (
            (tr("&Address"), self.address),
            (tr("&Token"), self.token),
            ("", self.keep),
            (tr("&Model"), self.model),
            (tr("C&ounters"), self.metrics),
            (tr("&KV events"), self.events),
        ):
            field.setMinimumHeight(_FIELD_PX)
            named = label(title)
            named.setMinimumWidth(_NAME_PX)
            named.setBuddy(field)
            form.addRow(named, field)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        # Enter always connects, even if the focus moves while a trial disables the other buttons.
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        buttons.addButton(self.look_up, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.connect_, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        about = label(_ABOUT, "dim", wrap=True)
        about.setMinimumWidth(460)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(14)
        for part in (about, form, self.warning, self.sentence, buttons):
            if isinstance(part, QFormLayout):
                column.addLayout(part)
            else:
                column.addWidget(part)

    def _recall(self) -> None:
        """Fill in the rest of a known address."""
        known = self._recent.get(self.address.currentText())
        if known is not None:
            self.fill(known)

    def _address(self) -> Address | None:
        try:
            return Address.parse(self.address.currentText())
        except RemoteError:
            return None

    def _changed(self) -> None:
        """The address or token changed: discard the results for the previous server."""
        self._stop()
        self._tried = None
        address = self._address()
        self.warning.setVisible(address is not None and address.overheard)
        self._say("")
        # A new sentence enlarges the dialog rather than shrinking the fields.
        QTimer.singleShot(0, self, self.adjustSize)
        self._enable()

    def _enable(self) -> None:
        trying = self._trial is not None
        there = bool(self.address.currentText().strip())
        self.look_up.setEnabled(there and not trying)
        self.connect_.setEnabled(there and not trying)
        self.keep.setEnabled(bool(self.token.text()))

    # ---- trial

    def _begin(self, *, hurried: bool) -> None:
        self._stop()
        try:
            address = Address.parse(self.address.currentText())
        except RemoteError as error:
            self._say(str(error), wrong=True)
            return
        self._hurried = hurried
        self._trial = self._try(address, self.token.text().strip())
        self._say(tr("Connecting to {place}…").format(place=address.place))
        self._look.start()
        self._enable()

    def _stop(self) -> None:
        self._look.stop()
        if self._trial is not None:
            self._trial.stop()
            self._trial = None

    def _take(self) -> None:
        found = None if self._trial is None else self._trial.done()
        if found is None:
            return
        self._trial = None
        self._look.stop()
        self._tried = found
        if found.catalog is None:
            self._say(found.problem, wrong=True)
            self._enable()
            return
        names = [model.name for model in found.catalog.models]
        wanted = self.model.currentText().strip()
        self.model.clear()
        self.model.addItems(names)
        self.model.setCurrentIndex(names.index(wanted) if wanted in names else 0)
        self._enable()
        plain = found.catalog.program == "plain"
        who = tr("a server") if plain else PROGRAM_NAMES[found.catalog.program]
        if len(names) == 1:
            self._say(tr("Found {who} with one model.").format(who=who))
        else:
            said = tr("Found {who} with {count} models: choose one.")
            self._say(said.format(who=who, count=len(names)))
        if self._hurried and (len(names) == 1 or wanted in names):
            self._connect()
        elif self._hurried:
            self.model.setFocus()

    def _connect(self) -> None:
        tried = self._tried
        if tried is None or tried.catalog is None or tried.address != self._address():
            self._begin(hurried=True)
            return
        try:
            typed = self.metrics.text().strip()
            metrics = Address.parse(typed, path="/metrics") if typed else None
            events = checked_events(self.events.text().strip())
        except RemoteError as error:
            self._say(str(error), wrong=True)
            return
        name = self.model.currentText().strip()
        if tried.catalog.find(name) is None:
            self._say(tr("Choose one of the server's models."), wrong=True)
            self.model.setFocus()
            return
        made = replace(Connection(tried.address, name), metrics=metrics, events=events)
        keep = self.keep.isChecked() and bool(self.token.text())
        self.chosen.emit(made, tried.token, keep)
        self.accept()

    def _say(self, sentence: str, *, wrong: bool = False) -> None:
        self.sentence.setText(said(sentence))
        self.sentence.setVisible(bool(sentence))
        set_state(self.sentence, "kind", "danger" if wrong else "dim")
        QTimer.singleShot(0, self, self.adjustSize)


def checked_events(typed: str) -> str:
    """Normalise the addresses of KV events for ZMQ: see Connection. Raises RemoteError."""
    engines = [engine.split() for engine in typed.split(",") if engine.strip()]
    if any(len(addresses) > 2 for addresses in engines):
        raise RemoteError(tr("An engine has one address of KV events, and one of their replay."))
    return ", ".join(" ".join(map(_checked, addresses)) for addresses in engines)


def _checked(typed: str) -> str:
    if typed.startswith("ipc:///"):
        return typed
    scheme, between, place = typed.partition("://")
    if not between:
        scheme, place = "tcp", typed
    host, colon, port = place.rpartition(":")
    if (
        scheme != "tcp"
        or not host
        or not colon
        or not port.isdecimal()
        or not 0 < int(port) < 65536
    ):
        raise RemoteError(
            tr(
                "{typed} is not an address of KV events: enter one as in "
                "tcp://127.0.0.1:5557, after a space that of their replay, and a "
                "comma before another engine's."
            ).format(typed=typed)
        )
    return f"tcp://{host}:{int(port)}"


def _combo(name: str, placeholder: str) -> QComboBox:
    made = DropDown()
    made.setEditable(True)
    made.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    made.setAccessibleName(name)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    field = made.lineEdit()
    assert field is not None
    field.setPlaceholderText(placeholder)
    field.setAccessibleName(name)
    return made


def _line(name: str, placeholder: str) -> QLineEdit:
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(placeholder)
    return made


class ConnectController(QObject):
    """File > Connect. Nothing is sent anywhere before the user asks for it.

    Attributes:
        dialog: the open one; None if there is none.
        known: earlier connections, most recent first.
        tokens: this run's and the keyring's.
        source: subscribes to KV events of the last engine that publishes them; None without one.

    Signals:
        told: a sentence from the thread that writes to the keyring.
    """

    told = Signal(str)

    def __init__(self, bridge: Bridge, window: QWidget) -> None:
        """window: the parent of the dialog."""
        super().__init__(window)
        self._bridge, self._window = bridge, window
        self.dialog: ConnectDialog | None = None
        self.known: tuple[Connection, ...] = ()
        self.tokens = Tokens()
        self.source: RemoteSource | None = None
        self._file: Path | None = None
        self._page: ElsewherePage | None = None
        self._keeping: threading.Thread | None = None
        self.told.connect(bridge.notify, Qt.ConnectionType.QueuedConnection)
        bridge.changed.connect(self._engine_changed)

    def keep_in(self, file: Path) -> None:
        """Load the connections from a file, and save them there from now on."""
        self._file = file
        self.known = connections.load(file)

    def ask(self, connection: Connection | None = None) -> None:
        """Show the dialog, filled with a connection, by default the last one."""
        if self.dialog is None:
            self.dialog = ConnectDialog(
                self._window, self.known, lambda where, token: Trial(where, token, self.tokens)
            )
            self.dialog.chosen.connect(self._connect)
            self.dialog.finished.connect(self._closed)
        wanted = connection or (self.known[0] if self.known else None)
        if wanted is not None:
            same = [one for one in self.known if str(one) == str(wanted)]
            self.dialog.fill(same[0] if same else wanted)
        self.dialog.open()
        self.dialog.address.setFocus()

    def lead_to_tree(self, page: ElsewherePage, view: RemoteController) -> None:
        """Let the page show the tree of an engine that publishes its KV events."""
        self._page = page
        page.tree_wanted.connect(lambda: view.open(self.publishers(), self.source))

    def publishers(self) -> tuple[Publisher, ...]:
        """The engines behind the connection that publish their KV events."""
        made = self._bridge.connection
        return () if made is None else publishers_of(made)

    def wait(self) -> None:
        """Wait for pending writes to the keyring, at the end of the program."""
        if self._keeping is not None:
            self._keeping.join(5)

    def _connect(self, connection: Connection, token: str, keep: bool) -> None:
        if keep:
            self._keep(connection, token)
        elif token:
            self.tokens.hold(connection.address, token)
        publishers = publishers_of(connection)
        watch = partial(self._watch, publishers) if publishers else None
        self._bridge.open_elsewhere(connection, remote_loop(connection, token, watch))

    def _watch(self, publishers: tuple[Publisher, ...]) -> RemoteSource:
        """Called on the loop's thread: subscribe from the first request on."""
        from app.debugger.remote.logic.source import RemoteSource

        self.source = RemoteSource(publishers)
        return self.source

    def _keep(self, connection: Connection, token: str) -> None:
        def work() -> None:
            problem = self.tokens.keep(connection.address, token)
            if problem:
                self.told.emit(problem)

        self.tokens.hold(connection.address, token)
        self._keeping = threading.Thread(target=work, name="biplane-keyring", daemon=True)
        self._keeping.start()

    def _engine_changed(self, changes: frozenset[Change]) -> None:
        """Save a connection once it is established."""
        if Changed.ENGINE not in changes:
            return
        made = self._bridge.connection
        if self._page is not None:
            self._page.events = "" if made is None else made.events
        ready = self._bridge.session.engine.phase is EnginePhase.READY
        if made is None or not ready or self.known[:1] == (made,):
            return
        # Another window may have added some meanwhile.
        before = self.known if self._file is None else connections.load(self._file) or self.known
        self.known = connections.with_first(before, made)
        if self._file is not None:
            connections.save(self._file, self.known)

    def _closed(self) -> None:
        self.dialog = None


def publishers_of(connection: Connection) -> tuple[Publisher, ...]:
    """The engines behind a connection that publish their KV events."""
    engines = connection.events.split(",") if connection.events else []
    found = []
    for number, addresses in enumerate(engines, 1):
        events, _, replay = addresses.strip().partition(" ")
        several = tr("Engine {number}").format(number=number)
        found.append(Publisher(events, replay, several if len(engines) > 1 else connection.name))
    return tuple(found)
