"""Measures this machine in the background, in a process of its own that gives way to answers."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

# How long nothing has to happen before it begins; and after how many tries it is given up.
IDLE_MS, _MOST_TRIES = 20_000, 5
_END_MS = 3000


def command() -> list[str]:
    """`biplane bench quick`, at the lowest priority where there is one."""
    nice = ["nice", "-n", "19"] if shutil.which("nice") else []
    return [*nice, sys.executable, "-m", "app.cli", "bench", "quick", "--json"]


class Measuring(QObject):
    """Runs the measurement once the program is idle, and stops it when an answer begins.

    Signals:
        changed: it began, or ended; the result is in the file that the command keeps.
    """

    changed = Signal()

    def __init__(
        self, parent: QObject, argv: Sequence[str] | None = None, idle_ms: int = IDLE_MS
    ) -> None:
        super().__init__(parent)
        self._argv = list(argv) if argv is not None else command()
        self._wanted, self._busy, self._tries = False, False, 0
        self._process: QProcess | None = None
        # What it generates would stay behind when it is stopped.
        self._made = ""
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.setInterval(idle_ms)
        self._idle.timeout.connect(self._begin)

    @property
    def running(self) -> bool:
        return self._process is not None

    def want(self, *, now: bool = False) -> None:
        """Measure when nothing else happens, or at once unless an answer is being written."""
        self._wanted, self._tries = True, 0
        if now and not self._busy:
            self._begin()
        elif not self._busy and not self.running and not self._idle.isActive():
            self._idle.start()

    def show_busy(self, busy: bool) -> None:
        """The model is at work, or is no more."""
        if busy == self._busy:
            return
        self._busy = busy
        if busy:
            self._idle.stop()
            self._stop()
        elif self._wanted:
            self._idle.start()

    def close(self) -> None:
        """End it for good."""
        self._wanted = False
        self._idle.stop()
        self._stop()

    def _begin(self) -> None:
        if self._process is not None or self._busy or not self._wanted:
            return
        self._tries += 1
        self._process = QProcess(self)
        self._process.finished.connect(self._ended)
        self._process.errorOccurred.connect(self._failed)
        self._process.setStandardOutputFile(QProcess.nullDevice())
        self._process.setStandardErrorFile(QProcess.nullDevice())
        self._made = tempfile.mkdtemp(prefix="biplane-measuring-")
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("TMPDIR", self._made)
        self._process.setProcessEnvironment(environment)
        self._process.start(self._argv[0], self._argv[1:])
        self.changed.emit()

    def _ended(self, code: int, _status: QProcess.ExitStatus) -> None:
        if self._process is None:
            return
        self._part()
        self._clean()
        if code == 0 or self._tries >= _MOST_TRIES:
            self._wanted = False
        self.changed.emit()

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and self._process is not None:
            self._part()
            self._clean()
            self._wanted = False
            self.changed.emit()

    def _clean(self) -> None:
        shutil.rmtree(self._made, ignore_errors=True)

    def _stop(self) -> None:
        process = self._process
        if process is not None:
            self._part()
            process.kill()
            process.waitForFinished(_END_MS)
            self._clean()
            self.changed.emit()

    def _part(self) -> None:
        assert self._process is not None
        self._process.finished.disconnect(self._ended)
        self._process.errorOccurred.disconnect(self._failed)
        self._process.deleteLater()
        self._process = None
