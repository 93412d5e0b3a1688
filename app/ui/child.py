"""A command in a process of its own, so that its crash is only an answer here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, QProcess, Signal

_END_MS = 3000


class Child(QObject):
    """At most one process at a time.

    Attributes:
        process: the one that runs; None before and after.
        output, errors: what the last one has written so far.

    Signals:
        told: it wrote something.
        ended(int): it ended by itself, with this code; everything it wrote is there.
        unstarted: it could not be started.
    """

    told = Signal()
    ended = Signal(int)
    unstarted = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.process: QProcess | None = None
        self.output = self.errors = b""

    @property
    def running(self) -> bool:
        return self.process is not None

    def start(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        assert self.process is None, "one at a time"
        self.output = self.errors = b""
        process = self.process = QProcess(self)
        process.setEnvironment([f"{name}={value}" for name, value in environment.items()])
        process.readyReadStandardOutput.connect(self._read)
        process.readyReadStandardError.connect(self._read)
        process.finished.connect(self._ended)
        process.errorOccurred.connect(self._failed)
        process.start(command[0], command[1:])

    def stop(self) -> None:
        """End it now, and say nothing."""
        process = self.process
        if process is not None:
            self._leave(process)
            process.kill()
            process.waitForFinished(_END_MS)

    def _read(self) -> None:
        process = self.process
        if process is None:
            return
        output = bytes(process.readAllStandardOutput().data())
        errors = bytes(process.readAllStandardError().data())
        if output or errors:
            self.output += output
            self.errors += errors
            self.told.emit()

    def _ended(self, code: int, _status: QProcess.ExitStatus) -> None:
        self._read()
        # Whoever heard that may have stopped it.
        if self.process is not None:
            self._leave(self.process)
            self.ended.emit(code)

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and self.process is not None:
            self._leave(self.process)
            self.unstarted.emit()

    def _leave(self, process: QProcess) -> None:
        process.finished.disconnect(self._ended)
        process.errorOccurred.disconnect(self._failed)
        process.deleteLater()
        self.process = None
