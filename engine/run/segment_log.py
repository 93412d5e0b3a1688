"""Tells the journal what becomes of the disk tier's segments."""

from __future__ import annotations

import time
from collections.abc import Sequence

from engine.cache.journal.changes import SegmentRemoved
from engine.cache.journal.journal import Journal
from engine.cache.journal.segments import DiskTrouble, SegmentsUsed, SegmentWritten
from engine.cache.tiers.lower import FileCause
from engine.cache.view.departures import Departures
from engine.storage.disk_index import Entry
from engine.storage.segment_file import Tokens
from engine.storage.segment_records import SegmentRecords


class SegmentLog:
    """A watch of a store; see StoreWatch."""

    def __init__(self, journal: Journal, departures: Departures, records: SegmentRecords) -> None:
        self._log_change = journal.of("disk", time.monotonic)
        self._departures = departures
        self._records = records

    def added(self, entry: Entry) -> None:
        self._log_change(self._records.added(entry, written=False, found=False))

    def written(self, entry: Entry) -> None:
        self._log_change(SegmentWritten(entry.meta.key, entry.nbytes))

    def used(self, entries: Sequence[Entry]) -> None:
        keys = tuple(entry.meta.key for entry in entries)
        self._log_change(SegmentsUsed(keys, self._records.moment(entries[0].used)))

    def removed(self, entry: Entry, tokens: Tokens | None, cause: FileCause) -> None:
        meta = entry.meta
        change = SegmentRemoved(
            meta.start,
            meta.end,
            meta.state.provenance,
            entry.nbytes,
            self._records.kv_bytes(entry),
            cause,
            meta.key,
        )
        self._departures.log_segment_removed(self._log_change, change, tokens)

    def troubled(self, damaged: int, trouble: str) -> None:
        self._log_change(DiskTrouble(damaged, trouble))
