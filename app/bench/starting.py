"""How long a fresh process takes until its window can be used."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from app.bench.figure import Figure, figure
from engine.errors import BiplaneError

START_S = 1.5
_TIMEOUT_S = 120.0


def start_figure(runs: int) -> Figure:
    """The first start warms the disk's cache and is not counted. Raises BiplaneError."""
    _start_s()
    times = [_start_s() for _ in range(runs)]
    return figure("start", "start to usable window, warm", times, START_S, unit="s")


def _start_s() -> float:
    """One start, with the conversations of nobody; seconds until a key arrives in the composer."""
    root = Path(__file__).parents[2]
    known = os.environ.get("PYTHONPATH", "")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (str(root), known)))}
    command = [sys.executable, "-m", "app.bench.start_probe", repr(time.monotonic())]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=_TIMEOUT_S, env=environment, check=False
    )
    if done.returncode or not done.stdout.strip():
        raise BiplaneError(f"The window did not start: {done.stderr.strip()[-300:]}")
    return float(done.stdout.split()[-1])
