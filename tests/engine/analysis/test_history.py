"""What was asked before a recording: kept small, given back whole."""

from __future__ import annotations

import numpy as np
import pytest

from engine.analysis import history as keeping
from engine.analysis.history import History
from engine.cache.journal.changes import CheckpointSkipped, Cleared, Forgot
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan
from tests.engine.analysis.test_replay import chats
from tests.engine.journal.samples import request


def told(history: History, asked: list[RequestRan]) -> None:
    for number, ran in enumerate(asked):
        history.on_entry(Entry(number + 1, float(number), "device", ran))


def sizes_of(history: History) -> int:
    return sum(len(kept.tail) for kept in history._kept)


def test_every_request_comes_back_as_it_was() -> None:
    asked = chats(6, 80)
    history = History()
    told(history, asked)
    assert history.complete
    for ran, entry in zip(asked, history.entries(), strict=True):
        back = entry.what
        assert isinstance(back, RequestRan)
        assert back.prompt.tolist() == ran.prompt.tolist()
        assert back.decoded.tolist() == ran.decoded.tolist()
        assert (back.anchors, back.position, back.stop) == (ran.anchors, ran.position, ran.stop)


def test_of_a_chat_only_what_is_new_takes_room() -> None:
    history = History()
    whole = list(range(1000))
    told(history, [request(whole[:length], whole[length : length + 5]) for length in range(5, 900)])
    assert sizes_of(history) < 1000


def test_drops_are_kept_in_their_place_and_what_follows_by_itself_is_not() -> None:
    history = History()
    told(history, [request([1, 2, 3])])
    history.on_entry(Entry(2, 1.0, "device", CheckpointSkipped(3)))
    history.on_entry(Entry(3, 2.0, "device", Cleared(running=False)))
    told(history, [request([1, 2, 3, 4]), request([9], reuse=False)])
    kinds = [type(entry.what) for entry in history.entries()]
    assert kinds == [RequestRan, Cleared, RequestRan]
    last = history.entries()[-1].what
    assert isinstance(last, RequestRan)
    assert last.prompt.tolist() == [1, 2, 3, 4]


def test_beyond_its_bound_it_keeps_nothing_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST_TOKENS", 100)
    history = History()
    rng = np.random.default_rng(0)
    told(history, [request(rng.integers(0, 1000, 40).tolist()) for _ in range(4)])
    assert not history.complete
    assert history.entries() == []
    told(history, [request([1, 2, 3])])
    assert history.entries() == []


def test_after_a_deletion_a_later_recording_has_nothing_of_before() -> None:
    history = History()
    told(history, [request([1, 2, 3])])
    history.on_entry(Entry(2, 1.0, "device", Forgot((1, 2))))
    told(history, [request([9, 9])])
    assert not history.complete
    assert history.entries() == []
