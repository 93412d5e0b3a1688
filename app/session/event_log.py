"""What happened in passing: sentences of the engine and evictions, each with its time of day."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from engine.snapshot import CacheSnapshot, Evicted

MOST_NOTICES = 200
MOST_EVICTIONS = 1000


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of the engine; `clock` is seconds since 1970."""

    clock: float
    sentence: str


@dataclass(frozen=True, slots=True)
class Went:
    """Something that left a tier; `clock` is seconds since 1970."""

    clock: float
    evicted: Evicted


class EventLog:
    """The last of each kind, so that many evictions push no sentence out.

    Attributes:
        total: evictions that were ever told.
        untold: evictions that were counted but could not be told one by one.
    """

    def __init__(self) -> None:
        self.total = self.untold = 0
        self._said: deque[Said] = deque(maxlen=MOST_NOTICES)
        self._went: deque[Went] = deque(maxlen=MOST_EVICTIONS)

    def say(self, sentences: Iterable[str], clock: float) -> None:
        self._said.extend(Said(clock, sentence) for sentence in sentences)

    def tell(self, snapshot: CacheSnapshot, clock: float) -> None:
        """Note what a snapshot tells for the first time; `clock` is when it was taken."""
        self.untold += snapshot.untold
        self.total += len(snapshot.evictions)
        for gone in snapshot.evictions:
            self._went.append(Went(clock - max(0.0, snapshot.time - gone.time), gone))

    @property
    def notices(self) -> list[str]:
        return [said.sentence for said in self._said]

    @property
    def left_out(self) -> int:
        """Evictions that this list does not have one by one."""
        return self.total - len(self._went) + self.untold

    def after(self, total: int) -> tuple[Evicted, ...]:
        """The evictions told after the first `total`, as far as they are still listed."""
        fresh = min(self.total - total, len(self._went))
        return tuple(w.evicted for w in islice(self._went, len(self._went) - fresh, None))

    def entries(self) -> list[Said | Went]:
        """All that is listed, oldest first."""
        return sorted((*self._said, *self._went), key=lambda entry: entry.clock)
