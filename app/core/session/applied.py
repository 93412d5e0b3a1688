"""Per-model settings applied in What if, saved for the model's next start. Without Qt."""

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

# Names of the EngineConfig fields that can be applied.
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
    """Next to the file that stores the window's geometry."""
    return window_file.with_name(_NAME)


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """Settings of the open model to change.

    Attributes:
        fields: by EngineConfig field name.
        reopen: some of them require reopening the model.
        undo: this reverts the last change.
    """

    fields: Values
    reopen: bool
    undo: bool = False


@dataclass(frozen=True, slots=True)
class _Known:
    """One model's values, and the names of those applied in this run."""

    values: Values = field(default_factory=dict)
    fresh: frozenset[str] = frozenset()


class Applied:
    """The applied settings of all models, by folder.

    Attributes:
        fixed: fields given on the command line, which override values from earlier runs.
    """

    def __init__(self, path: Path | None = None, fixed: frozenset[str] = frozenset()) -> None:
        """path: the file; None keeps settings for this run only."""
        self.fixed = fixed
        self._path = path
        self._known = {} if path is None else _load(path)
        self._former: dict[str, list[_Known]] = {}
        self._unusable: set[str] = set()

    def remembered(self, folder: str) -> Values:
        """The values for the next start of a model."""
        return self._of(folder).values

    def overruled(self, folder: str) -> frozenset[str]:
        """Remembered fields that the command line overrides in this run."""
        known = self._of(folder)
        return (frozenset(known.values) & self.fixed) - known.fresh

    def config(self, folder: str, config: EngineConfig) -> EngineConfig:
        """The start's config with a model's applied settings."""
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
        # Reinserted, so that the most recently applied model comes last.
        self._known.pop(folder, None)
        self._known[folder] = changed

    def undo(self, folder: str) -> None:
        """Revert to the values before the last `apply`."""
        former = self._former.get(folder)
        if former:
            self._known[folder] = former.pop()

    def give_up(self, folder: str) -> bool:
        """Ignore earlier runs' values for a model that failed to open; False if there were none."""
        known = self._of(folder)
        used = frozenset(known.values) - known.fresh - self.overruled(folder)
        if not used or folder in self._unusable:
            return False
        self._unusable.add(folder)
        return True

    def save(self) -> None:
        """Write the file atomically; a failure is ignored."""
        if self._path is None:
            return
        kept = [(folder, dict(known.values)) for folder, known in self._known.items()]
        models = dict([one for one in kept if one[1]][-_MOST_MODELS:])
        # A path that is not valid Unicode, which Linux allows, cannot be written.
        with contextlib.suppress(OSError, ValueError):
            write_whole(self._path, json.dumps({"models": models}, indent=1) + "\n")

    def _of(self, folder: str) -> _Known:
        return self._known.get(folder, _Known())


def _load(path: Path) -> dict[str, _Known]:
    """The readable part of the file; a missing one counts as empty."""
    models = read_object(path).get("models")
    if not isinstance(models, dict):
        return {}
    return {folder: _Known(_sound(values)) for folder, values in models.items()}


def _sound(raw: object) -> Values:
    """The entries with a known name and a valid value."""
    found = raw if isinstance(raw, dict) else {}
    return {name: value for name, value in found.items() if name in NAMES and _valid(name, value)}


def _valid(name: str, value: Any) -> bool:
    try:
        replace(EngineConfig(), **{name: value})
    except CacheError:
        return False
    return True
