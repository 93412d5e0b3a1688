"""The timer that tells the engine in quiet moments whose earlier prompts are."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.bridge import Bridge
from app.session import changes as ch
from app.session.cache_actions import claim_next

# One conversation at a time, so that a message waits for no more than one of them.
_PACE_MS = 1500
_WAKES = (ch.EngineChanged, ch.ConversationsChanged)


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
        if any(isinstance(change, _WAKES) for change in changes):
            self._timer.start()
