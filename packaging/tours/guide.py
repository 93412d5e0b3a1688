"""Leads through the window as a person would go, and says what is on screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from app.bench.stage import Stage
from app.core.options.shared import demo_model_dir
from app.core.session.records import EnginePhase
from app.debugger.desk import Desk
from app.debugger.logic.chosen import Chosen
from app.shell.script import parse_step
from app.shell.script_actor import ScriptActor

WAIT_S = 120.0


@dataclass(frozen=True, slots=True)
class Picture:
    """One view on screen.

    Attributes:
        prepare: brings it on screen once more, where time or size change it.
        fixed: it keeps its own size, whatever size is asked for.
    """

    name: str
    widget: QWidget
    prepare: Callable[[], object] | None = None
    fixed: bool = False


class Guide:
    """One window on its way.

    Attributes:
        stage, window, session, bridge: what a tour goes through.
    """

    def __init__(self, on: Stage) -> None:
        self.stage, self.window = on, on.window
        self.session, self.bridge = on.session, on.bridge
        self._actor = ScriptActor(on.window, on.bridge)

    def open_demo(self) -> None:
        """Open the bundled model, unless it is open."""
        if self.session.engine.phase is not EnginePhase.READY:
            self.bridge.open_model(demo_model_dir())
            self.until(lambda: self.session.engine.phase is EnginePhase.READY)

    def act(self, paragraph: str) -> None:
        """Do one step of a script and wait for what it starts."""
        self.begin(paragraph)
        self.stage.rest(0.05)
        self.until(lambda: not self._actor.waits)

    def begin(self, paragraph: str) -> None:
        """Do one step of a script once the one before is over."""
        self.until(lambda: not self._actor.waits)
        problem = self._actor.do(parse_step(paragraph))
        if problem:
            raise SystemExit(problem)

    def until(self, done: Callable[[], bool]) -> None:
        self.stage.until(done, WAIT_S)

    @property
    def desk(self) -> Desk:
        desk = self.window.debugger.desk
        assert desk is not None, "it was shown before"
        return desk

    def choose(self, chosen: Chosen) -> None:
        self.desk.state.choose(chosen)
