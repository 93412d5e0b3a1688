"""The journal: the latest changes of every tier in one order, for its listeners."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from engine.cache.journal.changes import Change, Owned, RequestBegan
from engine.cache.journal.request_ran import RequestRan

LIMIT = 20_000
# The ring keeps these without their tokens.
_BULKY = frozenset({Owned, RequestBegan})


class Entry(Struct, frozen=True, gc=False):
    """One record: its number (from 1, without gaps), time, tier, and change.

    `time` is seconds on the cache's clock.
    """

    seq: int
    time: float
    tier: str
    what: Change | RequestRan


Listener = Callable[[Entry], None]


class LogChange(Protocol):
    """Appends a change to the journal; `time` is passed if it must equal that of a stamp."""

    def __call__(self, change: Change, time: float | None = None) -> None: ...


def silent(change: Change, time: float | None = None) -> None:
    """Logs nothing: for a cache without a journal."""


class Journal:
    """A bounded ring of entries. One thread writes and calls the listeners, which must be quick.

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
        """Whether any listener is registered, to receive even what the ring does not keep."""
        return bool(self._listeners)

    def of(self, tier: str, clock: Callable[[], float]) -> LogChange:
        """The function with which the cache called `tier` logs its changes."""

        def log_change(change: Change, time: float | None = None) -> None:
            self.seq += 1
            entry = Entry(self.seq, clock() if time is None else time, tier, change)
            self._ring.append(_light(entry) if type(change) in _BULKY else entry)
            for listener in self._listeners:
                listener(entry)

        return log_change

    def log_request(self, time: float, request: RequestRan) -> None:
        """Pass a request to the listeners; the ring keeps it without its tokens."""
        self.seq += 1
        self._ring.append(Entry(self.seq, time, "device", request.without_tokens()))
        entry = Entry(self.seq, time, "device", request)
        for listener in self._listeners:
            listener(entry)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every entry from now on; returns a function that unregisters it."""
        self._listeners = (*self._listeners, listener)

        def stop() -> None:
            self._listeners = tuple(known for known in self._listeners if known is not listener)

        return stop

    def entries(self, after: int = 0) -> tuple[Entry, ...]:
        """The entries in the ring numbered above `after`, oldest first."""
        fresh = min(len(self._ring), max(self.seq - after, 0))
        return tuple(islice(self._ring, len(self._ring) - fresh, None))


def _light(entry: Entry) -> Entry:
    what = entry.what
    assert isinstance(what, Owned | RequestBegan)
    return replace(entry, what=replace(what, tokens=b""))
