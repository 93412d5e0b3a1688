"""The KV pool: one slot per token, allocated as contiguous extents."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from engine.cache import extents as kv_extents
from engine.cache.extents import Extent, Extents
from engine.errors import InvariantError

FREE, LIVE, CACHED = 0, 1, 2
STATUS_NAMES = ("free", "live", "cached")
# The tag of KV that may derive from a wrong state: never read, and replaced by new KV.
SUSPECT = -1


class KVPool:
    """Slot numbers 0..total-1; each is free, live (a request's) or cached (the tree's).

    Attributes:
        status: `[total] uint8`, one of FREE, LIVE, CACHED.
        tags: `[total] int64`, how the KV in a slot was computed (cuts.tags_for); 0 is never exact.
        counts: slots by status.
        any_suspect: whether any slot may have the tag SUSPECT.
    """

    def __init__(self, total: int) -> None:
        assert total >= 0, "a pool cannot have a negative size"
        self.total = total
        self.status: npt.NDArray[np.uint8] = np.zeros(total, np.uint8)
        self.tags: npt.NDArray[np.int64] = np.zeros(total, np.int64)
        self.counts = [total, 0, 0]
        self.any_suspect = False
        # The same free extents in two orders: by address for coalescing, by length for fitting.
        self._starts: list[int] = []
        self._length: dict[int, int] = {}
        self._by_length: list[tuple[int, int]] = []
        if total:
            self._add_free(0, total)

    @property
    def free_slots(self) -> int:
        return self.counts[FREE]

    def free_extents(self) -> Extents:
        """The free extents by address."""
        return tuple((start, self._length[start]) for start in self._starts)

    def alloc(self, slots: int, after: int | None = None) -> Extents | None:
        """Allocate `slots` live slots in as few extents as possible, or None. Mutates the pool.

        Best fit at the lowest address. `after`: the slot that follows the caller's last one; a free
        extent that starts there is used first, so that a growing sequence stays in one.
        """
        assert slots >= 0, "cannot take a negative number of slots"
        if slots > self.free_slots:
            return None
        taken: list[Extent] = []
        if after is not None and after in self._length:
            taken.append(self._take(after, min(slots, self._length[after])))
        wanted = slots - kv_extents.count(taken)
        rest: list[Extent] = []
        while wanted:
            fit = bisect_left(self._by_length, (wanted, -1))
            length, start = self._by_length[min(fit, len(self._by_length) - 1)]
            rest.append(self._take(start, min(wanted, length)))
            wanted -= rest[-1][1]
        out = kv_extents.merged([*taken, *sorted(rest)])
        self._move(out, FREE, LIVE, "allocated")
        return out

    def free(self, extents: Sequence[Extent]) -> None:
        """Free live slots. Raises InvariantError on a double free."""
        self._move(extents, LIVE, FREE, "freed")
        self._give_back(extents)

    def adopt(self, extents: Sequence[Extent], tags: npt.NDArray[np.int64] | None) -> None:
        """Hand live slots to the tree; `tags` has one tag per slot, None means all zero."""
        self._move(extents, LIVE, CACHED, "cached")
        at = 0
        for first, length in extents:
            self.tags[first : first + length] = 0 if tags is None else tags[at : at + length]
            at += length

    def release(self, extents: Sequence[Extent]) -> None:
        """Free the tree's slots. Raises InvariantError on a double free."""
        self._move(extents, CACHED, FREE, "evicted")
        self._give_back(extents)

    def distrust(self, extents: Sequence[Extent]) -> None:
        """Mark the tree's slots as suspect."""
        self.any_suspect = True
        for first, length in extents:
            self.tags[first : first + length] = SUSPECT

    def relocate(self, source: Sequence[Extent], end: int) -> Extents:
        """Move the tree's slots `source`, with their tags, to numbers below `end`.

        Uses as few runs as possible. The caller copies the bytes. There must be enough free slots
        below `end`.
        """
        tags = self.tags_of(source)
        wanted, taken = kv_extents.count(source), list[Extent]()
        while wanted:
            first, length = self._room_below(wanted, end)
            taken.append(self._take(first, min(length, wanted)))
            wanted -= taken[-1][1]
        target = tuple(sorted(taken))
        self._move(target, FREE, LIVE, "allocated")
        self.adopt(target, tags)
        self.release(source)
        return target

    def resize(self, total: int) -> None:
        """Change the pool to `total` slots; slots beyond that must be free."""
        assert not self.status[total:].any(), "slots beyond the new end are in use"
        for first, length in self.free_extents():
            if first + length > total:
                self._remove_free(first)
                if first < total:
                    self._add_free(first, total - first)
        grown = max(total - self.total, 0)
        self.status = np.concatenate([self.status[:total], np.zeros(grown, np.uint8)])
        self.tags = np.concatenate([self.tags[:total], np.zeros(grown, np.int64)])
        self.counts[FREE] += total - self.total
        old, self.total = self.total, total
        if grown:
            # As if the slots past the old end were freed, so that they merge with a free one there.
            self._give_back(((old, grown),))

    def tags_of(self, extents: Sequence[Extent]) -> npt.NDArray[np.int64]:
        """The tag of every position, `[positions] int64`."""
        if not extents:
            return np.empty(0, np.int64)
        return np.concatenate([self.tags[f : f + n] for f, n in extents])

    def _move(self, extents: Sequence[Extent], old: int, new: int, what: str) -> None:
        for first, length in extents:
            if not (first >= 0 and length > 0 and first + length <= self.total):
                raise InvariantError(f"no such KV slots: {length} from {first} of {self.total}")
            view = self.status[first : first + length]
            if (view != old).any():
                bad = int((view != old).argmax())
                name = "double free" if view[bad] == FREE else "wrong owner"
                raise InvariantError(
                    f"{name}: KV slot {first + bad} is {STATUS_NAMES[view[bad]]}, "
                    f"only {STATUS_NAMES[old]} slots can be {what}"
                )
            view[:] = new
            self.counts[old] -= length
            self.counts[new] += length

    def _room_below(self, wanted: int, end: int) -> Extent:
        """The best-fitting free extent below `end`, clipped there; else a long one."""
        fit, cut = bisect_left(self._by_length, (wanted, -1)), (0, 0)
        for at in chain(range(fit, len(self._by_length)), range(fit - 1, -1, -1)):
            length, start = self._by_length[at]
            if start + length <= end:
                return start, length
            if start < end:
                # The one extent that crosses the end.
                cut = (start, end - start)
                if cut[1] >= wanted:
                    return cut
        assert cut[1], "no room to relocate to"
        return cut

    def _take(self, start: int, length: int) -> Extent:
        whole = self._remove_free(start)
        if whole > length:
            self._add_free(start + length, whole - length)
        return (start, length)

    def _give_back(self, extents: Sequence[Extent]) -> None:
        for first, length in extents:
            start, end = first, first + length
            at = bisect_left(self._starts, start)
            if at < len(self._starts) and self._starts[at] == end:
                end += self._remove_free(end)
            if at and self._starts[at - 1] + self._length[self._starts[at - 1]] == start:
                start = self._starts[at - 1]
                self._remove_free(start)
            self._add_free(start, end - start)

    def _add_free(self, start: int, length: int) -> None:
        insort(self._starts, start)
        self._length[start] = length
        insort(self._by_length, (length, start))

    def _remove_free(self, start: int) -> int:
        length = self._length.pop(start)
        del self._starts[bisect_left(self._starts, start)]
        del self._by_length[bisect_left(self._by_length, (length, start))]
        return length
