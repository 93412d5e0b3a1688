"""Tells the window of the cache: a snapshot when it changed, no more often than it looks."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.events import CacheChanged

if TYPE_CHECKING:
    from engine.run.core import Core

SPACING_S = 0.125


class CachePublisher:
    """Emits CacheChanged while somebody watches."""

    def __init__(self, emit: Callable[[CacheChanged], None]) -> None:
        self._emit = emit
        self._watched = False
        self._published: tuple[object, ...] | None = None
        self._published_at = 0.0

    def watch(self, on: bool) -> None:
        """Whether somebody looks; who begins to gets a snapshot in any case."""
        self._watched = on
        self._published = None

    def publish(self, core: Core, *, now: bool = False) -> bool:
        """Log what changed since the last time; `now`: even right after that.

        Returns whether something may still be to be told, once the spacing is over.
        """
        if not self._watched:
            return False
        moment = time.perf_counter()
        if not now and moment - self._published_at < SPACING_S:
            # It is asked at every token, so nothing is looked up here.
            return True
        stamp = core.cache_stamp()
        if stamp == self._published:
            return False
        # First, so that a snapshot that fails is not tried at every token.
        self._published, self._published_at = stamp, moment
        self._emit(CacheChanged(snapshot=core.snapshot(watched=True)))
        return False
