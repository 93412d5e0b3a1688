"""The only file of the app that talks to the engine's run loop.

A timer of the GUI thread drains the events since the last frame, applies them to the session, and
tells the window what changed. It rests while nothing goes on: the next event wakes it. Nothing
here waits for the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from PySide6.QtCore import QObject, QTimer, Signal

from app.core.changeover import Changeover
from app.core.folder_check import FolderCheck, Looker
from app.core.loops import Loop, LoopFactory, Loops, run_loop
from app.core.model_settings import ModelSettings
from app.core.session.applied import SettingsChange
from app.core.session.changes import Change, Outcome
from app.core.session.coalesce import coalesce
from app.core.session.model import Session
from app.core.session.records import EnginePhase
from app.core.words.tr import tr
from engine.commands import AuditInBackground, Command, WatchJournal
from engine.config import EngineConfig, WeightFormat
from engine.errors import CacheError
from engine.events import EngineClosed, EngineFailed, EngineReady, Event, Tuned
from engine.net.client.connection import Connection

if TYPE_CHECKING:
    from engine.net.server.port import Port

# What shows the cache.
View = Literal["pane", "debugger", "events"]

FRAME_MS = 33


class Bridge(QObject):
    """Connects the session to the engine.

    Attributes:
        session: what the window shows.
        settings: those of models.

    Signals:
        changed: a frozenset of changes, at most once per frame.
        format_chosen: how weights are opened from now on, and the bytes for experts.
    """

    changed = Signal(object)
    format_chosen = Signal(str, object)
    _woken = Signal()

    def __init__(
        self,
        session: Session,
        config: EngineConfig,
        factory: LoopFactory = run_loop,
        parent: QObject | None = None,
        look: Looker = FolderCheck,
    ) -> None:
        super().__init__(parent)
        self.session = session
        session.disk_bytes = _kept_bytes(config)
        self.settings = ModelSettings(session, config)
        self._models = Changeover(session, self.settings, Loops(factory), look, self)
        self._watching: set[View] = set()
        self._closed = False
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self.take)
        self._woken.connect(self.wake)

    @property
    def folder(self) -> Path | None:
        """Of the model that is open or opening, else of the last one; None if it is elsewhere."""
        return self.settings.folder

    @property
    def connection(self) -> Connection | None:
        """To the engine elsewhere, if the model is there."""
        place = self.settings.place
        return place if isinstance(place, Connection) else None

    @property
    def port(self) -> Port | None:
        """Where others run requests on the open model; None if none is open here."""
        ready = self.session.engine.phase is EnginePhase.READY
        # An engine elsewhere, and a stand-in, have nothing to share.
        shares = ready and hasattr(self._models.loop, "listeners")
        return cast("Port", self._models.loop) if shares else None

    def open_model(self, folder: Path, *, follow: bool = True) -> None:
        """Open a model. A usable one stays open until the new one is known to be sound.

        Args:
            follow: the conversation on screen goes on with it.
        """
        self.session.choosing = self.session.current.id if follow else None
        self._models.to_folder(folder.absolute())

    def open_elsewhere(self, connection: Connection, make: Callable[[], Loop]) -> None:
        """Use an engine elsewhere. A usable one stays open until the other has answered.

        make: its run loop, which is not started yet.
        """
        self.session.choosing = self.session.current.id
        self._models.to_elsewhere(connection, make)

    def go_back(self) -> None:
        """Leave a failure behind: return to the model that is still open, else reopen the last."""
        if self.session.refused is not None:
            self.perform(self.session.dismiss_refusal())
        elif self._models.previous is not None:
            place, config = self._models.previous
            if isinstance(place, Connection):
                self._models.to_elsewhere(place)
                return
            self.open_next_with(config.weights, config.expert_bytes)
            self.open_model(place, follow=False)

    def open_next_with(self, weights: WeightFormat, expert_bytes: int) -> None:
        """How models are opened from now on."""
        config = self.settings.config
        self.settings.config = replace(config, weights=weights, expert_bytes=expert_bytes)
        self.format_chosen.emit(weights, expert_bytes)

    def set_config(self, config: EngineConfig, field: str) -> None:
        """Other settings for every model, of which one field has changed.

        The open model takes it over from its next request on where that is possible, unless
        What if has set another value for it.
        """
        self.settings.config = config
        self.session.disk_bytes = _kept_bytes(config)
        asked = self.settings.for_all(field)
        if asked is not None:
            self._post(asked)

    def change_settings(self, change: SettingsChange) -> None:
        """Change settings of the open model between two requests, or by opening it again.

        They are remembered for this model's next start. What cannot be done is said in a notice.
        """
        try:
            replace(self.settings.next, **change.fields)
        except CacheError as error:
            self.notify(str(error))
            return
        if not change.reopen:
            self._post(self.settings.for_this(change))
        elif self.session.busy:
            self.notify(
                tr(
                    "An answer is being written. Wait for its end, or stop it, to "
                    "open the model again with other settings."
                )
            )
        elif self.folder is not None:
            self.settings.try_with(change)
            self.open_model(self.folder, follow=False)

    def cancel_opening(self) -> None:
        """Cancel opening a model: the one before is opened again, if it had to go."""
        if self._models.cancel():
            self.go_back()

    def watch(self, view: View, on: bool) -> None:
        """A view of the cache came up or went away: it is looked at while any is on screen."""
        (self._watching.add if on else self._watching.discard)(view)
        self.session.cache.watched = bool(self._watching)
        if on:
            self.perform(self.session.cache.look())

    def perform(self, outcome: Outcome) -> None:
        """Carry out the outcome of an action or an event."""
        for command in outcome.commands:
            self._post(command)
        if outcome.changes:
            self.changed.emit(outcome.changes)

    def ask(self, command: Command) -> None:
        if isinstance(command, AuditInBackground):
            # The next model gets the same setting.
            config = self.settings.config
            self.settings.config = replace(config, background_audit=command.on)
        self._post(command)

    def notify(self, sentence: str) -> None:
        """Show a notice of the window's own, as if the engine had sent it."""
        self.perform(self.session.log.note(sentence))

    def take(self) -> None:
        """One frame: apply the events that have arrived."""
        self._models.take()
        came = self._models.loop.drain() if self._models.loop is not None else []
        self.apply(coalesce(came))
        loading = self.session.engine.phase is EnginePhase.LOADING
        if not (came or self.session.busy or loading or self._models.going_on):
            self._rest()

    def end(self) -> None:
        """Ask the engine to end; `over` says when it has. Frames continue."""
        self._models.leave()
        self.perform(self.session.closing())

    @property
    def over(self) -> bool:
        """Whether nothing runs any more."""
        return self._models.over

    def close(self, timeout_s: float) -> bool:
        """Release everything. False if an engine did not end within its share of the time."""
        self._models.leave()
        self._closed = True
        self._timer.stop()
        return self._models.wait(timeout_s)

    def apply(self, events: Iterable[Event]) -> None:
        """Apply events of the open model, and tell the window once what they changed."""
        changes: set[Change] = set()
        again = False
        for event in events:
            again |= isinstance(event, EngineFailed) and self._failed_with_remembered()
            outcome = self.session.apply(event)
            changes |= outcome.changes
            for command in outcome.commands:
                self._post(command)
            if isinstance(event, EngineReady):
                self._models.opened()
            if isinstance(event, Tuned):
                self.settings.answered(event)
            if isinstance(event, EngineClosed) and self._models.loop is not None:
                self._models.closed()
                break
        if changes:
            self.changed.emit(frozenset(changes))
        if again:
            self._models.once_more()

    def greet(self) -> None:
        """Tell a model that has just come what is wanted of it."""
        self._post(WatchJournal(on=True))
        audited = self.settings.config.background_audit
        if self.settings.opened_with.background_audit != audited:
            self._post(AuditInBackground(audited))

    def wake(self) -> None:
        """Look at what goes on with every frame."""
        # What woke it may have been on its way while it closed.
        if not self._closed:
            self._timer.start()

    def _rest(self) -> None:
        """Draw no more frames until the engine tells something, or is told something."""
        self._timer.stop()
        if self._models.loop is not None:
            self._models.loop.wake_with_next(self._rouse)

    def _rouse(self) -> None:
        """On the engine's thread, which may outlive the window."""
        with suppress(RuntimeError):
            self._woken.emit()

    def _failed_with_remembered(self) -> bool:
        """Whether a model that cannot be opened may be so because of remembered settings."""
        loading = self.session.engine.phase is EnginePhase.LOADING
        return loading and self.settings.failed()

    def _post(self, command: Command) -> None:
        if self._models.loop is not None:
            self._models.loop.post(command)
            self.wake()


def _kept_bytes(config: EngineConfig) -> int:
    """What models keep in files between two starts of the engine."""
    return config.disk_bytes if config.cache_dir is not None else 0
