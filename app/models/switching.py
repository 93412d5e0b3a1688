"""A conversation's own model: offered if another one is open, or opened automatically."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from app.chat.pane import ChatPane
from app.core.bridge import Bridge
from app.core.preferences.book import Book
from app.core.session import model_choice
from app.core.session.records import EnginePhase
from app.models.connecting import ConnectController
from app.ui.menus.menus import Menus
from engine.net.client.connection import Connection

# Not while the user steps through conversations.
_DWELL_MS = 900


class SwitchController(QObject):
    """Connects the notice and the menu with opening models."""

    def __init__(
        self,
        bridge: Bridge,
        chat: ChatPane,
        menus: Menus,
        book: Book,
        connecting: ConnectController,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._session, self._book = bridge, bridge.session, book
        self._chat, self._menus, self._connecting = chat, menus, connecting
        # The conversation whose model was opened automatically, so that a failure is not retried.
        self._tried: int | None = None
        self._dwell = QTimer(self)
        self._dwell.setSingleShot(True)
        self._dwell.setInterval(_DWELL_MS)
        self._dwell.timeout.connect(self._open_unasked)
        chat.model_notice.switched.connect(self.switch)
        chat.model_notice.stayed.connect(self.stay)
        menus.switch_model.triggered.connect(self.switch)
        menus.stay_with_model.triggered.connect(self.stay)
        menus.cancel_opening.triggered.connect(bridge.cancel_opening)

    def switch(self) -> None:
        """Open the model of the conversation on screen."""
        found = model_choice.elsewhere(self._session)
        if found is None:
            return
        there = Connection.parse(found.folder)
        if there is not None:
            self._connecting.ask(there)
            return
        self._bridge.open_model(Path(found.folder))
        self._chat.composer.focus()

    def stay(self) -> None:
        """Use the open model for the conversation on screen."""
        self._bridge.perform(model_choice.stay(self._session))
        self._chat.composer.focus()

    def enable(self) -> None:
        """Enable the menu's possible commands."""
        session, engine = self._session, self._session.engine
        found = model_choice.elsewhere(session)
        self._menus.switch_model.setEnabled(found is not None)
        self._menus.stay_with_model.setEnabled(found is not None and bool(found.open_name))
        opening = engine.phase in (EnginePhase.LOADING, EnginePhase.CLOSING) and engine.name
        self._menus.cancel_opening.setEnabled(bool(opening) or session.coming is not None)
        if session.current.id != self._tried:
            self._tried = None
        # Never connects to the network without a request.
        here = found is not None and Connection.parse(found.folder) is None
        unasked = here and self._book.now("own_model") == "always"
        if unasked and self._tried is None and session.refused is None:
            if not self._dwell.isActive():
                self._dwell.start()
        else:
            self._dwell.stop()

    def _open_unasked(self) -> None:
        self._tried = self._session.current.id
        self.switch()
