"""A window to measure, with a store on disk, its keeper and its garbage collector, as in use."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication

from app.core.bridge import Bridge
from app.core.loops import run_loop
from app.core.session.changes import Change, Changed
from app.core.session.keeper import Keeper
from app.core.session.model import Session
from app.core.store.opening import open_store
from app.shell.gc_policy import GuiCollector
from app.shell.window import MainWindow
from app.ui import theme
from engine.bench.harness import milliseconds
from engine.config import EngineConfig
from engine.errors import BiplaneError
from engine.events import Event, TextDelta

_SIZE = (1366, 768)
_QUIET_S = 0.3
# Polling uses the window's thread, which is being measured.
_LOOK_MS = 20


class Stage:
    """The attributes are the program's own objects."""

    def __init__(
        self, app: QApplication, bridge: TimedBridge, window: MainWindow, keeper: Keeper
    ) -> None:
        self.app, self.bridge, self.window, self.keeper = app, bridge, window, keeper
        self.session = bridge.session
        self.collector = GuiCollector(window)

    def pump(self, rounds: int = 1) -> None:
        """Run the event loop: size changes propagate through layouts, then it paints."""
        for _ in range(rounds):
            self.app.processEvents()
        # Deferred deletions only happen by themselves inside exec().
        self.app.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def rest(self, seconds: float = _QUIET_S) -> None:
        """Let pending work finish."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            self.pump()
            time.sleep(0.002)

    def until(self, done: Callable[[], bool], timeout_s: float) -> None:
        """Run the event loop as the program does. Raises BiplaneError on timeout."""
        ends, loop, look = time.monotonic() + timeout_s, QEventLoop(), QTimer()
        look.timeout.connect(lambda: loop.quit() if done() or time.monotonic() > ends else None)
        look.start(_LOOK_MS)
        loop.exec()
        look.stop()
        if not done():
            raise BiplaneError("The engine did not respond in time.")

    def cost_ms(self, action: Callable[[], object]) -> float:
        """What an action costs the window's thread until it is painted."""

        def painted() -> None:
            action()
            self.pump(2)

        return milliseconds(painted)

    def first_paint_ms(self, action: Callable[[], object]) -> float:
        """Time from an action until messages of the conversation are painted."""
        seen = _Painted(self.window.chat.view.viewport())
        begun = time.perf_counter()
        action()
        while not seen.at:
            self.app.processEvents()
        return 1e3 * (seen.at - begun)


class TimedBridge(Bridge):
    """Records the cost of each frame with text, from the events' arrival until it is painted.

    Attributes:
        costs_ms: of each frame.
        written: of the last answer: time of the engine in seconds, and tokens so far.
    """

    def __init__(self, session: Session, config: EngineConfig) -> None:
        super().__init__(session, config, run_loop)
        self.costs_ms: list[float] = []
        self.written: list[tuple[float, int]] = []
        self._brought = False
        self.changed.connect(self._note)

    def take(self) -> None:
        begun, self._brought = time.perf_counter(), False
        super().take()
        if self._brought:
            # Posted events, painting included, are processed before a timer.
            QTimer.singleShot(
                0, self, lambda: self.costs_ms.append(1e3 * (time.perf_counter() - begun))
            )

    def apply(self, events: Iterable[Event]) -> None:
        came = list(events)
        self.written += [(one.time, one.tokens) for one in came if isinstance(one, TextDelta)]
        super().apply(came)

    def _note(self, changes: frozenset[Change]) -> None:
        self._brought |= any(change.kind is Changed.TURN for change in changes)


class _Painted(QObject):
    """Records when a widget has been painted."""

    def __init__(self, widget: QObject) -> None:
        super().__init__(widget)
        self.at = 0.0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self.at:
            watched.removeEventFilter(self)
            # Its children are painted in the same pass, before the posted event.
            QApplication.postEvent(self, QEvent(QEvent.Type.User))
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.User:
            self.at = time.perf_counter()
            return True
        return super().event(event)


@contextmanager
def stage(folder: Path, config: EngineConfig, **given: object) -> Iterator[Stage]:
    """A window on the store in a folder; everything is closed at the end of the block."""
    app = QApplication.instance() or QApplication(["biplane"])
    assert isinstance(app, QApplication)
    theme.keeper()
    opened = open_store(folder)
    bridge = TimedBridge(Session(given=dict(given)), config)
    keeper = Keeper(bridge.session, opened.store, lambda _: None)
    keeper.restore()
    bridge.changed.connect(keeper.keep)
    window = MainWindow(bridge)
    window.resize(*_SIZE)
    window.show()
    made = Stage(app, bridge, window, keeper)
    made.collector.start()
    made.rest()
    try:
        yield made
    finally:
        made.collector.stop()
        window.hide()
        bridge.close(10.0)
        bridge.changed.disconnect(keeper.keep)
        keeper.close()
        window.deleteLater()
        bridge.deleteLater()
        made.pump(2)
