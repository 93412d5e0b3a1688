"""The measurement of this machine that `biplane bench quick` left for the window."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from engine.machine_speed import MachineSpeed, kept


def speed_file() -> Path:
    """Its file, in the user's cache folder: it may be lost and measured again."""
    return platformdirs.user_cache_path("biplane", appauthor=False) / "machine_speed.json"


def kept_speed() -> MachineSpeed | None:
    """The last measurement; None if there is none. Reads at most 64 KiB."""
    return kept(speed_file())
