"""Gaps between iterations of the window's event loop: how long it was unresponsive."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Qt, QTimer

TICK_MS = 16


class GapMeter(QObject):
    """Records the gaps between the events of a timer that should fire every 16 ms.

    Attributes:
        gaps_ms: since the last `start`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gaps_ms: list[float] = []
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self.gaps_ms = []
        self._last = time.perf_counter()
        self._timer.start()

    def stop(self) -> list[float]:
        """The gaps since the start, including the current one."""
        self._timer.stop()
        return [*self.gaps_ms, 1e3 * (time.perf_counter() - self._last)]

    def _tick(self) -> None:
        now = time.perf_counter()
        self.gaps_ms.append(1e3 * (now - self._last))
        self._last = now
