"""Settings that were applied in What if, for each model, kept for its next start. Without Qt."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.config import EngineConfig
from engine.errors import CacheError
from engine.private_files import read_object, write_whole

# What can be applied, by the names of EngineConfig.
NAMES = frozenset(
    {
        "interval",
        "decode_interval",
        "cache_bytes",
        "state_share",
        "host_bytes",
        "disk_bytes",
        "policy",
        "mode",
    }
)
_NAME = "cache.json"
_MOST_MODELS = 32
Values = Mapping[str, Any]

log = logging.getLogger(__name__)


def applied_file(window_file: Path) -> Path:
    """Beside the file in which the window remembers its place."""
    return window_file.with_name(_NAME)


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """Settings of the open model to change.

    Attributes:
        fields: by the names of EngineConfig.
        reopen: for some of them the model has to be opened again.
        undo: it takes the last change back.
    """

    fields: Values
    reopen: bool
    undo: bool = False


@dataclass(frozen=True, slots=True)
class _Known:
    """Of one model: what to use, and which of it was applied in this run."""

    values: Values = field(default_factory=dict)
    fresh: frozenset[str] = frozenset()


class Applied:
    """Of all models, by folder.

    Attributes:
        fixed: fields that the command line names; it goes before what an earlier run applied.
    """

    def __init__(self, path: Path | None = None, fixed: frozenset[str] = frozenset()) -> None:
        """`path`: of the file; None remembers for this run only."""
        self.fixed = fixed
        self._path = path
        self._known = {} if path is None else _load(path)
        self._former: dict[str, list[_Known]] = {}
        self._unusable: set[str] = set()

    def remembered(self, folder: str) -> Values:
        """What the next start of a model uses."""
        return self._of(folder).values

    def overruled(self, folder: str) -> frozenset[str]:
        """What of it this run does not use, because the command line says otherwise."""
        known = self._of(folder)
        return (frozenset(known.values) & self.fixed) - known.fresh

    def config(self, folder: str, config: EngineConfig) -> EngineConfig:
        """The settings of the start, with what applies to a model."""
        known = self._of(folder)
        left_out = self.overruled(folder)
        if folder in self._unusable:
            left_out |= frozenset(known.values) - known.fresh
        used = {name: value for name, value in known.values.items() if name not in left_out}
        try:
            return replace(config, **used)
        except CacheError:
            log.warning("The remembered settings of a model are invalid; they are ignored.")
            return config

    def apply(self, folder: str, values: Values) -> None:
        """Use other values from now on; `save` remembers them."""
        assert values.keys() <= NAMES, "nothing else can be applied"
        known = self._of(folder)
        self._former.setdefault(folder, []).append(known)
        changed = _Known({**known.values, **values}, known.fresh | values.keys())
        # The last one is the one that was applied last.
        self._known.pop(folder, None)
        self._known[folder] = changed

    def undo(self, folder: str) -> None:
        """Use what was used before the last `apply`."""
        former = self._former.get(folder)
        if former:
            self._known[folder] = former.pop()

    def give_up(self, folder: str) -> bool:
        """A model cannot be opened: use nothing of an earlier run for it; False if nothing was."""
        known = self._of(folder)
        used = frozenset(known.values) - known.fresh - self.overruled(folder)
        if not used or folder in self._unusable:
            return False
        self._unusable.add(folder)
        return True

    def save(self) -> None:
        """Write the file atomically; failing to is not worth an error."""
        if self._path is None:
            return
        kept = [(folder, dict(known.values)) for folder, known in self._known.items()]
        models = dict([one for one in kept if one[1]][-_MOST_MODELS:])
        # A name that is no text, which Linux allows, cannot be written.
        with contextlib.suppress(OSError, ValueError):
            write_whole(self._path, json.dumps({"models": models}, indent=1) + "\n")

    def _of(self, folder: str) -> _Known:
        return self._known.get(folder, _Known())


def _load(path: Path) -> dict[str, _Known]:
    """What can be read of the file; a missing one counts as none."""
    models = read_object(path).get("models")
    if not isinstance(models, dict):
        return {}
    return {folder: _Known(_sound(values)) for folder, values in models.items()}


def _sound(raw: object) -> Values:
    """The values that are valid, each for its own field."""
    found = raw if isinstance(raw, dict) else {}
    return {name: value for name, value in found.items() if name in NAMES and _valid(name, value)}


def _valid(name: str, value: Any) -> bool:
    try:
        replace(EngineConfig(), **{name: value})
    except CacheError:
        return False
    return True
