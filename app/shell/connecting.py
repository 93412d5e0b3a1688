"""Connecting to engines elsewhere: the dialog, the servers of earlier times, and their tokens."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.bridge import Bridge
from app.cache.elsewhere_page import ElsewherePage
from app.debug.remote.source import RemoteSource
from app.loops import remote_loop
from app.session import changes as ch
from app.session.records import EnginePhase
from app.shell.connect_dialog import ConnectDialog
from app.shell.remote_view import RemoteView
from app.shell.trial import Trial
from app.store import connections
from app.store.tokens import Tokens
from app.words.tr import tr
from engine.remote.chat.connection import Connection
from engine.remote.tree.address import Publisher


class Connecting(QObject):
    """File > Connect. Nothing is sent anywhere before the user asks for it.

    Attributes:
        dialog: the open one, None if there is none.
        known: connections of earlier times, the last one first.
        tokens: of this run and of the keyring.
        source: listens to the KV events of the last engine that publishes them; None without one.

    Signals:
        told: a sentence of the thread that writes to the keyring.
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
        """Take the connections from a file, and keep them there from now on."""
        self._file = file
        self.known = connections.load(file)

    def ask(self, connection: Connection | None = None) -> None:
        """Show the dialog, filled with a connection, else with the last one."""
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

    def lead_to_tree(self, page: ElsewherePage, view: RemoteView) -> None:
        """Let the page offer the tree of an engine that publishes its KV events."""
        self._page = page
        page.tree_wanted.connect(lambda: view.open(self.publishers(), self.source))

    def publishers(self) -> tuple[Publisher, ...]:
        """The engines behind the connection that publish their KV events."""
        made = self._bridge.connection
        return () if made is None else publishers_of(made)

    def wait(self) -> None:
        """Wait until the keyring has what was to be kept; for the end of the program."""
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
        """On the loop's thread: listen from the first request on."""
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

    def _engine_changed(self, changes: frozenset[ch.Change]) -> None:
        """A connection that came about is remembered."""
        if not any(isinstance(change, ch.EngineChanged) for change in changes):
            return
        made = self._bridge.connection
        if self._page is not None:
            self._page.events = "" if made is None else made.events
        ready = self._bridge.session.engine.phase is EnginePhase.READY
        if made is None or not ready or self.known[:1] == (made,):
            return
        # Another window may have made others meanwhile.
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
