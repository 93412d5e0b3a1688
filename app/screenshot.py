"""`--screenshot`: drives the window through a script, takes a picture, quits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.bridge import Bridge
from app.script import Step
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
        if phase is EnginePhase.LOADING or session.busy:
            self._settling = 0
            return
        if phase is not EnginePhase.READY:
            self._give_up(session.engine.sentence or "No model is open.")
        last = session.current.turns[-1] if session.current.turns else None
        if last is not None and last.role == "error":
            self._give_up(last.text)
        if self._steps:
            self._do(self._steps.pop(0))
            return
        self._settling += 1
        if self._settling >= _SETTLE_STEPS or self.problem:
            self._timer.stop()
            self._save()
            self.over.emit()

    def _give_up(self, sentence: str) -> None:
        self.problem = self.problem or sentence
        self._steps.clear()

    def _do(self, step: Step) -> None:
        window, session, perform = self._window, self._bridge.session, self._bridge.perform
        match step.verb:
            case "say":
                window.drafts.send(step.text)
            case "again":
                perform(session.regenerate())
            case "new":
                window.menus.new.trigger()
            case "system":
                perform(session.set_system(step.text))
            case "think":
                perform(session.set_thinking(step.text == "on"))
                window.chat.show_session(session)
            case "debugger":
                if not window.debugger.show_panel(step.text or "tree"):
                    self._give_up(f'The debugger has no panel "{step.text}".')
            case "lab":
                if not window.lab.open_tab(step.text):
                    self._give_up(f'The memory lab has no tab "{step.text}".')
            case "select" if step.number <= len(session.conversations):
                window.chats.chosen.emit(session.conversations[step.number - 1].id)
            case "edit":
                asked = [turn for turn in session.current.turns if turn.role == "user"]
                if step.number <= len(asked):
                    perform(session.edit(asked[step.number - 1].id, step.text))

    def _save(self) -> None:
        try:
            self._target.parent.mkdir(parents=True, exist_ok=True)
            saved = (self._window.lab.window or self._window).grab().save(str(self._target))
        except OSError:
            saved = False
        if not saved:
            self._give_up(f"The screenshot cannot be written to {self._target}.")
