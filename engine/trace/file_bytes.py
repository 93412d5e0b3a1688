"""The bytes of the disk tier's files by plane, followed record by record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.cache.journal.changes import SegmentRemoved
from engine.cache.journal.segments import DiskOpened, SegmentAdded, SegmentWritten


class FileBytes:
    """Knows nothing before a DiskOpened.

    Attributes:
        budget: bytes that the files may take; None while nothing is known.
        kv, rest: bytes of KV, and of all else: states, tokens and headers.
    """

    def __init__(self) -> None:
        self.budget: int | None = None
        self.kv = self.rest = 0
        self._slot_bytes = 0
        self._files: dict[str, tuple[int, int]] = {}

    def follow(self, what: object) -> bool:
        """Take over a record; whether it changed any bytes."""
        change = _CHANGES.get(type(what))
        if change is None or (self.budget is None and type(what) is not DiskOpened):
            return False
        change(self, what)
        return True

    def resume(self, opened: DiskOpened, kv: int, rest: int) -> None:
        """Go on with so many bytes of files that are not known one by one."""
        self._open(opened)
        self.kv, self.rest = kv, rest

    def _open(self, what: DiskOpened) -> None:
        self.budget, self._slot_bytes = what.budget_bytes, what.kv_slot_bytes
        self._files.clear()
        self.kv = self.rest = 0

    def _add(self, what: SegmentAdded) -> None:
        self._drop(what.key)
        self._put(what.key, (what.end - what.start) * self._slot_bytes, what.file_bytes)

    def _written(self, what: SegmentWritten) -> None:
        # Otherwise it has the size that it was to have.
        if what.key in self._files:
            self._put(what.key, self._drop(what.key), what.file_bytes)

    def _remove(self, what: SegmentRemoved) -> None:
        if what.key not in self._files:
            self.kv -= what.kv_bytes
            self.rest -= what.bytes - what.kv_bytes
        # One that is superseded is replaced next.
        elif what.cause != "superseded":
            self._drop(what.key)

    def _put(self, key: str, kv: int, whole: int) -> None:
        self._files[key] = kv, whole - kv
        self.kv += kv
        self.rest += whole - kv

    def _drop(self, key: str) -> int:
        """Returns the bytes of its KV."""
        kv, rest = self._files.pop(key, (0, 0))
        self.kv -= kv
        self.rest -= rest
        return kv


_CHANGES: Mapping[type, Callable[[FileBytes, Any], None]] = {
    DiskOpened: FileBytes._open,
    SegmentAdded: FileBytes._add,
    SegmentWritten: FileBytes._written,
    SegmentRemoved: FileBytes._remove,
}
FILE_CHANGES = frozenset(_CHANGES)
