"""The life of the window, from the QApplication to the engine's end."""

from __future__ import annotations

import atexit
import logging
import os
import signal
import sys

from PySide6.QtWidgets import QApplication

from app import theme
from app.bridge import Bridge
from app.gc_policy import GuiCollector
from app.icons import app_icon
from app.loops import LoopFactory, run_loop
from app.options import Options
from app.screenshot import ScreenshotRun
from app.session.model import Session
from app.session.records import EnginePhase
from app.shell.farewell import Farewell
from app.shell.window import MainWindow
from app.shell.window_memory import WindowState, recall, save


def run(options: Options, factory: LoopFactory | None = None) -> int:
    """Show the window, open the model behind it, and stay until the user is done."""
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
    window = MainWindow(bridge)
    if options.size is not None:
        window.resize(*options.size)
    else:
        window.stand(recall(options.memory) if options.memory else WindowState())
    if options.memory is not None:
        memory = options.memory
        window.closed.connect(lambda: save(memory, window.standing()))
    farewell = Farewell(bridge)
    # Not quit(): that closes the windows first, and the close leaves an event behind.
    farewell.over.connect(lambda: app.exit(0))
    window.closed.connect(lambda: farewell.begin(window.geometry()))
    window.show()
    app.processEvents()
    collector = GuiCollector(window)
    collector.start()
    bridge.changed.connect(lambda _changes: _settle_once(collector, session))
    if options.model is not None and not farewell.begun:
        bridge.open_model(options.model)
    picture = _picture(options, window, bridge)
    if picture is not None:
        picture.over.connect(lambda: farewell.begin(window.geometry()))
    # The window goes before the engine does.
    quits = app.quitOnLastWindowClosed()
    app.setQuitOnLastWindowClosed(False)
    before = signal.signal(
        signal.SIGINT, lambda *_: farewell.hurry() if farewell.begun else window.close()
    )
    try:
        # Who closes the window while it comes up may be done before the loop begins.
        code = 0 if farewell.done else app.exec()
    finally:
        signal.signal(signal.SIGINT, before)
        app.setQuitOnLastWindowClosed(quits)
        collector.stop()
        window.hide()
        if not bridge.close(0):
            atexit.register(_leave, code)
    if picture is not None and picture.problem:
        print(picture.problem, file=sys.stderr)
        code = 1
    window.deleteLater()
    farewell.deleteLater()
    bridge.deleteLater()
    app.processEvents()
    return code


def _leave(code: int) -> None:
    """End the process though an engine is still at work.

    Python would end that thread in the middle of a C++ call, which C++ answers by aborting.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)


def _picture(options: Options, window: MainWindow, bridge: Bridge) -> ScreenshotRun | None:
    if options.screenshot is None:
        return None
    return ScreenshotRun(window, bridge, options.screenshot, options.steps)


def _settle_once(collector: GuiCollector, session: Session) -> None:
    """Once the model is there, its libraries are too: they are out of all later collections."""
    if session.engine.phase is EnginePhase.READY and not collector.property("settled"):
        collector.setProperty("settled", True)
        collector.settle()
