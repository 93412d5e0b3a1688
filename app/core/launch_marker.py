"""A file that marks a running window: one found without its process means a crash.

While running, the process holds a lock on its file, which the system releases with the process. So
a reused process id, a changed clock or a reboot cannot cause confusion. Python's crash report goes
into the same file.
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

from app.core.words.format import moment
from app.core.words.tr import tr

try:
    import fcntl
except ImportError:
    # Not on Windows; the process id and start time are used there.
    fcntl = None  # type: ignore[assignment]

PREFIX = "run-"
MOST_STACK_BYTES = 64 << 10
# Tolerance for a process's apparent start time, which shifts with the clock.
CLOCK_S = 2.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LostLaunch:
    """A run that ended unexpectedly.

    Attributes:
        started: local time.
        stack: Python's crash report; "" if it was killed or the power failed.
    """

    pid: int
    started: datetime
    stack: str


class LaunchMarker:
    """The marker of this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path: Path | None = None
        self._file: BinaryIO | None = None

    def begin(self) -> None:
        """Write the marker; crash reports go to its file from now on, else to standard error."""
        path = self._folder / f"{PREFIX}{os.getpid()}-{time.time_ns()}"
        fresh = self._folder / f".{path.name}"
        try:
            descriptor = os.open(fresh, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
            self._file = os.fdopen(descriptor, "ab", buffering=0)
            # Renamed once it is complete and locked, as other processes may inspect it.
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
        """The run ended normally: remove the marker."""
        report_to_stderr()
        if self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink()
        if self._file is not None:
            self._file.close()
        self._path = self._file = None


def take_lost_launches(folder: Path) -> list[LostLaunch]:
    """The runs that ended unexpectedly, oldest first; each is returned only once."""
    found: list[LostLaunch] = []
    with contextlib.suppress(OSError):
        for path in sorted(folder.glob(f"{PREFIX}*")):
            with contextlib.suppress(OSError):
                run = _take(path)
                found += [] if run is None else [run]
    return sorted(found, key=lambda run: run.started)


def is_running(path: Path) -> bool:
    """Whether the marker's process is alive."""
    try:
        with path.open("r+b") as file:
            locked = _lock(file)
            raw = json.loads(file.readline(MOST_STACK_BYTES))
            pid, began = int(raw["pid"]), float(raw["process_began"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return False
    return not _is_gone(pid, began) if locked is None else not locked


def lost_sentence(lost: list[LostLaunch]) -> str:
    """The notice about these runs; "" if there are none."""
    if not lost:
        return ""
    where = tr("Help > Show log has the details.")
    if len(lost) > 1:
        return tr("The last {lost} runs of Biplane ended unexpectedly; {where}").format(
            lost=len(lost), where=where
        )
    how = tr("crashed") if lost[0].stack else tr("ended unexpectedly")
    return tr("The last run of Biplane {how} (started {started}); {where}").format(
        how=how, started=moment(lost[0].started), where=where
    )


def _take(path: Path) -> LostLaunch | None:
    """Remove a dead process's marker and return its run; None if it is alive."""
    with path.open("r+b") as file:
        locked = _lock(file)
        head, _, rest = file.read(MOST_STACK_BYTES).partition(b"\n")
        try:
            raw = json.loads(head)
            pid, began = int(raw["pid"]), float(raw["process_began"])
            started = datetime.fromtimestamp(float(raw["started"]))
        except (ValueError, KeyError, TypeError, OverflowError):
            # Truncated by the crash: it only proves that there was a run.
            pid, began, started = 0, 0.0, datetime.fromtimestamp(path.stat().st_mtime)
        if not (_is_gone(pid, began) if locked is None else locked):
            return None
        # Another window that started at the same time may have removed it.
        path.unlink()
        return LostLaunch(pid, started, rest.decode(errors="replace").strip())


def _lock(file: BinaryIO) -> bool | None:
    """Whether we now hold the lock; None if the system has no such locks."""
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
    """Whether no process has that id and start time."""
    try:
        return abs(psutil.Process(pid).create_time() - began) > CLOCK_S
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False


def report_to_stderr() -> None:
    """Write crash reports to the terminal, if there is one."""
    # Without a terminal, or if stderr is not a real file, a crash report would be lost.
    if sys.__stderr__ is not None:
        with contextlib.suppress(OSError, ValueError):
            faulthandler.enable(sys.__stderr__)
