"""A model that is to replace the open one, which stays open meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.folder_check import Found, Look
from app.loops import Loop
from app.session.model import Session
from app.session.records import Coming, Place
from app.words.tr import tr
from engine.config import EngineConfig
from engine.events import EngineClosed, EngineFailed, EngineReady, Event, LoadProgress


class Candidate:
    """Checked first; opened next to the open model where memory allows both.

    Attributes:
        place, config: what to open, and how.
        stage, fraction, total_bytes: its progress; see LoadProgress.
        refusal: why it cannot be opened, once that is known; one sentence.
        alone: it is sound, but the open model has to be closed first.
        loop: its run loop, once it is being opened.
        events: its events since it became ready, for whoever takes over the loop.
    """

    def __init__(
        self,
        place: Place,
        config: EngineConfig,
        look: Look,
        make: Callable[[Place, EngineConfig], Loop],
    ) -> None:
        """look: at the place, as far as it is needed; make: its loop."""
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
        """What the window shows of it; `stage`: instead of its progress."""
        if stage:
            return Coming(self.place.name, stage)
        return Coming(self.place.name, self.stage, self.fraction, self.total_bytes)

    @property
    def ready(self) -> bool:
        return bool(self.events)

    def take(self) -> None:
        """Advance as far as possible without waiting."""
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
    """The look at a place elsewhere is over when it begins: it takes no memory here."""

    def done(self) -> Found:
        return Found(beside=True)


def held_bytes(session: Session) -> int:
    """Bytes that closing the open model would free."""
    model, snapshot = session.engine.model, session.snapshot
    held = model.weight_bytes if model is not None else 0
    if snapshot is not None:
        held += snapshot.memory.kv_plane + snapshot.memory.state_plane
    return held
