"""The life of the window, from the QApplication to the engine's end."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app import theme
from app.bridge import Bridge, LoopFactory, run_loop
from app.gc_policy import GuiCollector
from app.icons import app_icon
from app.log import Log
from app.options import Options
from app.qt_messages import QtMessages
from app.screenshot import ScreenshotRun
from app.session.model import Session
from app.session.records import EnginePhase
from app.shell.window import MainWindow
from app.show_log import show_log
from app.uncaught import Uncaught

_CLOSE_S = 10.0


# What the system and a terminal send to who shall end.
_ENDINGS = ("SIGINT", "SIGTERM", "SIGHUP")


def run(options: Options, factory: LoopFactory | None, log: Log, notices: Sequence[str]) -> int:
    """Show the window, open the model behind it, and stay until the user is done.

    Args:
        notices: sentences to say once the window stands.
    """
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    app.setApplicationName("Biplane")
    app.setApplicationDisplayName("Biplane")
    app.setDesktopFileName("biplane")
    app.setWindowIcon(app_icon())
    keeper = theme.keeper()
    if options.theme in ("light", "dark"):
        keeper.set_mode("light" if options.theme == "light" else "dark")
    session = Session(sampling=options.sampling)
    session.current.thinking = options.thinking
    bridge = Bridge(session, options.config, factory or run_loop)
    with _heard(bridge):
        window = MainWindow(bridge)
        if options.size is not None:
            window.resize(*options.size)
        window.menus.log.triggered.connect(lambda: show_log(log, bridge.tell))
        window.show()
        app.processEvents()
        collector = GuiCollector(window)
        collector.start()
        bridge.changed.connect(lambda _changes: _settle_once(collector, session))
        if options.model is not None:
            bridge.open_model(options.model)
        picture = _picture(options, window, bridge, app)
        for sentence in notices:
            bridge.tell(sentence)
        try:
            with _closed_by_signals(window):
                code = app.exec()
        finally:
            collector.stop()
            window.hide()
            bridge.close(_CLOSE_S)
    if picture is not None and picture.problem:
        print(picture.problem, file=sys.stderr)
        code = 1
    window.deleteLater()
    bridge.deleteLater()
    app.processEvents()
    return code


@contextmanager
def _heard(bridge: Bridge) -> Iterator[None]:
    """Errors that nobody caught and Qt's warnings go to the log; the window tells of the errors."""
    uncaught, messages = Uncaught(bridge), QtMessages()
    # Queued, also on this thread: what failed may be what is about to show the sentence.
    uncaught.told.connect(bridge.tell, Qt.ConnectionType.QueuedConnection)
    uncaught.install()
    messages.install()
    try:
        yield
    finally:
        messages.remove()
        uncaught.remove()


@contextmanager
def _closed_by_signals(window: MainWindow) -> Iterator[None]:
    """Who asks the process to end has the window closed, so that nothing is lost."""
    numbers = [getattr(signal, name) for name in _ENDINGS if hasattr(signal, name)]
    before = [signal.signal(number, lambda *_: window.close()) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _picture(
    options: Options, window: MainWindow, bridge: Bridge, app: QApplication
) -> ScreenshotRun | None:
    if options.screenshot is None:
        return None
    made = ScreenshotRun(window, bridge, options.screenshot, options.steps)
    # Not quit(): that closes the windows first, and the close leaves an event behind.
    made.over.connect(lambda: app.exit(0))
    return made


def _settle_once(collector: GuiCollector, session: Session) -> None:
    """Once the model is there, its libraries are too: they are out of all later collections."""
    if session.engine.phase is EnginePhase.READY and not collector.property("settled"):
        collector.setProperty("settled", True)
        collector.settle()
