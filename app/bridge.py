"""The only file of the app that talks to the engine's run loop.

A timer of the GUI thread drains the events since the last frame, applies them to the session, and
tells the window what changed. Nothing here waits for the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from PySide6.QtCore import QObject, QTimer, Signal

from app.candidate import AtOnce, Candidate, held_bytes
from app.endings import Endings
from app.folder_check import FolderCheck, Look, Looker
from app.loops import Loop, LoopFactory, Loops, run_loop
from app.model_settings import ModelSettings
from app.session import reducer
from app.session.applied import SettingsChange
from app.session.changes import Change, Outcome
from app.session.coalesce import coalesce
from app.session.model import Session
from app.session.records import EnginePhase, Place
from app.words.tr import tr
from engine.commands import AuditInBackground, Command, WatchCache, WatchJournal
from engine.config import EngineConfig, WeightFormat
from engine.errors import CacheError
from engine.events import EngineClosed, EngineFailed, EngineReady, Event, Tuned
from engine.remote.chat.connection import Connection

if TYPE_CHECKING:
    from engine.serve.port import Port

# What shows the cache.
View = Literal["pane", "debugger", "events"]

FRAME_MS = 33
_WITHOUT = tr(
    "The model cannot be opened with the settings that What if applied earlier; "
    "it is opened with those of the start."
)
_GIVEN_UP = tr("Opening the other model was cancelled before this was answered.")
_IDLE_MS = 100


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
        self._loops = Loops(factory)
        self._loop: Loop | None = None
        self._endings = Endings()
        self._look = look
        self._candidate: Candidate | None = None
        self._next: Place | None = None
        # The last usable model, and how it was opened.
        self._previous: tuple[Place, EngineConfig] | None = None
        self._watching: set[View] = set()
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self.take)

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
        shares = ready and hasattr(self._loop, "listeners")
        return cast("Port", self._loop) if shares else None

    def open_model(self, folder: Path, *, follow: bool = True) -> None:
        """Open a model. A usable one stays open until the new one is known to be sound.

        Reopening the same folder is the exception: it was sound, and its cache files have one
        owner at a time.

        Args:
            follow: the conversation on screen goes on with it.
        """
        self.session.choosing = self.session.current.id if follow else None
        self._drop_candidate()
        folder = folder.absolute()
        if self.session.engine.phase is EnginePhase.READY and folder != self.folder:
            look = self._look(folder, self.settings.of(folder), held_bytes(self.session))
            self._try(folder, look)
        else:
            self._replace(folder)

    def open_elsewhere(self, connection: Connection, make: Callable[[], Loop]) -> None:
        """Use an engine elsewhere. A usable one stays open until the other has answered.

        make: its run loop, which is not started yet.
        """
        self.session.choosing = self.session.current.id
        self._loops.learn(connection, make)
        self._connect(connection)

    def go_back(self) -> None:
        """Leave a failure behind: return to the model that is still open, else reopen the last."""
        if self.session.refused is not None:
            self.perform(reducer.dismissed(self.session))
        elif self._previous is not None:
            place, config = self._previous
            if isinstance(place, Connection):
                self._connect(place)
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
        if self._candidate is not None:
            self._drop_candidate()
            return
        loading = self.session.engine.phase is EnginePhase.LOADING and self._loop is not None
        if not loading and self._next is None:
            return
        given_up = self._next or self.settings.place
        tried, self._next = self.settings.give_up(), None
        if loading:
            self._part_with_loop()
        before = self._previous
        if before is None or (before[0] == given_up and not tried):
            self.perform(reducer.cancelled(self.session))
            return
        self.perform(reducer.cancelled(self.session, _GIVEN_UP))
        self.go_back()

    def watch(self, view: View, on: bool) -> bool:
        """A view of the cache came up or went away: snapshots come while any is on screen.

        True if others were watching already, so that none comes of its own for this one.
        """
        before = bool(self._watching)
        (self._watching.add if on else self._watching.discard)(view)
        if before != bool(self._watching):
            self._post(WatchCache(not before))
        return before

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
        self.perform(reducer.note(self.session, sentence))

    def take(self) -> None:
        """One frame: apply the events that have arrived."""
        self._take_endings()
        self._take_candidate()
        if self._loop is None:
            return
        came = self._loop.drain()
        self._apply(coalesce(came))
        busy = bool(came) or self.session.busy or self.session.engine.phase is EnginePhase.LOADING
        busy = busy or self._candidate is not None or bool(self._endings)
        self._timer.setInterval(FRAME_MS if busy else _IDLE_MS)

    def end(self) -> None:
        """Ask the engine to end; `over` says when it has. Frames continue."""
        self._next = None
        self._drop_candidate()
        if self._loop is not None:
            self._part_with_loop()
        self.perform(reducer.closing(self.session))

    @property
    def over(self) -> bool:
        """Whether nothing runs any more."""
        return self._loop is None and self._candidate is None and not self._endings

    def close(self, timeout_s: float) -> bool:
        """Release everything. False if an engine did not end within its share of the time."""
        self._timer.stop()
        self._next = None
        self._drop_candidate()
        if self._loop is not None:
            self._part_with_loop()
            self._timer.stop()
        return self._endings.close(timeout_s)

    def _connect(self, connection: Connection) -> None:
        self._drop_candidate()
        if self.session.engine.phase is EnginePhase.READY:
            self._try(connection, AtOnce())
        else:
            self._replace(connection)

    def _try(self, place: Place, look: Look) -> None:
        self._candidate = Candidate(place, self.settings.of(place), look, self._loops.make)
        self.perform(reducer.coming(self.session, self._candidate.coming()))
        self._timer.start(FRAME_MS)

    def _replace(self, place: Place) -> None:
        """Open a model once no other one is open."""
        if self._loop is not None:
            self._next = place
            self._end_loop()
        elif self._endings:
            self._next = place
            self.perform(reducer.closing(self.session, place.name))
        else:
            self._open(place)

    def _open(self, place: Place) -> None:
        self._begin(place)
        config = self.settings.opened_with = self.settings.of(place)
        self._loop = self._loops.make(place, config)
        self._loop.start()
        self._loop.post(WatchCache(bool(self._watching)))
        self._loop.post(WatchJournal(on=True))
        self._timer.start(FRAME_MS)

    def _begin(self, place: Place) -> None:
        """Make the model in a folder, or elsewhere, the current one."""
        self.settings.place = place
        self.perform(reducer.opening(self.session, place))

    def _apply(self, events: Iterable[Event]) -> None:
        changes: set[Change] = set()
        again = False
        for event in events:
            again |= isinstance(event, EngineFailed) and self._failed_with_remembered()
            outcome = reducer.apply(self.session, event)
            changes |= outcome.changes
            for command in outcome.commands:
                self._post(command)
            if isinstance(event, EngineReady) and self.settings.place is not None:
                self._previous = self.settings.place, self.settings.opened_with
                self.settings.succeeded()
            if isinstance(event, Tuned):
                self.settings.answered(event)
            if isinstance(event, EngineClosed) and self._loop is not None:
                self._loop.close(0)
                self._loop = None
                break
        if changes:
            self.changed.emit(frozenset(changes))
        if again and self.folder is not None:
            self._replace(self.folder)
            self.notify(_WITHOUT)

    def _failed_with_remembered(self) -> bool:
        """Whether a model that cannot be opened may be so because of remembered settings."""
        loading = self.session.engine.phase is EnginePhase.LOADING
        return loading and self.settings.failed()

    def _post(self, command: Command) -> None:
        if self._loop is not None:
            self._loop.post(command)
            self._timer.setInterval(FRAME_MS)

    def _end_loop(self) -> None:
        """Let the loop end in its own time; its last events no longer matter."""
        closed = tr("The model was closed before it answered.")
        failed = reducer.abandon(self.session, closed, waiting=False)
        self._part_with_loop()
        name = self._next.name if self._next is not None else ""
        self.perform(failed | reducer.closing(self.session, name))

    def _part_with_loop(self) -> None:
        assert self._loop is not None
        self._endings.add(self._loop)
        self._loop = None
        self._timer.start(FRAME_MS)

    def _take_endings(self) -> None:
        if not self._endings:
            return
        progress = self._endings.take()
        # An answer that was cut short keeps its last words, and the ids that continue it.
        self._apply(coalesce(self._endings.answers()))
        if progress is not None:
            self.perform(reducer.apply(self.session, progress))
        if not self._endings and self._next is not None and self._loop is None:
            place, self._next = self._next, None
            self._open(place)

    def _take_candidate(self) -> None:
        candidate = self._candidate
        if candidate is None:
            return
        candidate.take()
        if candidate.refusal:
            self._drop_candidate()
            place = candidate.place
            if isinstance(place, Path) and self.session.applied.give_up(str(place)):
                self.notify(_WITHOUT)
                asked_in = self.session.choosing
                self.open_model(place, follow=False)
                self.session.choosing = asked_in
                return
            self.perform(reducer.refused(self.session, place, candidate.refusal))
        elif (candidate.alone or candidate.ready) and self.session.writing:
            waits = candidate.coming(tr("waiting for the answer to finish"))
            self.perform(reducer.coming(self.session, waits))
        elif candidate.ready:
            self._take_over(candidate)
        elif candidate.alone:
            self._drop_candidate()
            self._replace(candidate.place)
        else:
            self.perform(reducer.coming(self.session, candidate.coming()))

    def _take_over(self, candidate: Candidate) -> None:
        """The new model is ready: the old one ends, writing its files in its own time."""
        self._candidate = None
        if self._loop is not None:
            self._part_with_loop()
        self._begin(candidate.place)
        self._loop, self.settings.opened_with = candidate.loop, candidate.config
        self._post(WatchCache(bool(self._watching)))
        self._post(WatchJournal(on=True))
        audited = self.settings.config.background_audit
        if candidate.config.background_audit != audited:
            self._post(AuditInBackground(audited))
        self._apply(candidate.events)

    def _drop_candidate(self) -> None:
        candidate, self._candidate = self._candidate, None
        if candidate is None:
            return
        if candidate.loop is not None:
            self._endings.add(candidate.loop)
        self.perform(reducer.coming(self.session, None))


def _kept_bytes(config: EngineConfig) -> int:
    """What models keep in files between two starts of the engine."""
    return config.disk_bytes if config.cache_dir is not None else 0
