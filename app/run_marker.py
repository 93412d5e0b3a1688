"""A file that stands for a running window: one that is found without its process tells of a crash.

While it runs the process holds a lock on its file, which the system takes away with the process
itself. So neither a number that is given out again, nor another clock, nor a restart of the
computer can confuse anybody. What Python has to say of a crash goes into the same file.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import logging
import os
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

import psutil

try:
    import fcntl
except ImportError:
    # Not on Windows; there the process's number and start have to do.
    fcntl = None  # type: ignore[assignment]

PREFIX = "run-"
MOST_STACK_BYTES = 64 << 10
# How far the start of the same process may seem to move with the clock.
CLOCK_S = 2.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LostRun:
    """A run that did not come to its own end.

    Attributes:
        started: local time.
        stack: what Python wrote of its crash; "" where it was killed or the power went.
    """

    pid: int
    started: datetime
    stack: str


class RunMarker:
    """The marker of this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path: Path | None = None
        self._file: BinaryIO | None = None

    def begin(self) -> None:
        """Leave the marker; a crash report goes there from now on, or else to standard error."""
        path = self._folder / f"{PREFIX}{os.getpid()}-{time.time_ns()}"
        fresh = self._folder / f".{path.name}"
        try:
            descriptor = os.open(fresh, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
            self._file = os.fdopen(descriptor, "ab", buffering=0)
            # Under its own name only once it is whole and locked: who sees it may look at it.
            _lock(self._file)
            began = psutil.Process().create_time()
            head = {"pid": os.getpid(), "process_began": began, "started": time.time()}
            self._file.write(json.dumps(head).encode() + b"\n")
            fresh.rename(path)
            self._path = path
            faulthandler.enable(self._file)
        except (OSError, psutil.Error) as error:
            log.warning("No run marker could be written.", exc_info=error)
            report_to_stderr()

    def end(self) -> None:
        """The run came to its own end: take the marker away."""
        report_to_stderr()
        if self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink()
        if self._file is not None:
            self._file.close()
        self._path = self._file = None


def take_lost_runs(folder: Path) -> list[LostRun]:
    """The runs that ended before they were done, the oldest first; each is found only once."""
    found: list[LostRun] = []
    with contextlib.suppress(OSError):
        for path in sorted(folder.glob(f"{PREFIX}*")):
            with contextlib.suppress(OSError):
                run = _take(path)
                found += [] if run is None else [run]
    return sorted(found, key=lambda run: run.started)


def lost_sentence(lost: list[LostRun]) -> str:
    """What to say of them; "" where there are none."""
    if not lost:
        return ""
    where = "Help > Show log has the details."
    if len(lost) > 1:
        return f"The last {len(lost)} runs of Biplane ended unexpectedly; {where}"
    how = "crashed" if lost[0].stack else "ended unexpectedly"
    return f"The last run of Biplane {how} (started {lost[0].started:%d %B %Y, %H:%M}); {where}"


def _take(path: Path) -> LostRun | None:
    """The run of a marker whose process is gone, and the marker with it; None where it lives."""
    with path.open("r+b") as file:
        locked = _lock(file)
        head, _, rest = file.read(MOST_STACK_BYTES).partition(b"\n")
        try:
            told = json.loads(head)
            pid, began = int(told["pid"]), float(told["process_began"])
            started = datetime.fromtimestamp(float(told["started"]))
        except (ValueError, KeyError, TypeError, OverflowError):
            # Cut off by the same end: that there was a run is all it tells.
            pid, began, started = 0, 0.0, datetime.fromtimestamp(path.stat().st_mtime)
        if not (_is_gone(pid, began) if locked is None else locked):
            return None
        # Two that start at once may both have found it.
        path.unlink()
        return LostRun(pid, started, rest.decode(errors="replace").strip())


def _lock(file: BinaryIO) -> bool | None:
    """Whether the file is ours now; None where the system has no such locks."""
    if fcntl is None or sys.platform == "win32":
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _is_gone(pid: int, began: float) -> bool:
    """Whether no process has that number, or one that began at another time."""
    try:
        return abs(psutil.Process(pid).create_time() - began) > CLOCK_S
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False


def report_to_stderr() -> None:
    """Have crash reports written to the terminal, where there is one."""
    # Without a terminal, or where stderr is no real file, there is nobody to read a crash report.
    if sys.__stderr__ is not None:
        with contextlib.suppress(OSError, ValueError):
            faulthandler.enable(sys.__stderr__)
