"""Emits the journal to the window in batches, at a limited rate."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.journal.feed import Feed, JournalFed

if TYPE_CHECKING:
    from engine.run.core import Core


SPACING_S = 0.125


class JournalFeed:
    """Emits JournalFed while the journal is being watched."""

    def __init__(self, emit: Callable[[JournalFed], None]) -> None:
        self._emit = emit
        self._feed: Feed | None = None
        self._fed_at = 0.0

    def watch(self, core: Core, on: bool) -> None:
        """Turn watching on or off; a new watcher gets everything from the beginning.

        Call it between two requests.
        """
        if self._feed is not None:
            self._feed.stop()
        self._feed = core.recordings.feed() if on else None
        self.feed(now=True)

    def feed(self, *, now: bool = False) -> bool:
        """Emit new entries; `now`: regardless of the rate limit.

        Returns whether something may be left for when the interval has passed.
        """
        feed = self._feed
        if feed is None:
            return False
        moment = time.perf_counter()
        if not now and moment - self._fed_at < SPACING_S:
            return True
        batch = feed.take()
        if batch is not None:
            self._fed_at = moment
            self._emit(batch)
        return False
