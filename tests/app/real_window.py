"""The window on a real engine with the bundled model."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.bridge import Bridge
from app.core.loops import run_loop
from app.core.options.shared import demo_model_dir
from app.core.session.model import Session
from app.core.session.records import EnginePhase
from app.shell.window import MainWindow
from engine.config import EngineConfig

PATIENCE_S = 60.0


class RealWindow:
    """One window; `open` loads the model."""

    def __init__(
        self,
        qtbot: QtBot,
        session: Session,
        config: EngineConfig,
        *more: Any,
        loop: Callable[..., Any] = run_loop,
    ) -> None:
        """more: what else MainWindow takes; loop: makes the engine's loop."""
        self.qtbot, self.session = qtbot, session
        self.bridge = Bridge(session, config, loop)
        self.window = MainWindow(self.bridge, *more)
        qtbot.addWidget(self.window)
        self.window.resize(1366, 768)
        self.window.show()
        self.window.activateWindow()

    def open(self) -> None:
        self.bridge.open_model(demo_model_dir())
        self.ready()

    def ready(self) -> None:
        self.until(lambda: self.session.engine.phase is EnginePhase.READY)

    def until(self, done: Callable[[], bool]) -> None:
        ends = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < ends, "it never came to pass"
            QApplication.processEvents()
            time.sleep(0.002)

    def say(self, text: str) -> None:
        self.window.chat.composer.set_text(text)
        self.window.chat.composer.send()
        self.until(lambda: not self.session.busy)

    def close(self) -> None:
        assert self.bridge.close(PATIENCE_S)
        self.window.close()
        self.bridge.deleteLater()
