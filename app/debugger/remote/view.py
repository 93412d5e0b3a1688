"""Connects the debugger to remote engines, keeps it up to date, and disconnects."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.core.bridge import Bridge
from app.debugger.debugger import DebuggerController
from app.debugger.traces import TraceController
from engine.net.client.address import Address
from engine.net.kv_events.address import AddressError, Publisher

if TYPE_CHECKING:
    from app.debugger.remote.logic.source import RemoteSource

log = logging.getLogger(__name__)
_LOOK_MS = 250
# Polls per update of the line above the desk.
_SAY_EVERY = 4


class RemoteController(QObject):
    """Holds at most one connection; opening a trace, or going back, ends it.

    Attributes:
        source: the connected engines, or None.
    """

    def __init__(
        self, bridge: Bridge, traces: TraceController, debugger: DebuggerController, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge, self._traces, self._debugger = bridge, traces, debugger
        self.source: RemoteSource | None = None
        self._looks, self._shown = 0, (0, 0.0)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)
        traces.left.connect(self.close)

    def open(
        self,
        publishers: Sequence[Publisher],
        known: RemoteSource | None = None,
        metrics: Address | None = None,
        dump: Address | Path | None = None,
    ) -> bool:
        """Watch these engines; False, and a notice, if an address cannot be used.

        Args:
            known: an existing source, reused if it listens to the same engines.
            metrics: of their counters; `known` has its own.
            dump: of an indexer that has listened before.
        """
        source = known
        if source is None or not source.listening or source.publishers != tuple(publishers):
            from app.debugger.remote.logic.source import RemoteSource

            try:
                source = RemoteSource(publishers, metrics, dump)
            except AddressError as error:
                self._bridge.notify(str(error))
                return False
        log.info("Watching %d engines.", len(publishers))
        self._traces.look_at(source)
        self.source = source
        self._looks, self._shown = 0, (0, 0.0)
        source.start()
        self._timer.start()
        return True

    def close(self) -> None:
        """Disconnect."""
        self._timer.stop()
        if self.source is not None:
            self.source.stop()
            self.source = None

    def _look(self) -> None:
        source = self.source
        if source is None:
            return
        counters, self._looks = source.counters, self._looks + 1
        shown = (len(source.tape), 0.0 if counters is None else counters.last)
        if shown != self._shown:
            self._shown = shown
            self._debugger.grow()
        if self._looks % _SAY_EVERY == 1:
            self._traces.say()
        if missed := source.dump_problem():
            self._bridge.notify(missed)
        if source.problem:
            self._timer.stop()
            self._bridge.notify(source.problem)
