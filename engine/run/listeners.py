"""Who hears the events of a run loop: its owner, and whoever else shares the engine."""

from __future__ import annotations

import threading
from collections.abc import Callable

from engine.events import Event

Hear = Callable[[Event], None]


class Listeners:
    """Called with every event, on the loop's thread, or after its end on that of whoever posts."""

    def __init__(self, owner: Hear) -> None:
        # Replaced as a whole, so that telling them needs no lock.
        self._all: tuple[Hear, ...] = (owner,)
        self._changing = threading.Lock()

    def add(self, hear: Hear) -> Callable[[], None]:
        """One more from now on; what is returned ends that."""
        with self._changing:
            self._all = (*self._all, hear)

        def stop() -> None:
            with self._changing:
                self._all = tuple(one for one in self._all if one is not hear)

        return stop

    def tell(self, event: Event) -> None:
        for hear in self._all:
            hear(event)
