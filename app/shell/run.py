"""The lifetime of the window, from the QApplication to the engine's end."""

from __future__ import annotations

import atexit
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import (
    QEventLoop,
    QMessageLogContext,
    QObject,
    QSocketNotifier,
    Qt,
    QTimer,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication

from app.core.bridge import Bridge
from app.core.cuda import use as cuda
from app.core.instance import Instance
from app.core.leaving import leave
from app.core.log import Log
from app.core.loops import LoopFactory, run_loop
from app.core.preferences.book import Book
from app.core.preferences.table import SPECS
from app.core.session.applied import Applied
from app.core.session.keeper import Keeper
from app.core.session.model import Session
from app.core.session.records import EnginePhase
from app.core.session.settings import merged
from app.core.store.connections import connections_file
from app.core.store.load_times import LoadTimes, load_times_file
from app.core.store.opening import open_store
from app.models.logic.recent_models import folder_problem, load, recent_file
from app.server.callers import CallerController
from app.settings.form import unfolded
from app.shell.exchange import ExchangeController
from app.shell.farewell import Farewell, Unsaved
from app.shell.gc_policy import GuiCollector
from app.shell.options import Options, open_book
from app.shell.script import Step
from app.shell.script_actor import ScriptActor
from app.shell.searching import SearchController
from app.shell.storage import leave_nothing
from app.shell.troubles import Troubles
from app.shell.uncaught import Uncaught
from app.shell.window import MainWindow
from app.shell.window_memory import WindowState, earlier_choices, recall, save
from app.ui import theme
from app.ui.file_dialog import last_folders
from app.ui.icons import app_icon
from app.ui.qt_texts import install_qt_texts
from engine.config import Sampling

LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.DEBUG,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
Handler = Callable[[QtMsgType, QMessageLogContext, str], None]
log = logging.getLogger(__name__)

# The signals by which the system or a terminal asks a process to end.
_ENDINGS = ("SIGINT", "SIGTERM", "SIGHUP")
_STEP_MS = 50
# Enough for the last snapshot and the plots to settle, and for evictions to fade.
_SETTLE_STEPS = 36


class ScreenshotRun(QObject):
    """Drives the window through a script, as a user would.

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
        # Viewing a trace needs no model.
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


class QtMessages:
    """Sends Qt's messages to the log while it is installed."""

    def __init__(self) -> None:
        self._before: Handler | None = None

    def install(self) -> None:
        """Replace the current handler; it is still called."""
        self._before = qInstallMessageHandler(self._take)

    def remove(self) -> None:
        """Restore the previous handler."""
        qInstallMessageHandler(self._before)

    def _take(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        log.log(LEVELS.get(kind, logging.WARNING), "Qt: %s", harmless(context.category, text))
        log.debug("Qt said: %s", text)
        if self._before is not None:
            self._before(kind, context, text)
        elif sys.stderr is not None:
            print(text, file=sys.stderr)


def harmless(category: str | None, text: str) -> str:
    """The part of a message that cannot contain text of a conversation.

    Qt modules with their own category report about screens, fonts and plug-ins; the others may
    quote their input after a colon.
    """
    if category and category.startswith("qt."):
        return f"{category}: {text}"
    return text.partition(": ")[0] if ": " in text else "a message without a source"


class _Reports(QObject):
    """Passes sentences from the store's thread to the window's.

    Signals:
        reported: one sentence of a problem with the store.
        told: one sentence that is no problem of the store's.
    """

    reported = Signal(str)
    told = Signal(str)


def run(
    options: Options,
    factory: LoopFactory | None,
    log: Log,
    notices: Sequence[str],
    book: Book | None = None,
    instance: Instance | None = None,
) -> int:
    """Show the window, open the model in the background, and run until the user quits.

    Args:
        notices: sentences to show once the window is open.
        book: the program's settings, if they have been read already.
        instance: receives the calls of second starts.
    """
    book = book or open_book(options)
    if options.memory is not None:
        book.adopt(earlier_choices(options.memory))
    app = _application(book)
    session = Session(
        sampling=merged(Sampling(), options.given),
        given=options.given,
        applied=Applied(options.applied, options.named),
        # A screenshot must not depend on earlier load times.
        load_times=LoadTimes(None if options.screenshot else load_times_file()),
    )
    session.current.thinking = options.thinking
    bridge = Bridge(session, book.config(options.config), factory or run_loop)
    with _heard(bridge) as uncaught, _kept(bridge, options) as (keeper, reports, damage):
        remembered = _remembered(options)
        with theme.keeper().undressed():
            window = MainWindow(bridge, book)
        exchange = ExchangeController(window, bridge, keeper)
        searching = SearchController(window, bridge, keeper)
        window.command_palette.search_text = searching.begin_with
        troubles = Troubles(window, bridge, log)
        uncaught.reported.connect(troubles.unexpected, Qt.ConnectionType.QueuedConnection)
        cuda.listen(reports.told.emit)
        reports.reported.connect(troubles.store, Qt.ConnectionType.QueuedConnection)
        for sentence in damage:
            troubles.store(sentence)
        # A screenshot must not depend on when a measurement begins.
        window.models.measures = options.screenshot is None
        _place(window, options, remembered)
        farewell = Farewell(bridge)
        unsaved = Unsaved(keeper, exchange, window)
        if options.conversations is not None:
            window.may_close = unsaved.may_quit
            app.commitDataRequest.connect(unsaved.answer)
            # Ask again: the engine may have written more text, and its cache to the same disk.
            farewell.over.connect(lambda: unsaved.may_quit(last=True))
        # Not quit(), which closes the windows first and leaves an event behind.
        farewell.over.connect(lambda: app.exit(0))
        window.closed.connect(lambda: farewell.begin(window.geometry()))
        callers = CallerController(instance, window, window.arrivals.answer, lambda: farewell.begun)
        collector = GuiCollector(window)
        code = 1
        try:
            # Installed before the window shows: signals also close a window that is just opening.
            with _outlives_its_window(app), _closed_by_signals(window, unsaved, farewell):
                window.show()
                # Keys wait: what is sent before the model is being opened would find none.
                app.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
                collector.start()
                bridge.changed.connect(lambda _changes: _settle_once(collector, session))
                first = _first_model(options, book)
                if first is not None and not farewell.begun:
                    # The conversation on screen may use another model: do not switch it.
                    bridge.open_model(first, follow=False)
                if options.trace is not None and not farewell.begun:
                    window.traces.open(options.trace)
                if not farewell.begun:
                    window.arrivals.open(options.files)
                    window.arrivals.act(options.act)
                if options.watch and not farewell.begun:
                    window.remote.open(options.watch, metrics=options.metrics, dump=options.dump)
                if options.screenshot is None:
                    window.checkup.look_later()
                picture = _picture(options, window, bridge)
                if picture is not None:
                    picture.over.connect(lambda: farewell.begin(window.geometry()))
                for sentence in (*notices, *([book.sentence] if book.sentence else []), *damage):
                    bridge.notify(sentence)
                # If the user closes the window early, it may be done before the loop starts.
                code = 0 if farewell.done else app.exec()
        finally:
            cuda.listen(None)
            callers.stop()
            collector.stop()
            window.arrivals.wait()
            exchange.wait()
            searching.close()
            window.attaching.wait()
            window.traces.wait()
            window.connecting.wait()
            window.serving.close()
            window.hide()
            if not bridge.close(0):
                atexit.register(leave, code)
    if picture is not None and picture.problem:
        print(picture.problem, file=sys.stderr)
        code = 1
    # Nothing writes any more: neither the store, nor the engine, nor the window.
    for sentence in leave_nothing(
        window.settings_page.storage.at_exit, bridge.settings.config.cache_dir
    ):
        print(sentence, file=sys.stderr)
    window.deleteLater()
    farewell.deleteLater()
    bridge.deleteLater()
    app.processEvents()
    return code


def _first_model(options: Options, book: Book) -> Path | None:
    """The model to open at startup: from the command line, else from the settings."""
    wanted = book.now("first_model")
    if options.model_named or options.model is None or wanted == "bundled":
        return options.model
    if wanted == "none":
        return None
    known = load(recent_file(options.memory)) if options.memory is not None else ()
    # The last one that still exists; the bundled one always does.
    return next((folder for folder in known if not folder_problem(folder)), options.model)


def _application(book: Book) -> QApplication:
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        # Qt reads the variable once. A value set by the user takes precedence.
        if book.now("scale") != SPECS["scale"].default:
            os.environ.setdefault("QT_SCALE_FACTOR", str(book.now("scale") / 100))
        app = QApplication(sys.argv[:1])
    app.setApplicationName("Biplane")
    app.setApplicationDisplayName("Biplane")
    app.setDesktopFileName("biplane")
    install_qt_texts(app)
    app.setWindowIcon(app_icon())
    theme.keeper().set_mode(book.now("theme"))
    theme.keeper().set_text_px(book.now("text_px"))
    return app


def _remembered(options: Options) -> WindowState:
    """The state of the last window; what is no part of its geometry is in place before it."""
    remembered = recall(options.memory) if options.memory is not None else WindowState()
    last_folders().by_purpose = dict(remembered.folders)
    unfolded().ids = set(remembered.unfolded)
    return remembered


def _place(window: MainWindow, options: Options, remembered: WindowState) -> None:
    """Restore the window's geometry, or give it the requested size."""
    if options.size is not None:
        window.resize(*options.size)
    else:
        window.layout_controller.restore(remembered)
    if options.memory is not None:
        memory = options.memory
        window.recent.keep_in(recent_file(memory))
        window.connecting.keep_in(connections_file(memory))
        saving = window.chat.first_saving
        saving.told = remembered.saving_told
        for kept in (window.closed, saving.was_told):
            kept.connect(
                lambda: save(
                    memory, replace(window.layout_controller.state(), saving_told=saving.told)
                )
            )


@contextmanager
def _heard(bridge: Bridge) -> Iterator[Uncaught]:
    """Log uncaught errors and Qt's warnings; the window reports the errors."""
    uncaught, messages = Uncaught(bridge), QtMessages()
    # Queued even on this thread: the failing code may be what shows the sentence.
    uncaught.reported.connect(bridge.notify, Qt.ConnectionType.QueuedConnection)
    uncaught.install()
    messages.install()
    try:
        yield uncaught
    finally:
        messages.remove()
        uncaught.remove()


@contextmanager
def _kept(bridge: Bridge, options: Options) -> Iterator[tuple[Keeper, _Reports, list[str]]]:
    """Load the conversations of earlier runs, and save changes until the end.

    Yields the keeper, the reporter of problems, and the problems to show at startup.
    """
    reports = _Reports(bridge)
    # Queued, as the store's own thread emits it, too.
    for said in (reports.reported, reports.told):
        said.connect(bridge.notify, Qt.ConnectionType.QueuedConnection)
    opened = open_store(options.conversations, reports.reported.emit)
    keeper = Keeper(bridge.session, opened.store, reports.reported.emit)
    keeper.restore()
    bridge.changed.connect(keeper.keep)
    try:
        yield keeper, reports, [opened.sentence] if opened.sentence else []
    finally:
        bridge.changed.disconnect(keeper.keep)
        if not keeper.close():
            log.error("Not all conversations could be saved.")


@contextmanager
def _outlives_its_window(app: QApplication) -> Iterator[None]:
    """Keep the application running after the window closes, until the engine has ended."""
    quits = app.quitOnLastWindowClosed()
    app.setQuitOnLastWindowClosed(False)
    try:
        yield
    finally:
        app.setQuitOnLastWindowClosed(quits)


@contextmanager
def _closed_by_signals(window: MainWindow, unsaved: Unsaved, farewell: Farewell) -> Iterator[None]:
    """Close the window at a first signal; stop waiting at a second, for an answer too."""

    def end(*_: object) -> None:
        if unsaved.dialog is not None:
            unsaved.give_up()
        elif farewell.begun:
            farewell.hurry()
        else:
            window.close()

    numbers = [getattr(signal, name) for name in _ENDINGS if hasattr(signal, name)]
    before = [signal.signal(number, end) for number in numbers]
    # Python calls a handler only between bytecodes, and an idle program runs none.
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    bell = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read)
    bell.activated.connect(lambda *_: reader.recv(64))
    known = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(known)
        bell.setEnabled(False)
        reader.close()
        writer.close()
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _picture(options: Options, window: MainWindow, bridge: Bridge) -> ScreenshotRun | None:
    if options.screenshot is None:
        return None
    return ScreenshotRun(window, bridge, options.screenshot, options.steps)


def _settle_once(collector: GuiCollector, session: Session) -> None:
    """Exclude the model's libraries from later collections, once it is loaded."""
    if session.engine.phase is EnginePhase.READY and not collector.property("settled"):
        collector.setProperty("settled", True)
        collector.settle()
