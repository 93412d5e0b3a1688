"""Cache > Warm a prompt: reads messages into the cache before anybody sends them."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.bridge import Bridge
from app.session import changes as ch
from app.session.changes import Outcome
from app.shell.menus import Menus
from app.shell.warm_dialog import WarmDialog
from app.words.node_actions import NO_MODEL
from app.words.prompt_text import text_of
from engine.commands import StopActs
from engine.message import Message, PromptOptions


class Warming(QObject):
    """Owns the dialog, of which there is at most one.

    Attributes:
        dialog: None while it is closed.
    """

    def __init__(self, bridge: Bridge, menus: Menus, parent: QWidget) -> None:
        super().__init__(parent)
        self._bridge, self._session, self._parent = bridge, bridge.session, parent
        self.dialog: WarmDialog | None = None
        # What was written last, for the next time.
        self._text = ""
        self._number: int | None = None
        menus.warm.triggered.connect(self.open)
        bridge.changed.connect(self._changed)

    def open(self) -> None:
        """Open the dialog, or bring it to the front; it blocks nothing."""
        if self.dialog is None:
            text = self._text or text_of(self._session.current.system)
            self.dialog = WarmDialog(text, self._parent)
            self.dialog.wanted.connect(self._warm)
            self.dialog.stopped.connect(lambda: self._bridge.ask(StopActs()))
            self.dialog.finished.connect(self._closed)
            self._show()
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()
        self.dialog.text.setFocus()

    def _warm(self, messages: tuple[Message, ...]) -> None:
        session = self._session
        if session.engine.model is None:
            if self.dialog is not None:
                self.dialog.show_progress(NO_MODEL, running=False)
            return
        command = session.acts.warm(messages, PromptOptions(thinking=session.current.thinking))
        self._number = command.number
        self._bridge.perform(Outcome.of(ch.ActsChanged(), commands=(command,)))

    def _changed(self, changes: frozenset[ch.Change]) -> None:
        told = any(isinstance(change, ch.ActsChanged | ch.EngineChanged) for change in changes)
        if told and self._number is not None:
            self._show()

    def _show(self) -> None:
        acts = self._session.acts
        running = self._number in acts.waiting
        last = acts.last
        ended = last is not None and last.number == self._number
        if self.dialog is not None:
            self.dialog.show_progress(acts.sentence if running or ended else "", running=running)

    def _closed(self) -> None:
        if self.dialog is not None:
            self._text = self.dialog.text.toPlainText()
        self.dialog = None
