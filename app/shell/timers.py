"""Requests to the engine that are sent after a pause."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed, Outcome

# One conversation at a time, so that a message never waits for more than one claim.
_CLAIM_MS = 1500
# The engine may have more urgent work right after an answer.
_PROBE_MS = 400


class ChangeTimer(QObject):
    """Acts on the session after a pause without certain changes."""

    def __init__(
        self,
        bridge: Bridge,
        pause_ms: int,
        changes: tuple[Changed, ...],
        act: Callable[[], Outcome],
        parent: QObject,
        *,
        repeats: bool = False,
    ) -> None:
        """repeats: act again after the same pause, until there is nothing left to ask for."""
        super().__init__(parent)
        self._bridge, self._changes, self._act, self._repeats = bridge, changes, act, repeats
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(pause_ms)
        self._timer.timeout.connect(self._now)
        bridge.changed.connect(self._wake)

    def _now(self) -> None:
        outcome = self._act()
        self._bridge.perform(outcome)
        if self._repeats and outcome.commands:
            self._timer.start()

    def _wake(self, changes: frozenset[Change]) -> None:
        if any(change.kind in self._changes for change in changes):
            self._timer.start()


def claim_timer(bridge: Bridge, parent: QObject) -> ChangeTimer:
    """Claims conversations one by one, while nothing is running and some are unclaimed."""
    wakes = (Changed.ENGINE, Changed.CONVERSATIONS)
    return ChangeTimer(bridge, _CLAIM_MS, wakes, bridge.session.claim_next, parent, repeats=True)


def probe_timer(bridge: Bridge, parent: QObject) -> ChangeTimer:
    """Probes the conversation on screen, with and without the composer's text."""
    wakes = (Changed.TURNS, Changed.ENGINE, Changed.RATE)
    return ChangeTimer(bridge, _PROBE_MS, wakes, bridge.session.probe_next, parent)
