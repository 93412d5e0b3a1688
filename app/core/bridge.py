"""The only file of the app that talks to the engine's run loop.

A timer of the GUI thread drains the events once a frame, applies them to the session, and emits
the changes to the window. It stops while idle, and the next event restarts it. Nothing here blocks
on the engine.
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

# The views of the cache.
View = Literal["pane", "strip", "debugger", "events"]

FRAME_MS = 33


class Bridge(QObject):
    """Connects the session to the engine.

    Attributes:
        session: the state that the window shows.
        settings: the settings of models.

    Signals:
        changed: a frozenset of changes, at most once per frame.
        format_chosen: the weight format for models opened from now on, and the bytes for experts.
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
        """Of the model that is open or opening, else of the last one; None if that is remote."""
        return self.settings.folder

    @property
    def connection(self) -> Connection | None:
        """The connection to the engine elsewhere, if the model is remote."""
        place = self.settings.place
        return place if isinstance(place, Connection) else None

    @property
    def port(self) -> Port | None:
        """The port for other clients' requests to the open model; None if none is open locally."""
        ready = self.session.engine.phase is EnginePhase.READY
        # A remote engine and a fake have nothing to share.
        shares = ready and hasattr(self._models.loop, "listeners")
        return cast("Port", self._models.loop) if shares else None

    def open_model(self, folder: Path, *, follow: bool = True) -> None:
        """Open a model. A usable one stays open until the new one has passed its checks.

        Args:
            follow: switch the conversation on screen to it.
        """
        self.session.choosing = self.session.current.id if follow else None
        self._models.to_folder(folder.absolute())

    def open_elsewhere(self, connection: Connection, make: Callable[[], Loop]) -> None:
        """Use an engine elsewhere. A usable one stays open until the other has answered.

        make: creates its run loop, unstarted.
        """
        self.session.choosing = self.session.current.id
        self._models.to_elsewhere(connection, make)

    def go_back(self) -> None:
        """Recover from a failure: return to the model that is still open, else reopen the last."""
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
        """Set the weight format for models opened from now on."""
        config = self.settings.config
        self.settings.config = replace(config, weights=weights, expert_bytes=expert_bytes)
        self.format_chosen.emit(weights, expert_bytes)

    def set_config(self, config: EngineConfig, field: str) -> None:
        """Set the config of all models after one field changed.

        The open model adopts it at its next request if possible, unless What if has overridden the
        field for it.
        """
        self.settings.config = config
        self.session.disk_bytes = _kept_bytes(config)
        asked = self.settings.for_all(field)
        if asked is not None:
            self._post(asked)

    def change_settings(self, change: SettingsChange) -> None:
        """Change settings of the open model between two requests, or by reopening it.

        They are saved for this model's next start. A failure is reported in a notice.
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
        """Cancel opening a model; the previous one is reopened if it had to be closed."""
        if self._models.cancel():
            self.go_back()

    def watch(self, view: View, on: bool) -> None:
        """Show or hide a view of the cache, which is replayed while any view is on screen."""
        (self._watching.add if on else self._watching.discard)(view)
        self.session.cache.watched = bool(self._watching)
        if on:
            self.perform(self.session.cache.look())

    def perform(self, outcome: Outcome) -> None:
        """Execute the outcome of an action or an event: emit its changes, post its commands."""
        for command in outcome.commands:
            self._post(command)
        if outcome.changes:
            self.changed.emit(outcome.changes)

    def ask(self, command: Command) -> None:
        if isinstance(command, AuditInBackground):
            # Applies to the next model, too.
            config = self.settings.config
            self.settings.config = replace(config, background_audit=command.on)
        self._post(command)

    def notify(self, sentence: str, *offers: tuple[str, str]) -> None:
        """Show a notice of the window's own, as if from the engine; offers: see `Noted`."""
        self.perform(self.session.log.note(sentence, *offers))

    def take(self) -> None:
        """Process one frame: apply the events that have arrived."""
        self._models.take()
        came = self._models.loop.drain() if self._models.loop is not None else []
        self.apply(coalesce(came))
        loading = self.session.engine.phase is EnginePhase.LOADING
        if not (came or self.session.busy or loading or self._models.going_on):
            self._rest()

    def end(self) -> None:
        """Ask the engine to end; `over` reports when it has. Frames continue."""
        self._models.leave()
        self.perform(self.session.closing())

    @property
    def over(self) -> bool:
        """Whether nothing is running any more."""
        return self._models.over

    def close(self, timeout_s: float) -> bool:
        """Release everything. False if an engine missed its share of the timeout."""
        self._models.leave()
        self._closed = True
        self._timer.stop()
        return self._models.wait(timeout_s)

    def apply(self, events: Iterable[Event]) -> None:
        """Apply events of the open model, and emit their changes once."""
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
        """Send a newly opened model its startup commands."""
        self._post(WatchJournal(on=True))
        audited = self.settings.config.background_audit
        if self.settings.opened_with.background_audit != audited:
            self._post(AuditInBackground(audited))

    def wake(self) -> None:
        """Start polling every frame."""
        # The wake-up may arrive after closing.
        if not self._closed:
            self._timer.start()

    def _rest(self) -> None:
        """Stop polling until the engine's next event, or a call to `wake`."""
        self._timer.stop()
        if self._models.loop is not None:
            self._models.loop.wake_with_next(self._rouse)

    def _rouse(self) -> None:
        """Called on the engine's thread, which may outlive the window."""
        with suppress(RuntimeError):
            self._woken.emit()

    def _failed_with_remembered(self) -> bool:
        """Whether remembered settings may be why a model cannot be opened."""
        loading = self.session.engine.phase is EnginePhase.LOADING
        return loading and self.settings.failed()

    def _post(self, command: Command) -> None:
        if self._models.loop is not None:
            self._models.loop.post(command)
            self.wake()


def _kept_bytes(config: EngineConfig) -> int:
    """Disk space for models' caches between two starts of the engine."""
    return config.disk_bytes if config.cache_dir is not None else 0
