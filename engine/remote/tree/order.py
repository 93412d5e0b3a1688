"""Batches in the order in which they were sent: repeated, reordered and lost ones are noticed.

A publisher numbers its batches from 0. It keeps the last ones and sends them again when it is asked
to, so a hole is filled if it can be, and told if it cannot.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from zlib import crc32

# Batches that came early and wait for those before them; the publishers keep as many.
MOST_HELD = 10_000
# Of those that came, what tells a repeated one from that of an engine that was started anew.
REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Numbered:
    """A batch as it came."""

    seq: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Hole:
    """Batches [first, end) will not come any more."""

    first: int
    end: int

    def __len__(self) -> int:
        return self.end - self.first


@dataclass(frozen=True, slots=True)
class Restarted:
    """The sender counts from the beginning again: nothing that it had is cached any longer."""


Step = Numbered | Hole | Restarted


class Order:
    """Puts the batches of one sender in order.

    Attributes:
        next: number of the batch that is due; None before the first one.
        repeated: batches that came once more.
        lost: batches that never came.
        late: batches that were sent before the first one that could be had.
    """

    def __init__(self) -> None:
        self.next: int | None = None
        self.repeated = self.lost = self.late = 0
        self._held: dict[int, bytes] = {}
        self._seen: OrderedDict[int, int] = OrderedDict()
        self._ready: deque[Step] = deque()

    @property
    def wanted(self) -> int | None:
        """The first batch that is missing, while later ones wait for it; None if none is."""
        return self.next if self._held else None

    @property
    def waiting(self) -> int:
        """How many batches wait."""
        return len(self._held)

    def put(self, seq: int, payload: bytes) -> None:
        """A batch came, live or replayed."""
        if self.next is None:
            self._held[seq] = payload
            return
        if seq >= self.next:
            if seq in self._held:
                self.repeated += 1
            self._held[seq] = payload
            self._release()
            if len(self._held) > MOST_HELD:
                self.give_up()
        elif self._seen.get(seq) == crc32(payload):
            self.repeated += 1
        elif seq in self._seen or seq == 0:
            self._restart(seq, payload)
        else:
            # From so long ago that nobody remembers it.
            self.repeated += 1

    def begin(self) -> None:
        """What could be had of the past is there: the first batch that is there is the first."""
        if self.next is None and self._held:
            self.next = self.late = min(self._held)
            self._release()

    def give_up(self) -> None:
        """What is missing now will not come: go on with the first batch that is there."""
        if self.next is None:
            self.begin()
        elif self._held:
            hole = Hole(self.next, min(self._held))
            self.lost += len(hole)
            self._ready.append(hole)
            self.next = hole.end
            self._release()

    def take(self) -> list[Step]:
        """What is due, in order."""
        ready = list(self._ready)
        self._ready.clear()
        return ready

    def _release(self) -> None:
        assert self.next is not None, "it has begun"
        held, ready = self._held, self._ready
        while (payload := held.pop(self.next, None)) is not None:
            ready.append(Numbered(self.next, payload))
            self._seen[self.next] = crc32(payload)
            if len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
            self.next += 1

    def _restart(self, seq: int, payload: bytes) -> None:
        self._held.clear()
        self._seen.clear()
        self._ready.append(Restarted())
        self.next = 0
        self._held[seq] = payload
        self._release()
