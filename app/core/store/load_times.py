"""Caches of each model's load time and of this machine's measured speed."""

from __future__ import annotations

import contextlib
import json
import math
from pathlib import Path

import platformdirs

from engine.machine_speed import MachineSpeed, kept
from engine.private_files import read_object, write_whole

_MOST = 64
_LONGEST_S = 86_400.0


def speed_file() -> Path:
    """The path of the measurement, in the user's cache folder: it can be measured again."""
    return platformdirs.user_cache_path("biplane", appauthor=False) / "machine_speed.json"


def kept_speed() -> MachineSpeed | None:
    """The last measurement; None if there is none. Reads at most 64 KiB."""
    return kept(speed_file())


def load_times_file() -> Path:
    """The path of the user's file."""
    return platformdirs.user_cache_path("biplane", appauthor=False) / "load-times.json"


class LoadTimes:
    """Seconds by model folder, most recent last."""

    def __init__(self, path: Path | None = None) -> None:
        """path: None keeps them for this run only."""
        self._path = path
        self._seconds = {} if path is None else _load(path)

    def of(self, folder: str) -> float | None:
        """The last load time in seconds; None if the model was never opened."""
        return self._seconds.get(folder)

    def add(self, folder: str, seconds: float) -> None:
        """Record a load time and save the file; a failure is ignored."""
        if not 0 < seconds < _LONGEST_S:
            return
        self._seconds.pop(folder, None)
        self._seconds[folder] = round(seconds, 3)
        while len(self._seconds) > _MOST:
            del self._seconds[next(iter(self._seconds))]
        if self._path is None:
            return
        # A path that is not valid Unicode, which Linux allows, cannot be written.
        with contextlib.suppress(OSError, ValueError):
            write_whole(self._path, json.dumps({"seconds": self._seconds}, indent=1) + "\n")


def _load(path: Path) -> dict[str, float]:
    """The readable part of the file; a missing or damaged one counts as empty."""
    found = read_object(path).get("seconds")
    if not isinstance(found, dict):
        return {}
    return {
        folder: float(value)
        for folder, value in found.items()
        if isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and 0 < value < _LONGEST_S
    }
