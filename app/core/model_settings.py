"""The settings of models: the common ones, each model's own, and those of the open one."""

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

# Settings that the engine can change between two requests.
_TUNABLE = frozenset({"interval", "decode_interval", "cache_bytes", "state_share", "drafts"})


class ModelSettings:
    """Tracks the changes sent to the open model until it has answered or is closed.

    Attributes:
        config: the common settings; each model's own are applied on top.
        place: of the model that is open or opening, else of the last one; None before any.
        opened_with: the config of the open loop.
        tunes: number of changes sent; also the id of the last one.
        tuning: the pending change of What if, with its id.
        trying: a model is being reopened with a change, which is kept once it is ready.
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
        """The config for a model's next start."""
        return self._session.applied.config(str(place), self.config)

    @property
    def folder(self) -> Path | None:
        """The folder of the current model; None if it is remote, or there is none."""
        return None if isinstance(self.place, Connection) else self.place

    @property
    def next(self) -> EngineConfig:
        """The config for the current model's next start."""
        return self.config if self.folder is None else self.of(self.folder)

    def own(self) -> Mapping[str, Any]:
        """The current model's settings from What if, by EngineConfig field name."""
        return {} if self.folder is None else self._session.applied.remembered(str(self.folder))

    def waiting(self) -> frozenset[str]:
        """The fields that the open model has not adopted yet."""
        if not self._open_here:
            return frozenset()
        wanted, has = self.next, self.opened_with
        return frozenset(
            one.name
            for one in fields(wanted)
            if getattr(wanted, one.name) != getattr(has, one.name)
        )

    def for_all(self, field: str) -> Tune | None:
        """The command for the open model after `config` changed; None if it waits for a start."""
        if not self._open_here:
            return None
        value = getattr(self.config, field)
        # A budget of 0 is derived from the free memory when opening.
        chosen_then = field == "cache_bytes" and not value
        if field not in _TUNABLE or field in self.own() or chosen_then:
            return None
        self.tunes += 1
        self._tuned_to[self.tunes] = field, value
        return Tune(self.tunes, **{field: value})

    def for_this(self, change: SettingsChange) -> Tune:
        """The command for a change to the open model only."""
        self.tunes += 1
        self.tuning = self.tunes, change
        return Tune(self.tunes, **change.fields)

    def answered(self, event: Tuned) -> None:
        """Save the settings that the engine adopted for the model's next start."""
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
        """Prepare to reopen the model with a change; an undo is kept in any case."""
        self._use(change)
        self.trying = not change.undo
        if change.undo:
            self._session.applied.save()

    def succeeded(self) -> None:
        """The model is ready: keep the change being tried."""
        if self.trying:
            self.trying = False
            self._session.applied.save()

    def give_up(self) -> bool:
        """Revert the change being tried; False if there is none."""
        tried, self.trying = self.trying, False
        if tried:
            self._session.applied.undo(str(self.place))
        return tried

    def failed(self) -> bool:
        """Whether remembered settings may be why a model cannot be opened."""
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
