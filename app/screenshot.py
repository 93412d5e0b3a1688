"""`--screenshot`: drives the window through a script, takes a picture, quits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.bridge import Bridge
from app.script import Step
from app.script_actor import ScriptActor
from app.session.records import EnginePhase
from app.shell.window import MainWindow

_STEP_MS = 50
# By then the last snapshot and the plots have settled, and evictions have faded.
_SETTLE_STEPS = 36


class ScreenshotRun(QObject):
    """Drives the window as a user would.

    Attributes:
        problem: what went wrong, in one sentence.

    Signals:
        over: the screenshot was written, or failed.
    """

    over = Signal()

    def __init__(
        self, window: MainWindow, bridge: Bridge, target: Path, steps: Sequence[Step]
    ) -> None:
        super().__init__(window)
        self.problem = ""
        self._window = window
        self._bridge = bridge
        self._actor = ScriptActor(window, bridge)
        self._target = target
        self._steps = list(steps)
        self._settling = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_STEP_MS)
        self._timer.timeout.connect(self._step)
        self._timer.start()

    def _step(self) -> None:
        session = self._bridge.session
        phase = session.engine.phase
        traces = self._window.traces
        if phase is EnginePhase.LOADING or traces.reading or self._actor.waits:
            self._settling = 0
            return
        if traces.problem:
            self._give_up(traces.problem)
        # A trace needs no model.
        if phase is not EnginePhase.READY and not (phase is EnginePhase.NONE and traces.name):
            self._give_up(session.engine.sentence or "No model is open.")
        last = session.current.turns[-1] if session.current.turns else None
        if last is not None and last.role == "error":
            self._give_up(last.text)
        if self._steps:
            problem = self._actor.do(self._steps.pop(0))
            if problem:
                self._give_up(problem)
            return
        self._settling += 1
        if self._settling >= _SETTLE_STEPS or self.problem:
            self._timer.stop()
            self._save()
            self.over.emit()

    def _give_up(self, sentence: str) -> None:
        self.problem = self.problem or sentence
        self._steps.clear()

    def _save(self) -> None:
        try:
            self._target.parent.mkdir(parents=True, exist_ok=True)
            saved = (self._window.lab.window or self._window).grab().save(str(self._target))
        except OSError:
            saved = False
        if not saved:
            self._give_up(f"The screenshot cannot be written to {self._target}.")
