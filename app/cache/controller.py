"""Updates the cache pane and the Cache menu, and carries out their actions."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from app.cache.pane import CachePane
from app.cache.strip import CacheStrip
from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed
from app.core.session.records import EnginePhase
from app.core.words.tr import tr
from app.ui.file_dialog import ask_where
from app.ui.menus.menus import Menus
from engine.commands import (
    AuditInBackground,
    CheckInvariants,
    DescribeNode,
    DropCache,
    Record,
    StopRecording,
)

# Between two updates of the pane during decode, while the pointer is not over it.
_PANE_MS = 250


class Pacer(QObject):
    """Rate limiter: shows at once if urgent or after a pause; otherwise when the pause is over."""

    def __init__(
        self,
        show: Callable[[], None],
        urgent: Callable[[], bool],
        pause_ms: int,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._show, self._urgent, self._pause_s = show, urgent, pause_ms / 1e3
        self._shown_at = -self._pause_s
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._now)

    def want(self) -> None:
        """Request an update."""
        left = self._shown_at + self._pause_s - time.monotonic()
        if left <= 0 or self._urgent():
            self._now()
        elif not self._timer.isActive():
            self._timer.start(round(1e3 * left))

    def _now(self) -> None:
        self._timer.stop()
        self._shown_at = time.monotonic()
        self._show()


class CacheController:
    """Connects the pane and the menu's actions with the session and the engine."""

    def __init__(
        self, bridge: Bridge, pane: CachePane, strip: CacheStrip, window: QWidget, menus: Menus
    ) -> None:
        """window: the parent of the dialogs."""
        session = self._session = bridge.session
        self._bridge, self._pane, self._window, self._menus = bridge, pane, window, menus
        self._strip = strip
        self._pacer = Pacer(self._show, self._watched, _PANE_MS, pane)
        pane.watched.connect(self._watch)
        strip.watched.connect(lambda on: bridge.watch("strip", on))
        pane.described.connect(lambda node: bridge.ask(DescribeNode(node)))
        pane.verified.connect(lambda node: bridge.perform(session.cache.verify(node)))
        pane.acted.connect(lambda *deed: bridge.perform(session.act(*deed)))
        menus.fit.triggered.connect(pane.canvas.fit)
        menus.check.triggered.connect(lambda: bridge.ask(CheckInvariants()))
        menus.audit.toggled.connect(lambda on: bridge.ask(AuditInBackground(on)))
        menus.record.triggered.connect(self._record)
        menus.drop.triggered.connect(lambda: bridge.ask(DropCache()))

    def refresh(self) -> None:
        """Show the current state of the cache."""
        self._show()
        self._pane.show_plan(self._session)
        self._enable()

    def apply(self, changes: frozenset[Change]) -> None:
        """Show what changed."""
        session, pane = self._session, self._pane
        kinds = {change.kind for change in changes}
        whole = kinds & {Changed.CONVERSATIONS, Changed.TURNS}
        if kinds & {Changed.CONVERSATIONS, Changed.REMOVAL}:
            pane.show_owners(session)
        if whole:
            pane.show_chats(session)
        seen = pane.isVisible() or self._strip.isVisible()
        if Changed.SNAPSHOT in kinds and (seen or session.cache.snapshot is None):
            self._pacer.want()
        if whole or Changed.PLAN in kinds:
            pane.show_plan(session)
        if kinds & {Changed.COUNTERS, Changed.ENGINE, Changed.PLAN}:
            pane.show_elsewhere(session)
        if Changed.NODE in kinds:
            pane.show_node_text(session)
        if Changed.RECORDING in kinds:
            self._menus.record.setChecked(session.recording)
        if Changed.ENGINE in kinds:
            self._enable()

    def _show(self) -> None:
        snapshot = self._session.cache.snapshot
        self._strip.show_snapshot(snapshot)
        if self._pane.isVisible() or snapshot is None:
            self._pane.show_snapshot(self._session)

    def _watch(self, on: bool) -> None:
        """The pane appeared or went; what came meanwhile, it has not shown."""
        self._bridge.watch("pane", on)
        if on:
            self._pane.show_snapshot(self._session)

    def _watched(self) -> bool:
        """Whether the pane must show changes at once."""
        session = self._session
        return session.cache.snapshot is None or not session.busy or self._pane.underMouse()

    def _enable(self) -> None:
        """Enable the actions that are currently possible."""
        # A remote engine cannot carry them out.
        engine = self._session.engine
        ready = engine.phase is EnginePhase.READY and not engine.there
        for action in (self._menus.check, self._menus.record, self._menus.drop):
            action.setEnabled(ready)

    def _record(self, on: bool) -> None:
        """Start recording a trace to a file of the user's choice, or end it."""
        if not on:
            self._bridge.ask(StopRecording())
            return
        path, _ = ask_where(self._window, "traces", tr("Record trace"), "biplane.trace.jsonl.gz")
        # The model may have been closed while the dialog was open.
        wanted = path if self._menus.record.isEnabled() else None
        self._menus.record.setChecked(wanted is not None)
        if wanted is not None:
            self._bridge.ask(Record(str(wanted)))
