"""The state pool: numbered slots for checkpoints. Slot 0 is the live slot, never allocated."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from engine.cache.kv_pool import CACHED, FREE, LIVE, STATUS_NAMES
from engine.errors import InvariantError


class StatePool:
    """Slots 1..total; each is free, live (being written by a request) or cached (the tree's).

    Attributes:
        status: by slot number; entry 0 is not a slot of this pool.
        counts: slots by status.
    """

    def __init__(self, total: int) -> None:
        assert total >= 0, "a pool cannot have a negative size"
        self.total = total
        self.status = bytearray(total + 1)
        self.counts = [total, 0, 0]
        self._free = list(range(1, total + 1))
        heapify(self._free)

    @property
    def free_slots(self) -> int:
        return self.counts[FREE]

    def free_list(self) -> list[int]:
        return sorted(self._free)

    def alloc(self) -> int | None:
        """Allocate the lowest free slot, which becomes live; None if none is free."""
        if not self._free:
            return None
        slot = heappop(self._free)
        self._move(slot, FREE, LIVE, "allocated")
        return slot

    def free(self, slot: int) -> None:
        """Free a live slot. Raises InvariantError on a double free."""
        self._move(slot, LIVE, FREE, "freed")
        heappush(self._free, slot)

    def adopt(self, slot: int) -> None:
        """Hand a live slot to the tree."""
        self._move(slot, LIVE, CACHED, "cached")

    def release(self, slot: int) -> None:
        """Free one of the tree's slots. Raises InvariantError on a double free."""
        self._move(slot, CACHED, FREE, "evicted")
        heappush(self._free, slot)

    def relocate(self, source: int) -> int:
        """Move one of the tree's slots to the lowest free number; the caller copies the bytes."""
        target = self.alloc()
        assert target is not None, "no slot to relocate to"
        self.adopt(target)
        self.release(source)
        return target

    def resize(self, total: int) -> None:
        """Change the pool to slots 1..total; slots beyond that must be free."""
        assert not any(self.status[total + 1 :]), "slots beyond the new end are in use"
        self._free = [slot for slot in self._free if slot <= total]
        self._free += range(self.total + 1, total + 1)
        heapify(self._free)
        self.status = self.status[: total + 1] + bytearray(max(total - self.total, 0))
        self.counts[FREE] += total - self.total
        self.total = total

    def _move(self, slot: int, old: int, new: int, what: str) -> None:
        if not 1 <= slot <= self.total:
            raise InvariantError(f"no such state slot: {slot} of 1..{self.total}")
        now = self.status[slot]
        if now != old:
            name = "double free" if now == FREE else "wrong owner"
            raise InvariantError(
                f"{name}: state slot {slot} is {STATUS_NAMES[now]}, "
                f"only {STATUS_NAMES[old]} slots can be {what}"
            )
        self.status[slot] = new
        self.counts[old] -= 1
        self.counts[new] += 1
