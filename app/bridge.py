"""The one file of the app that knows the engine's run loop.

A timer of the GUI thread takes the events that have come since the last frame, applies them to the
session, and tells the window what changed. Nothing here waits for the engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.session import reducer
from app.session.changes import Change, Outcome
from app.session.coalesce import coalesce
from app.session.model import Session
from app.session.records import EnginePhase
from engine.commands import AuditInBackground, Close, Command, WatchCache
from engine.config import EngineConfig, WeightFormat
from engine.events import EngineClosed, Event

FRAME_MS = 33
_IDLE_MS = 100
_PATIENCE_S = 60.0


class Loop(Protocol):
    """What the bridge needs of `engine.loop.RunLoop`."""

    def start(self) -> None: ...

    def post(self, command: Command) -> None: ...

    def drain(self) -> list[Event]: ...

    def close(self, timeout_s: float | None = None) -> bool: ...


LoopFactory = Callable[[Path, EngineConfig], Loop]


def run_loop(folder: Path, config: EngineConfig) -> Loop:
    """The real one; imported here so that the window stands before it is."""
    from engine.loop import RunLoop

    return RunLoop(folder, config)


class Bridge(QObject):
    """Between the session and the engine.

    Attributes:
        session: what the window shows.
        folder: of the model that is open or being opened, or was the last.
        config: how the next model is opened.

    Signals:
        changed: a frozenset of changes, at most once a frame.
    """

    changed = Signal(object)

    def __init__(
        self,
        session: Session,
        config: EngineConfig,
        factory: LoopFactory = run_loop,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.session = session
        self.folder: Path | None = None
        self.config = config
        self._factory = factory
        self._loop: Loop | None = None
        self._ending: Loop | None = None
        self._ending_since = 0.0
        self._next: Path | None = None
        self._model_of_ids: Path | None = None
        self._watched = False
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self.take)

    def open_model(self, folder: Path) -> None:
        """Open a model; one that is open is closed first, so that both never hold memory."""
        if self._loop is not None:
            self._next = folder
            self._end_loop()
            return
        if self._ending is not None:
            self._next = folder
            self.perform(reducer.closing(self.session))
            return
        self.folder = folder
        if self._model_of_ids not in (None, folder):
            reducer.forget_token_ids(self.session)
        self._model_of_ids = folder
        self.perform(reducer.opening(self.session, folder))
        self._loop = self._factory(folder, self.config)
        self._loop.start()
        self._loop.post(WatchCache(self._watched))
        self._timer.start(FRAME_MS)

    def open_next_with(self, weights: WeightFormat, expert_bytes: int, again: bool) -> None:
        """How models are opened from now on; `again` opens the last one anew at once."""
        self.config = replace(self.config, weights=weights, expert_bytes=expert_bytes)
        if again and self.folder is not None:
            self.open_model(self.folder)

    def cancel_opening(self) -> None:
        """Give up the model that is being opened; another can be opened right away."""
        if self.session.engine.phase is EnginePhase.LOADING and self._loop is not None:
            self._next = None
            self._part_with_loop()
            self.perform(reducer.cancelled(self.session))

    def watch(self, on: bool) -> None:
        """Ask for snapshots only while somebody looks."""
        if on != self._watched:
            self._watched = on
            self._post(WatchCache(on))

    def perform(self, outcome: Outcome) -> None:
        """Carry out what an action or an event leads to."""
        for command in outcome.commands:
            self._post(command)
        if outcome.changes:
            self.changed.emit(outcome.changes)

    def ask(self, command: Command) -> None:
        if isinstance(command, AuditInBackground):
            # The next model is treated alike.
            self.config = replace(self.config, background_audit=command.on)
        self._post(command)

    def tell(self, sentence: str) -> None:
        """Say something of the window's own, as the engine says its notices."""
        self.perform(reducer.note(self.session, sentence))

    def take(self) -> None:
        """One frame: apply what has come."""
        if self._ending is not None:
            self._take_ending()
        if self._loop is None:
            return
        came = self._loop.drain()
        changes: set[Change] = set()
        for event in coalesce(came):
            outcome = reducer.apply(self.session, event)
            changes |= outcome.changes
            for command in outcome.commands:
                self._post(command)
            if isinstance(event, EngineClosed):
                self._loop.close(0)
                self._loop = None
                break
        if changes:
            self.changed.emit(frozenset(changes))
        busy = bool(came) or self.session.busy or self.session.engine.phase is EnginePhase.LOADING
        self._timer.setInterval(FRAME_MS if busy else _IDLE_MS)

    def close(self, timeout_s: float) -> None:
        """End the engine; the only place where the app waits for it, once the window is gone."""
        self._timer.stop()
        self._next = None
        for loop in (self._loop, self._ending):
            if loop is not None:
                loop.close(timeout_s)
        self._loop = self._ending = None

    def _post(self, command: Command) -> None:
        if self._loop is not None:
            self._loop.post(command)
            self._timer.setInterval(FRAME_MS)

    def _end_loop(self) -> None:
        """Let the loop end in its own time; its last events concern nobody any more."""
        failed = reducer.abandon(self.session, "The model was closed before it had answered.")
        self._part_with_loop()
        self.perform(failed | reducer.closing(self.session))

    def _part_with_loop(self) -> None:
        assert self._loop is not None
        self._loop.post(Close())
        self._ending, self._loop = self._loop, None
        self._ending_since = time.monotonic()
        self._timer.start(FRAME_MS)

    def _take_ending(self) -> None:
        assert self._ending is not None
        over = any(isinstance(event, EngineClosed) for event in self._ending.drain())
        # A loop that hangs must not keep the user from opening another model.
        if not over and time.monotonic() - self._ending_since < _PATIENCE_S:
            return
        self._ending.close(0)
        self._ending = None
        if self._next is not None:
            folder, self._next = self._next, None
            self.open_model(folder)
