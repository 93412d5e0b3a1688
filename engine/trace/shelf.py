"""Entries by their index, packed: a million of them take tens of megabytes instead of hundreds."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock

from engine.cache.journal.journal import Entry
from engine.trace.packed_entries import packed, unpacked

BLOCK = 1024
# How many blocks are held unpacked: a walk along the tape unpacks each once.
OPEN = 12


class Shelf:
    """Grows at its end and is shortened at its beginning, block by block.

    One thread writes while others read.

    Attributes:
        first: index of the first entry that is still there.
    """

    def __init__(self) -> None:
        self.first = 0
        self._packed: list[bytes] = []
        self._last: list[Entry] = []
        self._open: OrderedDict[int, list[Entry]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """Including those that are gone."""
        return self.first + BLOCK * len(self._packed) + len(self._last)

    def append(self, entry: Entry) -> None:
        self._last.append(entry)
        if len(self._last) == BLOCK:
            data = packed(self._last)
            with self._lock:
                self._packed.append(data)
                self._last = []

    def __getitem__(self, index: int) -> Entry:
        """Raises IndexError if it is gone, or not there yet."""
        with self._lock:
            at = index - self.first
            if not 0 <= at < len(self) - self.first:
                raise IndexError(f"there is no entry {index}")
            return self._block(at // BLOCK)[at % BLOCK]

    def between(self, start: int, end: int) -> Iterator[Entry]:
        """The entries [start, end)."""
        at = start
        while at < end:
            with self._lock:
                block, inside = divmod(at - self.first, BLOCK)
                found = self._block(block)[inside : inside + end - at]
            yield from found
            at += len(found)

    def drop_before(self, index: int) -> None:
        """Forget the whole blocks before an index."""
        blocks = min((index - self.first) // BLOCK, len(self._packed))
        if blocks > 0:
            with self._lock:
                del self._packed[:blocks]
                self.first += blocks * BLOCK
                self._open.clear()

    @property
    def nbytes(self) -> int:
        """Bytes of what is packed."""
        return sum(map(len, self._packed))

    def _block(self, block: int) -> list[Entry]:
        if block == len(self._packed):
            return self._last
        found = self._open.get(block)
        if found is None:
            found = self._open[block] = unpacked(self._packed[block])
            if len(self._open) > OPEN:
                self._open.popitem(last=False)
        else:
            self._open.move_to_end(block)
        return found
