"""What the disk tier holds, as records: its segments by key, as the engine learns of them.

A segment's removal is `SegmentRemoved`, among the evictions in changes.py.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.stored_state import StoredState


class DiskOpened(NamedTuple):
    """The disk tier as a late listener finds it; its segments follow, parents before children.

    Attributes:
        kv_slot_bytes: bytes of a token of KV in a file.
        damaged, trouble: see DiskTrouble.
    """

    budget_bytes: int
    kv_slot_bytes: int
    damaged: int = 0
    trouble: str = ""


class SegmentAdded(NamedTuple):
    """A segment that the disk tier took over; it takes the place of one with the same key.

    Attributes:
        key: names it; `parent` the segment that ends at `start`, "" if that is 0.
        end: where its state is.
        created, used: when its state was stored, and it or a descendant last used; seconds on the
            cache's clock.
        file_bytes: of the file, or what it will have.
        written: the file is there; until it is, the segment waits in memory.
        found: it was there already when this was told.
        tokens: of its span, as in NodeAdded; b"" if they are not known.
    """

    key: str
    parent: str
    start: int
    end: int
    created: float
    used: float
    file_bytes: int
    state: StoredState
    written: bool = False
    found: bool = False
    tokens: bytes = b""


class SegmentWritten(NamedTuple):
    """The file of a segment is there now and has so many bytes."""

    key: str
    file_bytes: int


class SegmentsUsed(NamedTuple):
    """Segments that were last used at `used`, seconds on the cache's clock."""

    keys: tuple[str, ...]
    used: float


class DiskTrouble(NamedTuple):
    """Files found damaged so far, and why nothing can be written, "" if it can; see DiskView."""

    damaged: int
    trouble: str
