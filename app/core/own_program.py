"""How this program starts itself again, as a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from app.core.words.language import current

# The language in which a command that a window starts is to answer: terminals get English.
LANGUAGE = "BIPLANE_WINDOW_LANGUAGE"
_ROOT = Path(__file__).resolve().parents[2]


def own_command(*arguments: str) -> list[str]:
    """The command line of `biplane ARGUMENTS` with this very program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *arguments]
    return [sys.executable, "-m", "app.cli.main", *arguments]


def own_environment() -> dict[str, str]:
    """The environment in which that command finds this process's packages, and its language."""
    known = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    paths = [str(_ROOT), *(path for path in known if path)]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)),
        LANGUAGE: current(),
    }
