"""The settings at run time: saved values, effective values and change listeners.

Without Qt. Used by one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.core.preferences.file import Read, read, write
from app.core.preferences.table import ENGINE, SPECS, Spec
from app.core.words.tr import tr
from engine.config import EngineConfig
from engine.errors import CacheError

Listener = Callable[[str], object]


class Book:
    """Every setting, with the command line's overrides for this run.

    Attributes:
        saved: what the user set.
        started: the saved values at startup, effective until the next one for some settings.
        overruled: the command line's values, by name.
        sentence: a problem with the file; "" if there was none.
    """

    def __init__(
        self,
        path: Path | None = None,
        overruled: Mapping[str, Any] | None = None,
        content: Read | None = None,
    ) -> None:
        """path: the file; None keeps the settings for this run only.

        content: the file's content, if it has been read already.
        """
        self.path = path
        self.overruled = dict(overruled or {})
        assert self.overruled.keys() <= SPECS.keys(), "only settings can be overruled"
        content = content or (read(path) if path is not None else Read())
        self.sentence = content.sentence
        self.saved = self.started = content.preferences
        self._raw = content.raw
        self._set = set(content.values)
        self._listeners: list[Listener] = []

    def now(self, name: str) -> Any:
        """The effective value: the command line's, else the saved one."""
        return self.overruled.get(name, getattr(self.saved, name))

    def is_default(self, name: str) -> bool:
        return bool(getattr(self.saved, name) == SPECS[name].default)

    def is_set(self, name: str) -> bool:
        """Whether the user has ever set it, even to the default."""
        return name in self._set

    def waits(self, name: str) -> bool:
        """Whether a change only takes effect at the next start."""
        changed = getattr(self.saved, name) != getattr(self.started, name)
        return SPECS[name].effect == "start" and changed

    def saved_as(self, name: str, value: Any) -> bool:
        """Whether the stored value is this one, on disk or not."""
        return bool(getattr(self.saved, name) == value)

    def listen(self, listener: Listener) -> None:
        """Register a callback for the name of each setting that changes."""
        self._listeners.append(listener)

    def set(self, name: str, value: Any) -> str:
        """Change a setting and save it. Returns what is wrong, as the end of a sentence, else "".

        Drops the command line's override, so that the change takes effect.
        """
        try:
            value = _check(SPECS[name], value)
        except ValueError as error:
            return str(error)
        if value == getattr(self.saved, name) and name not in self.overruled:
            return ""
        if SPECS[name].effect != "start":
            self.overruled.pop(name, None)
        self.saved = replace(self.saved, **{name: value})
        self._set.add(name)
        return self._keep(name, value)

    def reset(self, name: str) -> str:
        """Restore the default; returns the same as `set`."""
        spec = SPECS[name]
        if self.is_default(name):
            return ""
        self.saved = replace(self.saved, **{name: spec.default})
        self._set.discard(name)
        return self._keep(name, None)

    def adopt(self, values: Mapping[str, Any]) -> None:
        """Take over settings from an earlier version's file, unless they are set here."""
        for name, value in values.items():
            if not self.is_set(name) and value != SPECS[name].default:
                self.set(name, value)
        self.started = self.saved

    def config(self, config: EngineConfig) -> EngineConfig:
        """A config of the start with the saved settings.

        If the engine rejects the combination, the start's config is returned.
        """
        wanted = {field: self.now(name) for field, name in ENGINE.items()}
        try:
            return replace(config, **wanted)
        except CacheError:
            return config

    def _keep(self, name: str, value: Any) -> str:
        """Write a value, None for the default, and notify listeners; returns the same as `set`."""
        problem = ""
        if self.path is not None:
            try:
                write(self.path, {name: value}, self._raw)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                problem = tr("cannot be saved ({reason})").format(reason=reason)
        for listener in tuple(self._listeners):
            listener(name)
        return problem


def _check(spec: Spec, value: Any) -> Any:
    """Validate a value. Raises ValueError."""
    value = spec.kind.check(value)
    if spec.engine:
        try:
            replace(EngineConfig(), **{spec.engine: value})
        except CacheError as error:
            raise ValueError(str(error)) from None
    return value
