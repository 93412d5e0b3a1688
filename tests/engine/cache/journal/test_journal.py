"""The journal: the latest entries, in order, for queries and listeners."""

from __future__ import annotations

import time

from engine.cache.journal.changes import CheckpointSkipped, NodeRemoved
from engine.cache.journal.journal import Entry, Journal
from engine.cache.journal.request_ran import RequestRan
from tests.engine.journal.samples import request
from tests.stopwatch import times_s

MOST_US_PER_ENTRY = 3.0


class TestRing:
    def test_it_keeps_the_last_entries_and_counts_the_dropped_ones(self) -> None:
        journal = Journal(limit=3)
        log_change = journal.of("device", lambda: 7.0)
        for node in range(5):
            log_change(NodeRemoved(node, "kv pressure"))
        assert [entry.what for entry in journal.entries()] == [
            NodeRemoved(node, "kv pressure") for node in (2, 3, 4)
        ]
        assert (journal.seq, journal.dropped) == (5, 2)

    def test_entries_after_a_number_are_those_not_seen_yet(self) -> None:
        journal = Journal()
        log_change = journal.of("host", lambda: 1.0)
        for position in range(4):
            log_change(CheckpointSkipped(position))
        assert [entry.seq for entry in journal.entries(after=2)] == [3, 4]
        assert journal.entries(after=4) == ()
        assert len(journal.entries(after=-5)) == 4

    def test_each_tier_logs_under_its_own_name_and_clock(self) -> None:
        journal = Journal()
        journal.of("device", lambda: 1.0)(CheckpointSkipped(1))
        journal.of("host", lambda: 2.0)(CheckpointSkipped(2))
        journal.of("host", lambda: 2.0)(CheckpointSkipped(3), 9.5)
        assert journal.entries() == (
            Entry(1, 1.0, "device", CheckpointSkipped(1)),
            Entry(2, 2.0, "host", CheckpointSkipped(2)),
            Entry(3, 9.5, "host", CheckpointSkipped(3)),
        )

    def test_the_ring_keeps_a_request_without_its_tokens(self) -> None:
        journal = Journal()
        received: list[Entry] = []
        journal.listen(received.append)
        journal.log_request(3.0, request([5, 6, 7], [8]))
        kept, passed_on = journal.entries()[0].what, received[0].what
        assert isinstance(kept, RequestRan)
        assert isinstance(passed_on, RequestRan)
        assert (len(kept.prompt), len(kept.decoded)) == (0, 0)
        assert passed_on.prompt.tolist() == [5, 6, 7]
        assert kept.computed == passed_on.computed == 3


class TestListeners:
    def test_a_listener_is_called_until_it_stops(self) -> None:
        journal = Journal()
        log_change = journal.of("device", lambda: 0.0)
        received: list[Entry] = []
        assert not journal.listening
        stop = journal.listen(received.append)
        assert journal.listening
        log_change(CheckpointSkipped(1))
        stop()
        stop()
        log_change(CheckpointSkipped(2))
        assert [entry.what for entry in received] == [CheckpointSkipped(1)]
        assert not journal.listening


def test_an_entry_costs_about_a_microsecond() -> None:
    log_change = Journal().of("device", time.monotonic)

    def log_many() -> None:
        for node in range(5000):
            log_change(NodeRemoved(node, "kv pressure"))

    best = times_s(log_many, 5)[0] / 5000
    print(f"{1e6 * best:.2f} us per entry")
    assert 1e6 * best < MOST_US_PER_ENTRY
