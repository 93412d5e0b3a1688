"""Dispatches the events of a run loop to its owner and to others that share the engine."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from engine.events import Event

Hear = Callable[[Event], None]


class Outbox:
    """Queues a loop's events until its owner drains them; the owner may sleep until then."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._wake: Callable[[], None] | None = None

    def put(self, event: Event) -> None:
        """On any thread."""
        self._events.append(event)
        wake, self._wake = self._wake, None
        if wake is not None:
            wake()

    def drain(self) -> list[Event]:
        """Take the events since the last call, oldest first; never waits."""
        taken: list[Event] = []
        while self._events:
            taken.append(self._events.popleft())
        return taken

    def wake_with_next(self, wake: Callable[[], None]) -> None:
        """Call `wake` once there is something to drain, on the thread that puts it there."""
        self._wake = wake
        # An event may have arrived since the owner drained.
        if self._events:
            self._wake = None
            wake()


class Listeners:
    """Called with every event, on the loop's thread; after its end on the posting thread."""

    def __init__(self, owner: Hear) -> None:
        # Replaced as a whole, so that notifying them needs no lock.
        self._all: tuple[Hear, ...] = (owner,)
        self._changing = threading.Lock()

    def add(self, hear: Hear) -> Callable[[], None]:
        """Add a listener; call the result to remove it."""
        with self._changing:
            self._all = (*self._all, hear)

        def stop() -> None:
            with self._changing:
                self._all = tuple(one for one in self._all if one is not hear)

        return stop

    def tell(self, event: Event) -> None:
        for hear in self._all:
            hear(event)
