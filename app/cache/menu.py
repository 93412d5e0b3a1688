"""The Cache menu: check, verify, empty and record the cache."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.bridge import Bridge
from app.file_dialog import ask_where
from app.menus.menus import Menus
from app.session.records import EnginePhase
from app.words.tr import tr
from engine.commands import AuditInBackground, CheckInvariants, DropCache, Record, StopRecording


class CacheController:
    """Connects the menu's actions with the engine."""

    def __init__(self, bridge: Bridge, window: QWidget, menus: Menus) -> None:
        """window: the parent of the dialogs."""
        self._bridge, self._session = bridge, bridge.session
        self._window, self._menus = window, menus
        menus.check.triggered.connect(lambda: bridge.ask(CheckInvariants()))
        menus.audit.toggled.connect(lambda on: bridge.ask(AuditInBackground(on)))
        menus.record.triggered.connect(self._record)
        menus.drop.triggered.connect(lambda: bridge.ask(DropCache()))

    def enable(self) -> None:
        """Let the menu offer what is possible now."""
        # Without a model of our own nothing would carry them out.
        engine = self._session.engine
        ready = engine.phase is EnginePhase.READY and not engine.there
        for action in (self._menus.check, self._menus.record, self._menus.drop):
            action.setEnabled(ready)

    def show_recording(self) -> None:
        self._menus.record.setChecked(self._session.recording)

    def _record(self, on: bool) -> None:
        """Start recording a trace to a file of the user's choice, or end it."""
        if not on:
            self._bridge.ask(StopRecording())
            return
        path, _ = ask_where(self._window, "traces", tr("Record trace"), "biplane-trace.jsonl.gz")
        # The model may have been closed while the dialog was open.
        wanted = path if self._menus.record.isEnabled() else None
        self._menus.record.setChecked(wanted is not None)
        if wanted is not None:
            self._bridge.ask(Record(str(wanted)))
