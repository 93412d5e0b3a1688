"""Starts the window: crash reports first, then the garbage collector's rules, Qt, the window, and
last the engine, which loads behind it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import sys
from typing import TYPE_CHECKING

from app.options import Options, parse
from app.plain_window import tell
from app.preflight import desktop_problem

if TYPE_CHECKING:
    from app.loops import LoopFactory

SWITCH_INTERVAL_S = 0.001


def main(argv: list[str] | None = None) -> int:
    """Run the window; returns the exit code."""
    return start(parse(argv))


def start(options: Options, factory: LoopFactory | None = None) -> int:
    """Run the window with parsed options. `factory` makes the run loop (tests put in a fake)."""
    # Without a terminal, or where stderr is no real file, there is nobody to read a crash report.
    with contextlib.suppress(AttributeError, OSError, ValueError):
        faulthandler.enable()
    # Python hands over between threads 5 ms late by default: too late for a frame.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    problem = desktop_problem()
    if problem:
        tell(problem)
        return 2
    from app.run import run

    return run(options, factory)
