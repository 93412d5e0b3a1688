"""Segments as records of the journal, with times on the cache's clock."""

from __future__ import annotations

import time
from dataclasses import replace

from engine.cache.journal.segments import SegmentAdded
from engine.storage.disk_index import Entry
from engine.stored_state import StoredState


class SegmentRecords:
    """Describes the segments of one store.

    Files outlive the cache's clock, which restarts with the machine, and have seconds since 1970.
    The offset is taken once, so that the order of use is the same in files.

    Attributes:
        kv_slot_bytes: bytes of a token of KV.
    """

    def __init__(self, kv_slot_bytes: int) -> None:
        self.kv_slot_bytes = kv_slot_bytes
        self._zero = time.time() - time.monotonic()

    def added(self, entry: Entry, *, written: bool, found: bool) -> SegmentAdded:
        """The record of a segment, without its tokens."""
        meta = entry.meta
        return SegmentAdded(
            key=meta.key,
            parent=meta.parent,
            start=meta.start,
            end=meta.end,
            created=self.moment(meta.created),
            used=self.moment(entry.used),
            file_bytes=entry.nbytes,
            state=self.state(meta.state),
            written=written,
            found=found,
        )

    def kv_bytes(self, entry: Entry) -> int:
        """Bytes of its KV."""
        return self.kv_slot_bytes * (entry.meta.end - entry.meta.start)

    def moment(self, wall: float) -> float:
        """Seconds since 1970 on the cache's clock."""
        return wall - self._zero

    def wall(self, moment: float) -> float:
        """A moment on the cache's clock as seconds since 1970."""
        return moment + self._zero

    def state(self, state: StoredState) -> StoredState:
        """A file's state, its times on the cache's clock."""
        return _shifted(state, -self._zero)

    def state_in_file(self, state: StoredState) -> StoredState:
        """The opposite."""
        return _shifted(state, self._zero)


def _shifted(state: StoredState, seconds: float) -> StoredState:
    """The same with its times on another clock."""
    if state.verdict is None:
        return state
    return replace(state, verdict=replace(state.verdict, time=state.verdict.time + seconds))
