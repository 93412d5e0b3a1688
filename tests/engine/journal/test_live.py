"""The running request, as the records tell it."""

from __future__ import annotations

import pytest

from engine.analysis.show import TraceState, state_at
from engine.cache.journal.changes import (
    CacheOpened,
    Change,
    CheckpointDropped,
    EntriesLost,
    NodeAdded,
    NodeRemoved,
    NodeSplit,
    Noticed,
    RequestAt,
    RequestBegan,
    Stamped,
    Touched,
)
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan
from engine.errors import TraceError
from engine.snapshot import LiveView
from tests.engine.journal.samples import request

OPENED = CacheOpened("coverage", 100, 4, 1, 10)


def entries(*whats: Change | RequestRan) -> list[Entry]:
    return [Entry(n + 1, float(n), "device", what) for n, what in enumerate(whats)]


def test_it_is_seen_from_its_start_to_its_end() -> None:
    told = entries(
        OPENED,
        RequestBegan(7, 90, 40, 10),
        RequestAt(7, 3, 64),
        request([1] * 90, request=7),
    )
    assert state_at(told, 0.0).snapshot().live is None
    assert state_at(told, 1.0).snapshot().live == LiveView(7, 0, 40, 40, 10, 90)
    assert state_at(told, 2.0).snapshot().live == LiveView(7, 3, 64, 40, 10, 90)
    end = state_at(told, 3.0)
    assert end.snapshot().live is None
    assert (end.counted, len(end.requests)) == (1, 1)


def test_lost_entries_and_notices_are_remembered() -> None:
    state = state_at(entries(OPENED, Noticed("A file was removed."), EntriesLost(12)), 9.0)
    assert list(state.notices) == ["A file was removed."]
    assert state.lost == 12


@pytest.mark.parametrize(
    "wrong",
    [
        RequestAt(1, 0, 5),
        NodeAdded(1, 9, 0, 5),
        NodeAdded(1, 0, 3, 5),
        NodeSplit(0, 1, 0),
        NodeRemoved(0, "kv pressure"),
        Touched(4, None),
        CheckpointDropped(0, 0, "state pressure"),
        Stamped(0, 0, "fine", 0.0, 0.0, False),
    ],
    ids=lambda wrong: type(wrong).__name__,
)
def test_what_cannot_have_happened_is_refused(wrong: Change) -> None:
    state = TraceState()
    state.apply(entries(OPENED)[0])
    with pytest.raises(TraceError):
        state.apply(Entry(2, 1.0, "device", wrong))
