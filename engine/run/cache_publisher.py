"""Publishes cache snapshots to the window: only after a change, and at a limited rate."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.events import CacheChanged

if TYPE_CHECKING:
    from engine.run.core import Core

SPACING_S = 0.125


class CachePublisher:
    """Emits CacheChanged while the cache is being watched."""

    def __init__(self, emit: Callable[[CacheChanged], None]) -> None:
        self._emit = emit
        self._watched = False
        self._published: tuple[object, ...] | None = None
        self._published_at = 0.0

    def watch(self, on: bool) -> None:
        """Turn watching on or off; a new watcher gets a snapshot in any case."""
        self._watched = on
        self._published = None

    def publish(self, core: Core, *, now: bool = False) -> bool:
        """Publish a snapshot if anything changed; `now`: regardless of the spacing.

        Returns whether a change may be left to publish once the spacing is over.
        """
        if not self._watched:
            return False
        moment = time.perf_counter()
        if not now and moment - self._published_at < SPACING_S:
            # Called for every token, so nothing is looked up here.
            return True
        stamp = core.cache_stamp()
        if stamp == self._published:
            return False
        # Set first, so that a failing snapshot is not retried for every token.
        self._published, self._published_at = stamp, moment
        self._emit(CacheChanged(snapshot=core.snapshot(watched=True)))
        return False
