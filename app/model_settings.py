"""The settings of models: those for every one, what was applied to each, what the open one has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from app.session.applied import SettingsChange
from app.session.model import Session
from app.session.records import Place
from engine.commands import Tune
from engine.config import EngineConfig
from engine.events import Tuned

# What the engine takes over between two requests.
_TUNABLE = frozenset({"interval", "decode_interval", "cache_bytes", "state_share"})


class ModelSettings:
    """Follows what the open model was asked to take over, until it has or the model is gone.

    Attributes:
        config: the settings of the start; each model has in addition what was applied to it.
        opened_with: the settings of the open loop.
        tunes: how many changes were asked for; the number of the last one.
        tuning: what What if has changed and the engine has not answered yet, with its number.
        trying: a model is being opened again with other settings, kept once it is ready.
    """

    def __init__(self, session: Session, config: EngineConfig) -> None:
        self.config = self.opened_with = config
        self.tunes = 0
        self.tuning: tuple[int, SettingsChange] | None = None
        self.trying = False
        self._session = session
        self._tuned_to: dict[int, tuple[str, Any]] = {}

    def of(self, place: Place) -> EngineConfig:
        """How a model is opened the next time."""
        return self._session.applied.config(str(place), self.config)

    def own(self, place: Place) -> Mapping[str, Any]:
        """What What if has set for a model, by the names of EngineConfig."""
        return self._session.applied.remembered(str(place))

    def waiting(self, place: Place) -> frozenset[str]:
        """The fields of its settings that the open model, which is at `place`, does not have."""
        wanted, has = self.of(place), self.opened_with
        return frozenset(
            one.name
            for one in fields(wanted)
            if getattr(wanted, one.name) != getattr(has, one.name)
        )

    def for_all(self, field: str, place: Place) -> Tune | None:
        """What the open model is asked once `config` has another value; None: at its next start."""
        value = getattr(self.config, field)
        # A budget of 0 is chosen from the free memory, which is done while opening.
        chosen_then = field == "cache_bytes" and not value
        if field not in _TUNABLE or field in self.own(place) or chosen_then:
            return None
        self.tunes += 1
        self._tuned_to[self.tunes] = field, value
        return Tune(self.tunes, **{field: value})

    def for_this(self, change: SettingsChange) -> Tune:
        """What the open model is asked for a change of its own."""
        self.tunes += 1
        self.tuning = self.tunes, change
        return Tune(self.tunes, **change.fields)

    def answered(self, event: Tuned, place: Place | None) -> None:
        """Settings that the engine took over are those of the model's next start, too."""
        if event.number in self._tuned_to:
            field, value = self._tuned_to.pop(event.number)
            if not event.sentence:
                self.opened_with = replace(self.opened_with, **{field: value})
        if self.tuning is not None and self.tuning[0] == event.number:
            change, self.tuning = self.tuning[1], None
            if not event.sentence:
                self._use(change, place)
                self.opened_with = replace(self.opened_with, **change.fields)
                self._session.applied.save()

    def try_with(self, change: SettingsChange, place: Place) -> None:
        """The model is about to be opened with a change; one that takes another back is kept."""
        self._use(change, place)
        self.trying = not change.undo
        if change.undo:
            self._session.applied.save()

    def succeeded(self) -> None:
        """The model is ready: what was tried is kept."""
        if self.trying:
            self.trying = False
            self._session.applied.save()

    def give_up(self, place: Place | None) -> bool:
        """Take back what is being tried; False if nothing is."""
        tried, self.trying = self.trying, False
        if tried:
            self._session.applied.undo(str(place))
        return tried

    def failed(self, place: Place | None) -> bool:
        """Whether a model that cannot be opened may be so because of remembered settings."""
        return not self.give_up(place) and self._session.applied.give_up(str(place))

    def _use(self, change: SettingsChange, place: Place | None) -> None:
        applied = self._session.applied
        if change.undo:
            applied.undo(str(place))
        else:
            applied.apply(str(place), change.fields)
