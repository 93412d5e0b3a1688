"""The state pool: numbered slots for checkpoints. Slot 0 is the live slot and never handed out."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from engine.cache.kv_pool import CACHED, FREE, LIVE, STATUS_NAMES
from engine.errors import InvariantError


class StatePool:
    """Slots 1..total; each is free, live (being written by a request) or cached (the tree's).

    Attributes:
        status: by slot number; entry 0 is no slot of this pool.
        counts: slots by status.
    """

    def __init__(self, total: int) -> None:
        assert total >= 0, "a pool has no negative size"
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
        """The lowest free slot, now live; None where none is free."""
        if not self._free:
            return None
        slot = heappop(self._free)
        self._move(slot, FREE, LIVE, "allocated")
        return slot

    def free(self, slot: int) -> None:
        """Take a live slot back. Raises InvariantError on a double free."""
        self._move(slot, LIVE, FREE, "freed")
        heappush(self._free, slot)

    def adopt(self, slot: int) -> None:
        """A live slot becomes the tree's."""
        self._move(slot, LIVE, CACHED, "cached")

    def release(self, slot: int) -> None:
        """Take one of the tree's slots back. Raises InvariantError on a double free."""
        self._move(slot, CACHED, FREE, "evicted")
        heappush(self._free, slot)

    def relocate(self, source: int) -> int:
        """Give one of the tree's slots the lowest free number; the caller copies the bytes."""
        target = self.alloc()
        assert target is not None, "there is no slot to relocate to"
        self.adopt(target)
        self.release(source)
        return target

    def resize(self, total: int) -> None:
        """Hold slots 1..total from now on; those beyond must be free."""
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
