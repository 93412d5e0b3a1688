"""Switching models: the open run loop, the one being opened, and those that are closing.

Each closing loop finishes writing in its own time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from app.core.folder_check import Found, Look, Looker
from app.core.loops import Loop, Loops
from app.core.model_settings import ModelSettings
from app.core.session.changes import Outcome
from app.core.session.coalesce import coalesce
from app.core.session.model import Session
from app.core.session.records import Coming, EnginePhase, Place
from app.core.words.tr import tr
from engine.commands import Close
from engine.config import EngineConfig
from engine.events import (
    ClosingProgress,
    EngineClosed,
    EngineFailed,
    EngineReady,
    Event,
    LoadProgress,
    RequestFailed,
    RequestFinished,
    TextDelta,
)
from engine.net.client.connection import Connection

# A loop without progress for this long is abandoned.
_PATIENCE_S = 60.0


@dataclass(slots=True)
class _Ending:
    loop: Loop
    since: float
    progress: ClosingProgress | None = None


class Endings:
    """Waits for loops to close, without blocking.

    A hanging loop must not keep the user from opening another model: it is abandoned, and ends
    only with the program.
    """

    def __init__(self) -> None:
        self._waiting: list[_Ending] = []
        self._given_up: list[Loop] = []
        self._answers: list[Event] = []

    def __bool__(self) -> bool:
        """Whether any loop is still pending."""
        return bool(self._waiting)

    def add(self, loop: Loop) -> None:
        """Ask a loop to close."""
        loop.post(Close())
        self._waiting.append(_Ending(loop, time.monotonic()))

    def take(self) -> ClosingProgress | None:
        """Release the closed ones; returns the write progress of the others, if they report any."""
        for ending in list(self._waiting):
            if self._over(ending):
                self._waiting.remove(ending)
        reported = [ending.progress for ending in self._waiting if ending.progress is not None]
        if not reported:
            return None
        return ClosingProgress(
            written=sum(progress.written for progress in reported),
            total=sum(progress.total for progress in reported),
        )

    def answers(self) -> list[Event]:
        """The final events of the answers that the loops were writing, since the last call."""
        finished, self._answers = self._answers, []
        return finished

    def close(self, timeout_s: float) -> bool:
        """Wait for all of them; False if one is still running."""
        loops = [*(ending.loop for ending in self._waiting), *self._given_up]
        self._waiting, self._given_up = [], []
        ended = [loop.close(timeout_s) for loop in loops]
        return all(ended)

    def _over(self, ending: _Ending) -> bool:
        for event in ending.loop.drain():
            if isinstance(event, EngineClosed):
                ending.loop.close(0)
                return True
            if isinstance(event, TextDelta | RequestFinished | RequestFailed):
                self._answers.append(event)
            elif isinstance(event, ClosingProgress):
                ending.progress = event
                ending.since = time.monotonic()
        if time.monotonic() - ending.since < _PATIENCE_S:
            return False
        self._given_up.append(ending.loop)
        return True


_WITHOUT = tr(
    "The model cannot be opened with the settings that What if applied earlier; "
    "it is opened with those of the start."
)
_GIVEN_UP = tr("Opening the other model was cancelled before this was answered.")


class Candidate:
    """A model that is checked first, then opened next to the open one if memory allows both.

    Attributes:
        place, config: the model and its settings.
        stage, fraction, total_bytes: its progress; see LoadProgress.
        refusal: why it cannot be opened, in one sentence; set once known.
        alone: it passed the checks, but the open model has to be closed first.
        loop: its run loop, once opening has begun.
        events: its events since it became ready, for the loop's new owner.
    """

    def __init__(
        self,
        place: Place,
        config: EngineConfig,
        look: Look,
        make: Callable[[Place, EngineConfig], Loop],
    ) -> None:
        """look: the check of the place; make: creates its loop."""
        self.place, self.config = place, config
        here = isinstance(place, Path)
        self.stage = tr("checking the folder") if here else tr("connecting")
        self.fraction: float | None = None
        self.total_bytes = 0
        self.refusal = ""
        self.alone = False
        self.loop: Loop | None = None
        self.events: list[Event] = []
        self._make = make
        self._look: Look | None = look

    def coming(self, stage: str = "") -> Coming:
        """What the window shows of it. `stage` overrides its progress."""
        if stage:
            return Coming(self.place.name, stage)
        return Coming(self.place.name, self.stage, self.fraction, self.total_bytes)

    @property
    def ready(self) -> bool:
        return bool(self.events)

    def take(self) -> None:
        """Advance as far as possible without blocking."""
        if self._look is not None:
            self._take_look(self._look)
        elif self.loop is not None:
            for event in self.loop.drain():
                self._take_event(event)

    def _take_look(self, look: Look) -> None:
        found = look.done()
        if found is None:
            return
        self._look = None
        self.refusal = found.problem
        self.alone = not found.beside
        if found.beside and not found.problem:
            self.loop = self._make(self.place, self.config)
            self.loop.start()

    def _take_event(self, event: Event) -> None:
        match event:
            case EngineFailed():
                self.refusal = event.sentence
            case EngineClosed():
                assert self.loop is not None
                self.loop.close(0)
                self.loop = None
                self.refusal = self.refusal or tr("The engine stopped before the model was open.")
            case LoadProgress():
                self.stage, self.fraction = event.stage, event.fraction
                self.total_bytes = event.total_bytes
            case _ if self.events or isinstance(event, EngineReady):
                self.events.append(event)


class AtOnce:
    """The check of a remote place, which finishes at once: it uses no local memory."""

    def done(self) -> Found:
        return Found(beside=True)


def held_bytes(session: Session) -> int:
    """Bytes that closing the open model would free."""
    model, snapshot = session.engine.model, session.cache.snapshot
    held = model.weight_bytes if model is not None else 0
    if snapshot is not None:
        held += snapshot.memory.kv_plane + snapshot.memory.state_plane
    return held


class Host(Protocol):
    """The owner of the open loop."""

    def perform(self, outcome: Outcome) -> None:
        """Execute the outcome of an action."""

    def notify(self, sentence: str) -> None:
        """Show a notice."""

    def apply(self, events: Iterable[Event]) -> None:
        """Apply events as if the open loop had sent them."""

    def greet(self) -> None:
        """Send a newly opened loop its startup commands."""

    def wake(self) -> None:
        """Start polling every frame."""


class Changeover:
    """Switches models; a usable one stays open until the next one has passed its checks.

    Attributes:
        loop: of the model that is open or opening; None if there is none.
    """

    def __init__(
        self, session: Session, settings: ModelSettings, loops: Loops, look: Looker, host: Host
    ) -> None:
        self._session, self._settings = session, settings
        self._loops, self._look, self._host = loops, look, host
        self.loop: Loop | None = None
        self._endings = Endings()
        self._candidate: Candidate | None = None
        self._next: Place | None = None
        # The last usable model, with its config.
        self._previous: tuple[Place, EngineConfig] | None = None

    @property
    def going_on(self) -> bool:
        """Whether another model is being opened, or one is closing."""
        return self._candidate is not None or bool(self._endings)

    @property
    def over(self) -> bool:
        """Whether nothing is running any more."""
        return self.loop is None and not self.going_on

    def to_folder(self, folder: Path) -> None:
        """Open the model in a folder.

        Reopening the same folder closes it first: it is known to be sound, and its cache files have
        one owner at a time.
        """
        self._drop_candidate()
        if self._ready and folder != self._settings.folder:
            look = self._look(folder, self._settings.of(folder), held_bytes(self._session))
            self._try(folder, look)
        else:
            self._replace(folder)

    def to_elsewhere(self, connection: Connection, make: Callable[[], Loop] | None = None) -> None:
        """Use an engine elsewhere; `make` creates its loop, needed the first time."""
        if make is not None:
            self._loops.learn(connection, make)
        self._drop_candidate()
        if self._ready:
            self._try(connection, AtOnce())
        else:
            self._replace(connection)

    def once_more(self) -> None:
        """Reopen the same folder, with the settings of the start."""
        if self._settings.folder is not None:
            self._replace(self._settings.folder)
            self._host.notify(_WITHOUT)

    def cancel(self) -> bool:
        """Cancel opening; True if the previous model is to be reopened."""
        if self._candidate is not None:
            self._drop_candidate()
            return False
        loading = self._session.engine.phase is EnginePhase.LOADING and self.loop is not None
        if not loading and self._next is None:
            return False
        given_up = self._next or self._settings.place
        tried, self._next = self._settings.give_up(), None
        if loading:
            self._part_with_loop()
        before = self._previous
        if before is None or (before[0] == given_up and not tried):
            self._host.perform(self._session.opening_cancelled())
            return False
        self._host.perform(self._session.opening_cancelled(_GIVEN_UP))
        return True

    @property
    def previous(self) -> tuple[Place, EngineConfig] | None:
        """The last usable model, with its config."""
        return self._previous

    def opened(self) -> None:
        """The open loop's model became usable."""
        if self._settings.place is not None:
            self._previous = self._settings.place, self._settings.opened_with
            self._settings.succeeded()

    def closed(self) -> None:
        """The open loop has closed."""
        if self.loop is not None:
            self.loop.close(0)
            self.loop = None

    def take(self) -> None:
        """Process one frame: advance what is closing and what is being opened."""
        self._take_endings()
        self._take_candidate()

    def leave(self) -> None:
        """Ask everything to close."""
        self._next = None
        self._drop_candidate()
        if self.loop is not None:
            self._part_with_loop()

    def wait(self, timeout_s: float) -> bool:
        """Wait for closing loops. False if one missed its share of the timeout."""
        return self._endings.close(timeout_s)

    @property
    def _ready(self) -> bool:
        return self._session.engine.phase is EnginePhase.READY

    def _try(self, place: Place, look: Look) -> None:
        self._candidate = Candidate(place, self._settings.of(place), look, self._loops.make)
        self._host.perform(self._session.show_coming(self._candidate.coming()))
        self._host.wake()

    def _replace(self, place: Place) -> None:
        """Open a model after closing all others."""
        if self.loop is not None:
            self._next = place
            self._end_loop()
        elif self._endings:
            self._next = place
            self._host.perform(self._session.closing(place.name))
        else:
            self._open(place)

    def _open(self, place: Place) -> None:
        self._begin(place)
        config = self._settings.opened_with = self._settings.of(place)
        self.loop = self._loops.make(place, config)
        self.loop.start()
        self._host.greet()
        self._host.wake()

    def _begin(self, place: Place) -> None:
        """Make the model at a place the current one."""
        self._settings.place = place
        self._host.perform(self._session.opening(place))

    def _end_loop(self) -> None:
        """Close the loop in the background; its last events no longer matter."""
        closed = tr("The model was closed before it answered.")
        failed = self._session.abandon(closed, waiting=False)
        self._part_with_loop()
        name = self._next.name if self._next is not None else ""
        self._host.perform(failed | self._session.closing(name))

    def _part_with_loop(self) -> None:
        assert self.loop is not None
        self._endings.add(self.loop)
        self.loop = None
        self._host.wake()

    def _take_endings(self) -> None:
        if not self._endings:
            return
        progress = self._endings.take()
        # A cut answer keeps its last text, and the ids needed to continue it.
        self._host.apply(coalesce(self._endings.answers()))
        if progress is not None:
            self._host.perform(self._session.apply(progress))
        if not self._endings and self._next is not None and self.loop is None:
            place, self._next = self._next, None
            self._open(place)

    def _take_candidate(self) -> None:
        candidate, session = self._candidate, self._session
        if candidate is None:
            return
        candidate.take()
        if candidate.refusal:
            self._refuse(candidate)
        elif (candidate.alone or candidate.ready) and session.writing:
            waits = candidate.coming(tr("waiting for the answer to finish"))
            self._host.perform(session.show_coming(waits))
        elif candidate.ready:
            self._take_over(candidate)
        elif candidate.alone:
            self._drop_candidate()
            self._replace(candidate.place)
        else:
            self._host.perform(session.show_coming(candidate.coming()))

    def _refuse(self, candidate: Candidate) -> None:
        """It cannot be opened: retry without the settings applied in What if, or give up."""
        self._drop_candidate()
        place = candidate.place
        if isinstance(place, Path) and self._session.applied.give_up(str(place)):
            self._host.notify(_WITHOUT)
            self.to_folder(place)
            return
        self._host.perform(self._session.refuse(place, candidate.refusal))

    def _take_over(self, candidate: Candidate) -> None:
        """The new model is ready: the old one closes in the background, writing its files."""
        self._candidate = None
        if self.loop is not None:
            self._part_with_loop()
        self._begin(candidate.place)
        self.loop, self._settings.opened_with = candidate.loop, candidate.config
        self._host.greet()
        self._host.apply(candidate.events)

    def _drop_candidate(self) -> None:
        candidate, self._candidate = self._candidate, None
        if candidate is None:
            return
        if candidate.loop is not None:
            self._endings.add(candidate.loop)
        self._host.perform(self._session.show_coming(None))
