"""View > Memory lab: opens its modeless window, and keeps it up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed
from app.core.session.context_use import context_use
from app.core.session.lab import LabAnswers, Question
from app.core.session.records import EnginePhase
from app.lab.logic.arithmetic import Pools
from app.lab.logic.example import TEXT, example
from app.lab.logic.story_place import StoryPlace
from app.ui import theme
from app.ui.menus.menus import Menus

if TYPE_CHECKING:
    from app.lab.window import MemoryLab


class LabController(QObject):
    """Owns the lab's window; there is at most one.

    Attributes:
        window: None while it is closed.
        place: how far the user is in its story.
    """

    def __init__(self, bridge: Bridge, menus: Menus, parent: QWidget) -> None:
        super().__init__(parent)
        self._bridge, self._session, self._parent = bridge, bridge.session, parent
        self.window: MemoryLab | None = None
        self.place = StoryPlace()
        self._shown_runs = 0
        # By tab, the conversation's state when the tab last asked for it.
        self._read: dict[int, object] = {}
        menus.lab.triggered.connect(self.open)
        bridge.changed.connect(self.apply)
        theme.keeper().changed.connect(self._restyle)

    def open_tab(self, name: str) -> bool:
        """Open the window with a tab in front; False if no tab has that name."""
        self.open()
        return self.window is not None and (not name or self.window.show_tab(name))

    def open(self) -> None:
        """Open the modeless window, or bring it to the front."""
        if self.window is None:
            # Its charts take a moment to import.
            from app.lab.window import MemoryLab

            self.window = MemoryLab(self._parent)
            self.window.finished.connect(self._forget)
            self.window.wanted.connect(self._ask)
            self.window.stopped.connect(self._stop)
            self.window.turned.connect(self._follow)
            self.window.story.moved.connect(self._keep)
            self.window.notice.connect(self._bridge.notify)
            self._show_model()
            self._show_conversation()
            self._show_pools()
            self._show_runs()
            self._show_answers()
            self._follow()
            self.window.show()
            self.window.resume(self.place)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    def apply(self, changes: frozenset[Change]) -> None:
        """Show what changed."""
        kinds = {change.kind for change in changes}
        if Changed.ENGINE in kinds:
            self._show_model()
        if kinds & {
            Changed.ENGINE,
            Changed.CONVERSATIONS,
            Changed.TURNS,
            Changed.TURN,
            Changed.PLAN,
            Changed.PREVIEW,
        }:
            self._show_conversation()
        if kinds & {Changed.ENGINE, Changed.SNAPSHOT}:
            self._show_pools()
        if Changed.ENGINE in kinds or self._shown_runs != self._session.ledger.finished:
            self._show_runs()
        if kinds & {Changed.ENGINE, Changed.LAB}:
            self._show_answers()
        if kinds & {
            Changed.ENGINE,
            Changed.CONVERSATIONS,
            Changed.TURNS,
            Changed.TURN,
            Changed.BRANCH,
        }:
            self._follow()

    def _show_model(self) -> None:
        if self.window is not None:
            self.window.show_model(self._session.engine.here)

    def _show_conversation(self) -> None:
        if self.window is not None:
            use = context_use(self._session)
            self.window.show_conversation(None if use is None else use.used)

    def _show_pools(self) -> None:
        if self.window is not None:
            seen = self._session.cache.snapshot
            known = seen is not None and self._session.engine.here is not None
            pools = Pools(seen.kv.cached, seen.state.cached) if seen and known else None
            self.window.show_pools(pools)
            self.window.show_snapshot(seen if known else None)

    def _show_runs(self) -> None:
        ledger = self._session.ledger
        self._shown_runs = ledger.finished
        if self.window is not None:
            self.window.show_runs(tuple(ledger.runs), ledger.finished)

    def _show_answers(self) -> None:
        if self.window is None:
            return
        lab = self._session.lab
        if self._session.engine.here is None:
            made = example()
            lab = LabAnswers(memory=made.memory, recall=made.recall, refused=lab.refused)
        self.window.show_answers(lab)

    def _ask(self, question: Question) -> None:
        if self._session.lab.open is not None:
            # This cancels another tab's question, so no tab is up to date.
            self._read.clear()
        if self.window is not None:
            self._read[self.window.tabs.currentIndex()] = self._now()
        session = self._session
        self._bridge.perform(session.lab.ask(question, session.current, session.ready_folder))

    def _stop(self) -> None:
        self._bridge.perform(self._session.lab.stop())

    def _follow(self) -> None:
        """Read again what the tab in front shows, if it has not read it as it is now."""
        session = self._session
        if self.window is None:
            return
        self.window.prefer(conversation=bool(session.current.turns))
        asking = self.window.asking
        if session.engine.phase is not EnginePhase.READY or asking is None or asking.source.own:
            return
        if not asking.source.example and (session.busy or not session.current.turns):
            return
        if self._read.get(self.window.tabs.currentIndex()) != self._now():
            asking.ask()

    def _now(self) -> object:
        """A key that identifies what the tab in front asks about."""
        session = self._session
        asking = None if self.window is None else self.window.asking
        if asking is not None and asking.source.example:
            return session.model_folder, TEXT
        last = session.current.last
        turn = None if last is None else (last.id, len(last.text), len(last.thinking))
        return session.model_folder, session.ledger.finished, session.current.id, turn

    def _keep(self) -> None:
        if self.window is not None:
            self.place = self.window.story.place
            self._follow()

    def _restyle(self) -> None:
        if self.window is not None:
            self.window.repaint_all()

    def _forget(self) -> None:
        self._stop()
        self.window = None
        self._read.clear()
