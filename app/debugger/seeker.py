"""Throttles requests for another moment to one per frame."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.debugger.state import DebugState

_FRAME_MS = 16


class Seeker(QObject):
    """Seeks at once, and after that at most once per frame, to the last moment requested."""

    def __init__(self, state: DebugState) -> None:
        super().__init__(state)
        self._state = state
        self._wanted: int | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._go)

    def seek(self, index: int) -> None:
        """Show the moment after `index` entries, in this frame or the next."""
        self._wanted = index
        if not self._timer.isActive():
            self._go()

    def live(self) -> None:
        """Follow the newest moment from now on."""
        self._wanted = None
        self._state.seek(None)

    def _go(self) -> None:
        wanted, self._wanted = self._wanted, None
        if wanted is None:
            return
        moment = self._state.moment
        if moment.follows or moment.index != wanted:
            self._state.seek(wanted)
        # Started after the work, so that the window can repaint in between.
        self._timer.start()


def seeker_of(state: DebugState) -> Seeker:
    """The seeker of a state."""
    found = state.findChild(Seeker)
    return found if isinstance(found, Seeker) else Seeker(state)
