"""The event log: the engine's notices and the evictions, each with its time of day."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from engine.snapshot import CacheSnapshot, Evicted

MOST_NOTICES = 200
MOST_EVICTIONS = 1000


@dataclass(frozen=True, slots=True)
class LoggedNotice:
    """A notice of the engine; `clock` is seconds since 1970."""

    clock: float
    sentence: str


@dataclass(frozen=True, slots=True)
class LoggedEviction:
    """An eviction; `clock` is seconds since 1970."""

    clock: float
    evicted: Evicted


class EventLog:
    """The most recent of each kind, so that many evictions do not push out a notice.

    Attributes:
        total: evictions ever reported.
        unlisted: evictions that were counted but not reported individually.
    """

    def __init__(self) -> None:
        self.total = self.unlisted = 0
        self._notices: deque[LoggedNotice] = deque(maxlen=MOST_NOTICES)
        self._evictions: deque[LoggedEviction] = deque(maxlen=MOST_EVICTIONS)

    def add_notices(self, sentences: Iterable[str], clock: float) -> None:
        self._notices.extend(LoggedNotice(clock, sentence) for sentence in sentences)

    def add_evictions(self, snapshot: CacheSnapshot, clock: float) -> None:
        """Add the evictions that a snapshot reports; `clock` is when it was taken."""
        self.unlisted += snapshot.unlisted
        self.total += len(snapshot.evictions)
        for gone in snapshot.evictions:
            self._evictions.append(
                LoggedEviction(clock - max(0.0, snapshot.time - gone.time), gone)
            )

    @property
    def notices(self) -> list[str]:
        return [said.sentence for said in self._notices]

    @property
    def left_out(self) -> int:
        """Evictions that this list does not hold individually."""
        return self.total - len(self._evictions) + self.unlisted

    def after(self, total: int) -> tuple[Evicted, ...]:
        """The evictions reported after the first `total`, as far as they are still listed."""
        fresh = min(self.total - total, len(self._evictions))
        return tuple(w.evicted for w in islice(self._evictions, len(self._evictions) - fresh, None))

    def entries(self) -> list[LoggedNotice | LoggedEviction]:
        """Everything listed, oldest first."""
        return sorted((*self._notices, *self._evictions), key=lambda entry: entry.clock)
