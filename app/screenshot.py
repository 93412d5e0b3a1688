"""`--screenshot`: says the given messages one after the other, takes a picture, quits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.bridge import Bridge
from app.session.records import EnginePhase
from app.shell.window import MainWindow

_STEP_MS = 50
# The last snapshot and the plots settle in this time.
_SETTLE_STEPS = 14


class ScreenshotRun(QObject):
    """Drives the window as a user would.

    Attributes:
        problem: a sentence, where something went wrong.

    Signals:
        over: the picture was written, or could not be.
    """

    over = Signal()

    def __init__(
        self, window: MainWindow, bridge: Bridge, target: Path, messages: Sequence[str]
    ) -> None:
        super().__init__(window)
        self.problem = ""
        self._window = window
        self._bridge = bridge
        self._target = target
        self._messages = list(messages)
        self._settling = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_STEP_MS)
        self._timer.timeout.connect(self._step)
        self._timer.start()

    def _step(self) -> None:
        session = self._bridge.session
        phase = session.engine.phase
        if phase is EnginePhase.LOADING or session.busy:
            self._settling = 0
            return
        if phase is not EnginePhase.READY:
            self.problem = self.problem or session.engine.sentence or "No model is open."
            self._messages.clear()
        last = session.current.turns[-1] if session.current.turns else None
        if last is not None and last.role == "error":
            self.problem = self.problem or last.text
            self._messages.clear()
        if self._messages:
            self._window.send(self._messages.pop(0))
            return
        self._settling += 1
        if self._settling >= _SETTLE_STEPS:
            self._timer.stop()
            self._save()
            self.over.emit()

    def _save(self) -> None:
        self._target.parent.mkdir(parents=True, exist_ok=True)
        if not self._window.grab().save(str(self._target)):
            self.problem = self.problem or f"The picture cannot be written to {self._target}."


def read_script(path: Path) -> list[str]:
    """The messages of a script file: paragraphs, parted by blank lines."""
    parts = path.read_text(encoding="utf-8").replace("\r\n", "\n").split("\n\n")
    return [part.strip() for part in parts if part.strip()]
