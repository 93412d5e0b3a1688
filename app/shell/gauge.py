"""The timer that asks, once things have come to rest, what the next prompt would reuse."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.bridge import Bridge
from app.session import changes as ch
from app.session.probes import probe_next

# The engine may have something better to do right after an answer.
_PAUSE_MS = 400
_WAKES = (ch.TurnsChanged, ch.EngineChanged, ch.RateChanged)


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
