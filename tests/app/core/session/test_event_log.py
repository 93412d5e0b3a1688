"""The log of a session: nothing twice, nothing silently dropped, each with its time."""

from __future__ import annotations

import time

from msgspec.structs import replace

from app.core.session.event_log import MOST_EVICTIONS, EventLog, LoggedEviction, LoggedNotice
from app.core.session.model import Session
from engine.snapshot import CacheSnapshot
from tests.app.samples import evicted, snapshot


def telling(*numbers: int, unlisted: int = 0, now: float = 0.0) -> CacheSnapshot:
    told = tuple(evicted(number) for number in numbers)
    return replace(snapshot(time=now), evictions=told, unlisted=unlisted)


class TestEventLog:
    def test_who_looks_gets_each_eviction_once(self) -> None:
        log = EventLog()
        log.add_evictions(telling(1, 2), 0.0)
        assert [gone.seq for gone in log.after(0)] == [1, 2]
        seen = log.total
        log.add_evictions(telling(3), 0.0)
        assert [gone.seq for gone in log.after(seen)] == [3]
        assert log.after(log.total) == ()

    def test_an_eviction_has_the_time_at_which_it_happened(self) -> None:
        log = EventLog()
        log.add_evictions(telling(1, now=7.5), 1000.0)
        (entry,) = log.since(0)
        assert entry.clock == 992.5

    def test_entries_are_in_the_order_of_their_arrival_and_have_times(self) -> None:
        log = EventLog()
        log.add_notices(["later"], 1000.0)
        log.add_evictions(telling(1, now=7.5), 1001.0)
        entries = log.since(0)
        assert [type(entry) for entry in entries] == [LoggedNotice, LoggedEviction]
        assert entries[0].clock > entries[1].clock
        assert log.since(1) == entries[1:]

    def test_what_it_cannot_list_it_counts(self) -> None:
        log = EventLog()
        log.add_notices(["first"], 0.0)
        log.add_evictions(telling(*range(MOST_EVICTIONS + 7), unlisted=4), 0.0)
        assert len(log.since(0)) == MOST_EVICTIONS + 1
        assert len(log.after(0)) == 1000
        assert log.oldest == (1, 9)
        assert log.left_out == 11
        assert log.notices == ["first"]

    def test_the_session_keeps_what_each_snapshot_tells(self) -> None:
        session = Session()
        before = time.time()
        for number in (1, 2):
            shown = telling(number, unlisted=1)
            session.cache.see(shown)
        assert [gone.seq for gone in session.log.after(0)] == [1, 2]
        assert session.log.unlisted == 2
        assert all(entry.clock >= before for entry in session.log.since(0))
