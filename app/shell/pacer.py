"""Spreads what is shown again and again, so that watching an answer does not slow it down."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


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
