"""Packed entries come back as they were, whatever record they hold."""

from __future__ import annotations

import numpy as np

from engine.cache.journal.changes import (
    ByUser,
    CacheFound,
    CacheOpened,
    Change,
    CheckpointStored,
    NodeAdded,
    Pieces,
    Tuned,
)
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import DiskOffer
from engine.journal.reel import packed, unpacked
from engine.snapshot import NodeView
from engine.stored_state import StoredState
from engine.verdict import Verdict
from tests.engine.journal.taped import TapedCaches

STATE = StoredState(9, "branch", 2**62, True, "int8", 0.25, "host", None, "interval")
FOUND = Verdict("drifted", 0.5, 0.25, 7.0)
ROOT = NodeView(0, None, 0, 0, 0, 0, 0, 0.0, 0.0, 0, None)
OTHERS: tuple[Change, ...] = (
    CheckpointStored(1, 2, 3, STATE),
    CheckpointStored(1, 2, 3, StoredState(9, verdict=FOUND)),
    CacheFound(CacheOpened("lru", 9, 9, 1, 2), (ROOT,), 0, 0, (("a", 1),), 0, (b"",)),
    ByUser("checkpoint", (1, 2), (1,), (), 2, (DiskOffer("taken in", STATE),)),
    Pieces(((5, b"five"),)),
    Tuned(64, 32, 0, 0, 0.5),
)


def same(entries: list[Entry]) -> None:
    got = unpacked(packed(entries))
    assert got == entries
    # Equal states may differ in what made the engine store them.
    assert repr(got) == repr(entries)
    assert [type(entry) for entry in got] == [type(entry) for entry in entries]


def test_every_record_of_a_random_day() -> None:
    caches = TapedCaches(12)
    for _ in range(8):
        caches.ask()
    same([entry for entry in caches.entries if not hasattr(entry.what, "prompt")])


def test_records_that_hold_others() -> None:
    same([Entry(n, n / 3, "host", what) for n, what in enumerate(OTHERS)])


def test_numbers_of_numpy() -> None:
    what = NodeAdded(1, 0, 0, np.int64(9))  # type: ignore[arg-type]
    same([Entry(1, 0.5, "device", what), Entry(2, 1.5, "device", OTHERS[0])])


def test_they_are_small() -> None:
    caches = TapedCaches(13)
    while len(caches.entries) < 2048:
        caches.ask()
    entries = [e for e in caches.entries if not hasattr(e.what, "prompt")][:1024]
    assert len(packed(entries)) < 40 * len(entries)
