"""What the debugger itself costs the window's thread, which the engine shares a core with."""

from __future__ import annotations

import statistics
import time
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from app.words.tr import tr

# A figure is of the last seconds.
SPAN_S = 5.0


class OwnCost(QObject):
    """Adds up what is spent on following the cache and on painting the window.

    While it watches, the debugger is what the window shows, so all of its painting counts.

    Attributes:
        clock: seconds of the wall.
        busy: seconds that this thread has computed, without those it waited for a core.
    """

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.clock: Callable[[], float] = time.perf_counter
        self.busy: Callable[[], float] = time.thread_time
        self._window = window
        self._since = 0.0
        self._spent: deque[tuple[float, float]] = deque()
        self._frames: deque[float] = deque(maxlen=120)
        self._inside = False

    def watch(self, on: bool) -> None:
        """Begin afresh, or stop."""
        self._window.removeEventFilter(self)
        self._spent.clear()
        self._frames.clear()
        self._since = self.clock()
        if on:
            self._window.installEventFilter(self)

    def run(self, work: Callable[[], object]) -> None:
        """Do work that is the debugger's."""
        began = self.busy()
        work()
        self._note(self.busy() - began)

    @property
    def frame_ms(self) -> float:
        """The median of the last frames; 0 before any."""
        return 1e3 * statistics.median(self._frames) if self._frames else 0.0

    @property
    def share(self) -> float:
        """Of the last seconds, how much the debugger computed."""
        now = self.clock()
        while self._spent and self._spent[0][0] < now - SPAN_S:
            self._spent.popleft()
        span = min(SPAN_S, now - self._since)
        return sum(cost for _, cost in self._spent) / span if span > 0 else 0.0

    @property
    def words(self) -> str:
        """ "2.1 ms a frame · 0.8% of the time"."""
        return tr("{frame_ms:.1f} ms a frame · {share:.1f}% of the time").format(
            frame_ms=self.frame_ms, share=100 * self.share
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.UpdateRequest or self._inside:
            return False
        # All that is to be painted is painted in here.
        began, self._inside = self.busy(), True
        try:
            watched.event(event)
        finally:
            self._inside = False
        cost = self.busy() - began
        self._frames.append(cost)
        self._note(cost)
        return True

    def _note(self, cost: float) -> None:
        self._spent.append((self.clock(), cost))
