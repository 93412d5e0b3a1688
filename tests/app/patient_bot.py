"""A qtbot that waits long: what comes ends a wait, and only what never comes is a failure.

The waits of pytest-qt give up after five seconds, which a busy machine may need for a first import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

PATIENCE_MS = 60_000


class PatientBot(QtBot):
    """Waits of up to a minute unless a test says otherwise."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(
        self,
        signal: Any,
        *,
        timeout: int = PATIENCE_MS,
        raising: bool | None = None,
        check_params_cb: Callable[..., bool] | None = None,
    ) -> SignalBlocker:
        return super().waitSignal(
            signal, timeout=timeout, raising=raising, check_params_cb=check_params_cb
        )
