"""File > Start server: other programs use the open model, and share its cache with the chats."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.core.bridge import Bridge
from app.core.preferences.book import Book
from app.core.server_token import SERVER_TOKEN, ServerToken
from app.core.session.changes import Change, Changed, Outcome
from app.core.words.engine_words import said
from app.core.words.tr import tr
from app.settings.page.server import ServerFacts
from app.ui.menus.menus import Menus

if TYPE_CHECKING:
    from engine.net.server import Server
    from engine.net.server.port import Port


# Clients' activity is refreshed as often as a person can read it.
_LOOK_MS = 250
_SETTINGS = ("server_on", "server_port", "server_keep_thinking", "server_leave_out")
log = logging.getLogger(__name__)


class ServerController(QObject):
    """Owns the server: runs it while it is switched on, with the open model.

    Attributes:
        sentence: why it is not running although it is switched on; else "".
        token: what clients have to send.

    Signals:
        reachable: its URL; "" when it has stopped.
    """

    reachable = Signal(str)

    def __init__(self, bridge: Bridge, book: Book, menus: Menus, window: QWidget) -> None:
        super().__init__(window)
        self._bridge, self._book, self._menus = bridge, book, menus
        self._server: Server | None = None
        # The previous server, whose clients are passed on to the next.
        self._before: Server | None = None
        self._attached: Port | None = None
        self._version = -1
        self._closed = False
        self.sentence = ""
        self.token = ServerToken(None if book.path is None else book.path.with_name(SERVER_TOKEN))
        self._looks = QTimer(self)
        self._looks.setInterval(_LOOK_MS)
        self._looks.timeout.connect(self.look)
        menus.server.triggered.connect(self.toggle)
        book.listen(self._setting_changed)
        bridge.changed.connect(self._changed)
        # After the window is shown.
        QTimer.singleShot(0, self, self._follow_settings)

    @property
    def facts(self) -> ServerFacts:
        """What the settings page shows of it."""
        url = "" if self._server is None else self._server.url
        return ServerFacts(url, self.token.text, self.sentence)

    @property
    def running(self) -> bool:
        return self._server is not None

    def toggle(self) -> None:
        """Start or stop it; the setting's switch follows."""
        on = not self.running
        if self._book.saved_as("server_on", on):
            # It was switched on before, but failed to start.
            self._restart()
        else:
            self._book.set("server_on", on)
        if on and self.sentence:
            self._bridge.notify(self.sentence)

    def renew_token(self) -> None:
        """Renew the token; a running server restarts with it."""
        self.token.renew()
        if self.running:
            self._restart()
        else:
            self._tell()

    def close(self) -> None:
        """Stop when the window closes."""
        self._closed = True
        self._stop()

    def look(self) -> None:
        """Refresh the clients' activity."""
        if self._server is None:
            return
        if not self._server.running:
            log.error("The server ended by itself.")
            self.sentence = tr("The server stopped; the log says why.")
            self._stop()
            self._tell()
            return
        snapshot = self._server.snapshot
        if snapshot.version == self._version:
            return
        self._version = snapshot.version
        self._bridge.perform(self._bridge.session.served.know(snapshot))

    def _setting_changed(self, name: str) -> None:
        if name in _SETTINGS:
            self._follow_settings()

    def _follow_settings(self) -> None:
        """Start or stop as the settings say."""
        if self._closed:
            return
        if self._book.now("server_on"):
            self._restart()
        elif self.running or self.sentence:
            self._stop()
            self.sentence = ""
            self._tell()
            self._bridge.notify(tr("The server is stopped."))

    def _restart(self) -> None:
        # Imported lazily, so that the window appears first.
        from engine.net.server import ServeConfig, ServeError, Server

        self._stop()
        book = self._book
        server = Server(
            ServeConfig(
                port=book.now("server_port"),
                token=self.token.text,
                keep_thinking=book.now("server_keep_thinking"),
                leave_out_volatile=book.now("server_leave_out"),
            ),
            self._before,
        )
        try:
            server.start()
        except ServeError as error:
            self.sentence = said(str(error))
        else:
            self.sentence, self._server, self._version = "", server, -1
            self._looks.start()
            self._follow_model()
            self._bridge.notify(tr("The server runs at {url}.").format(url=server.url))
        self._tell()

    def _stop(self) -> None:
        self._looks.stop()
        server, self._server, self._attached = self._server, None, None
        if server is not None:
            ended = server.stop()
            self._before = server if ended else None
            if not ended:
                log.error("The server did not end in time.")
        self.reachable.emit("")

    def _changed(self, changes: frozenset[Change]) -> None:
        if Changed.ENGINE in changes:
            self._follow_model()

    def _follow_model(self) -> None:
        """Pass the open model to the server, which refuses requests while there is none."""
        port, model = self._bridge.port, self._bridge.session.engine.here
        if self._server is None or port is self._attached:
            return
        self._attached = port
        if port is None or model is None:
            self._server.detach()
        else:
            self._server.attach(port, model)

    def _tell(self) -> None:
        url = "" if self._server is None else self._server.url
        self.reachable.emit(url)
        self._menus.server.setText(tr("Stop server") if url else tr("Start server"))
        self._bridge.perform(Outcome.of(Changed.SERVER))
