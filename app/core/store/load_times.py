"""How long each model took to open, and the measurement of this machine: files that may be lost."""

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
    """Its file, in the user's cache folder: it may be lost and measured again."""
    return platformdirs.user_cache_path("biplane", appauthor=False) / "machine_speed.json"


def kept_speed() -> MachineSpeed | None:
    """The last measurement; None if there is none. Reads at most 64 KiB."""
    return kept(speed_file())


def load_times_file() -> Path:
    """The user's file."""
    return platformdirs.user_cache_path("biplane", appauthor=False) / "load-times.json"


class LoadTimes:
    """Seconds by model folder, the last one measured last."""

    def __init__(self, path: Path | None = None) -> None:
        """path: None remembers for this run only."""
        self._path = path
        self._seconds = {} if path is None else _load(path)

    def of(self, folder: str) -> float | None:
        """Seconds that opening it took the last time; None if it was never opened."""
        return self._seconds.get(folder)

    def add(self, folder: str, seconds: float) -> None:
        """It was opened once more. Failing to remember that is not worth an error."""
        if not 0 < seconds < _LONGEST_S:
            return
        self._seconds.pop(folder, None)
        self._seconds[folder] = round(seconds, 3)
        while len(self._seconds) > _MOST:
            del self._seconds[next(iter(self._seconds))]
        if self._path is None:
            return
        # A name that is no text, which Linux allows, cannot be written.
        with contextlib.suppress(OSError, ValueError):
            write_whole(self._path, json.dumps({"seconds": self._seconds}, indent=1) + "\n")


def _load(path: Path) -> dict[str, float]:
    """What can be read of the file; a missing or damaged one counts as none."""
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
