"""The window's timers: what is drawn again and again, what a prompt would reuse, and claims."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.bridge import Bridge
from app.session import changes as ch
from app.session.cache_actions import claim_next
from app.session.probes import probe_next

# One conversation at a time, so that a message waits for no more than one of them.
_PACE_MS = 1500
_CLAIMER_WAKES = (ch.EngineChanged, ch.ConversationsChanged)
# The engine may have something better to do right after an answer.
_PAUSE_MS = 400
_WAKES = (ch.TurnsChanged, ch.EngineChanged, ch.RateChanged)


class Claimer(QObject):
    """Claims conversations one by one, while nothing is running and some are not known."""

    def __init__(self, bridge: Bridge, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PACE_MS)
        self._timer.timeout.connect(self.claim)
        bridge.changed.connect(self._wake)

    def claim(self) -> None:
        """Tell the engine of the next one."""
        outcome = claim_next(self._bridge.session)
        self._bridge.perform(outcome)
        if outcome.commands:
            self._timer.start()

    def _wake(self, changes: frozenset[ch.Change]) -> None:
        if any(isinstance(change, _CLAIMER_WAKES) for change in changes):
            self._timer.start()


class Gauge(QObject):
    """Probes the conversation on screen as it stands, and with what is being written."""

    def __init__(self, bridge: Bridge, parent: QObject) -> None:
        super().__init__(parent)
        self._session = bridge.session
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(lambda: bridge.perform(probe_next(bridge.session)))
        bridge.changed.connect(self._wake)

    def _wake(self, changes: frozenset[ch.Change]) -> None:
        if any(isinstance(change, _WAKES) for change in changes) and not self._session.busy:
            self._timer.start()


class Pacer(QObject):
    """Shows at once what is urgent, or comes after a pause; the rest when the pause is over."""

    def __init__(
        self,
        show: Callable[[], None],
        urgent: Callable[[], bool],
        pause_ms: int,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._show, self._urgent, self._pause_s = show, urgent, pause_ms / 1e3
        self._shown_at = -self._pause_s
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._now)

    def want(self) -> None:
        """There is something new to show."""
        left = self._shown_at + self._pause_s - time.monotonic()
        if left <= 0 or self._urgent():
            self._now()
        elif not self._timer.isActive():
            self._timer.start(round(1e3 * left))

    def _now(self) -> None:
        self._timer.stop()
        self._shown_at = time.monotonic()
        self._show()
