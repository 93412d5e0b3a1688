"""The settings of models: those for every one, what was applied to each, what the open one has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from app.core.session.applied import SettingsChange
from app.core.session.model import Session
from app.core.session.records import EnginePhase, Place
from engine.commands import Tune
from engine.config import EngineConfig
from engine.events import Tuned
from engine.net.client.connection import Connection

# What the engine takes over between two requests.
_TUNABLE = frozenset({"interval", "decode_interval", "cache_bytes", "state_share"})


class ModelSettings:
    """Follows what the open model was asked to take over, until it has or the model is gone.

    Attributes:
        config: the settings of the start; each model has in addition what was applied to it.
        place: of the model that is open or opening, else of the last one; None before any.
        opened_with: the settings of the open loop.
        tunes: how many changes were asked for; the number of the last one.
        tuning: what What if has changed and the engine has not answered yet, with its number.
        trying: a model is being opened again with other settings, kept once it is ready.
    """

    def __init__(self, session: Session, config: EngineConfig) -> None:
        self.config = self.opened_with = config
        self.place: Place | None = None
        self.tunes = 0
        self.tuning: tuple[int, SettingsChange] | None = None
        self.trying = False
        self._session = session
        self._tuned_to: dict[int, tuple[str, Any]] = {}

    def of(self, place: Place) -> EngineConfig:
        """How a model is opened the next time."""
        return self._session.applied.config(str(place), self.config)

    @property
    def folder(self) -> Path | None:
        """Where that model is; None if it is elsewhere, or there is none."""
        return None if isinstance(self.place, Connection) else self.place

    @property
    def next(self) -> EngineConfig:
        """How that model is opened the next time."""
        return self.config if self.folder is None else self.of(self.folder)

    def own(self) -> Mapping[str, Any]:
        """What What if has set for that model, by the names of EngineConfig."""
        return {} if self.folder is None else self._session.applied.remembered(str(self.folder))

    def waiting(self) -> frozenset[str]:
        """The fields of its settings that the open model does not have yet."""
        if not self._open_here:
            return frozenset()
        wanted, has = self.next, self.opened_with
        return frozenset(
            one.name
            for one in fields(wanted)
            if getattr(wanted, one.name) != getattr(has, one.name)
        )

    def for_all(self, field: str) -> Tune | None:
        """What the open model is asked once `config` has another value; None: at its next start."""
        if not self._open_here:
            return None
        value = getattr(self.config, field)
        # A budget of 0 is chosen from the free memory, which is done while opening.
        chosen_then = field == "cache_bytes" and not value
        if field not in _TUNABLE or field in self.own() or chosen_then:
            return None
        self.tunes += 1
        self._tuned_to[self.tunes] = field, value
        return Tune(self.tunes, **{field: value})

    def for_this(self, change: SettingsChange) -> Tune:
        """What the open model is asked for a change of its own."""
        self.tunes += 1
        self.tuning = self.tunes, change
        return Tune(self.tunes, **change.fields)

    def answered(self, event: Tuned) -> None:
        """Settings that the engine took over are those of the model's next start, too."""
        if event.number in self._tuned_to:
            field, value = self._tuned_to.pop(event.number)
            if not event.sentence:
                self.opened_with = replace(self.opened_with, **{field: value})
        if self.tuning is not None and self.tuning[0] == event.number:
            change, self.tuning = self.tuning[1], None
            if not event.sentence:
                self._use(change)
                self.opened_with = replace(self.opened_with, **change.fields)
                self._session.applied.save()

    def try_with(self, change: SettingsChange) -> None:
        """The model is about to be opened with a change; one that takes another back is kept."""
        self._use(change)
        self.trying = not change.undo
        if change.undo:
            self._session.applied.save()

    def succeeded(self) -> None:
        """The model is ready: what was tried is kept."""
        if self.trying:
            self.trying = False
            self._session.applied.save()

    def give_up(self) -> bool:
        """Take back what is being tried; False if nothing is."""
        tried, self.trying = self.trying, False
        if tried:
            self._session.applied.undo(str(self.place))
        return tried

    def failed(self) -> bool:
        """Whether a model that cannot be opened may be so because of remembered settings."""
        return not self.give_up() and self._session.applied.give_up(str(self.place))

    @property
    def _open_here(self) -> bool:
        return self._session.engine.phase is EnginePhase.READY and self.folder is not None

    def _use(self, change: SettingsChange) -> None:
        applied = self._session.applied
        if change.undo:
            applied.undo(str(self.place))
        else:
            applied.apply(str(self.place), change.fields)
