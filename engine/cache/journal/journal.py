"""The journal: the last changes of every tier, in one order, for whoever listens."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple, Protocol

from engine.cache.journal.changes import Change
from engine.cache.journal.request_record import RequestRan

LIMIT = 20_000


class Entry(NamedTuple):
    """One record: its number (from 1, without gaps), when, on which tier, and what.

    `time` is seconds on the cache's clock.
    """

    seq: int
    time: float
    tier: str
    what: Change | RequestRan


Listener = Callable[[Entry], None]


class Tell(Protocol):
    """How a cache tells a change; `time` is given where it has to be that of a stamp."""

    def __call__(self, change: Change, time: float | None = None) -> None: ...


def silent(change: Change, time: float | None = None) -> None:
    """Tells nobody: for a cache without a journal."""


class Journal:
    """A bounded ring of entries. One thread writes; a listener is called on it and must be quick.

    Attributes:
        seq: number of the last entry, 0 before any.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._ring: deque[Entry] = deque(maxlen=limit)
        self._listeners: tuple[Listener, ...] = ()
        self.seq = 0

    @property
    def dropped(self) -> int:
        """Entries that the ring no longer holds."""
        return self.seq - len(self._ring)

    @property
    def listening(self) -> bool:
        """Somebody wants to know also what the ring does not keep."""
        return bool(self._listeners)

    def of(self, tier: str, clock: Callable[[], float]) -> Tell:
        """What a cache calls to tell its changes as those of `tier`."""

        def tell(change: Change, time: float | None = None) -> None:
            self.seq += 1
            entry = Entry(self.seq, clock() if time is None else time, tier, change)
            self._ring.append(entry)
            for listener in self._listeners:
                listener(entry)

        return tell

    def tell_request(self, time: float, request: RequestRan) -> None:
        """Pass a request on to the listeners; the ring keeps it without its tokens."""
        self.seq += 1
        self._ring.append(Entry(self.seq, time, "device", request.without_tokens()))
        entry = Entry(self.seq, time, "device", request)
        for listener in self._listeners:
            listener(entry)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Have `listener` called with every entry from now on; returns what ends that."""
        self._listeners = (*self._listeners, listener)

        def stop() -> None:
            self._listeners = tuple(known for known in self._listeners if known is not listener)

        return stop

    def entries(self, after: int = 0) -> tuple[Entry, ...]:
        """What the ring holds with numbers beyond `after`, oldest first."""
        fresh = min(len(self._ring), max(self.seq - after, 0))
        return tuple(islice(self._ring, len(self._ring) - fresh, None))
