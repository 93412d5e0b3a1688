"""A checkpoint's history: every event of its life in order, on whatever tier it happened."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.analysis.why.checkpoint_history import Chapter, Event, history_of, prefix_of
from engine.analysis.why.lives import Lives
from engine.cache.journal.changes import CheckpointDropped, CheckpointStored, Stamped
from engine.journal.tape import Tape, read_tape
from engine.snapshot import NodeView
from tests.assets.make_traces import TRACES

# The end of a system text that all conversations of the golden traces share.
SHARED = 90


def followed(name: str) -> Lives:
    lives = Lives(read_tape(TRACES / f"{name}.jsonl.gz"))
    lives.follow()
    return lives


@pytest.fixture(scope="module")
def tiers() -> Lives:
    """A recording with a small device, a host tier and a disk."""
    return followed("tiers")


@pytest.fixture(scope="module")
def small() -> Lives:
    """A recording with a small device alone, whose tokens are hashes."""
    return followed("small")


def checkpoints(tape: Tape, index: int) -> list[NodeView]:
    return [node for node in tape.snapshot(index).nodes if node.checkpoint is not None]


def told(lives: Lives, end: int) -> Sequence[Chapter]:
    """The history of a checkpoint that is there in the middle of the recording."""
    tape = lives.tape
    index = len(tape) // 2
    node = next(one for one in checkpoints(tape, index) if one.end == end)
    return history_of(lives, prefix_of(tape, index, node, lives), end)


def test_it_moves_down_tier_by_tier_and_comes_back_when_it_is_needed(tiers: Lives) -> None:
    chapters = told(tiers, SHARED)
    assert [one.index for one in chapters] == sorted(one.index for one in chapters)
    first = [(one.event, one.tier, one.other) for one in chapters[:5]]
    assert first == [
        (Event.STORED, "device", ""),
        (Event.MOVED_DOWN, "device", "host"),
        (Event.MOVED_DOWN, "host", "disk"),
        (Event.PROMOTED, "device", "disk"),
        (Event.RESUMED, "disk", ""),
    ]
    assert chapters[1].named == "state pressure"


def test_whoever_resumed_from_it_is_named(small: Lives) -> None:
    resumed = [one.request for one in told(small, SHARED) if one.event is Event.RESUMED]
    requests = [
        taped.number
        for taped in small.tape.requests
        if taped.bare.reused == SHARED and taped.bare.resumed_from
    ]
    assert resumed == requests
    assert len(resumed) > 5


@pytest.mark.parametrize("recording", ["tiers", "small"])
def test_each_event_is_of_that_checkpoint_and_the_moment_shows_it(
    recording: str, request: pytest.FixtureRequest
) -> None:
    lives: Lives = request.getfixturevalue(recording)
    tape = lives.tape
    seen = 0
    for node in checkpoints(tape, len(tape) // 2):
        prefix = prefix_of(tape, len(tape) // 2, node, lives)
        for one in history_of(lives, prefix, node.end):
            what = tape.entry(one.index).what
            if isinstance(what, CheckpointStored):
                assert what.state.position == node.end
            elif isinstance(what, CheckpointDropped | Stamped):
                assert what.position == node.end
            there = checkpoints(tape, one.moment)
            keys = [prefix_of(tape, one.moment, at, lives) for at in there if at.end == node.end]
            assert prefix in keys, (one, node.end)
            seen += 1
    assert seen > 20


def test_what_no_tier_has_any_more_is_lost_and_what_one_has_is_evicted(tiers: Lives) -> None:
    events = {
        event: [
            one
            for node in checkpoints(tiers.tape, len(tiers.tape) // 2)
            for one in history_of(tiers, node.key, node.end)
            if one.event is event
        ]
        for event in (Event.LOST, Event.EVICTED)
    }
    assert events[Event.LOST]
    assert events[Event.EVICTED]
    for event, found in events.items():
        for one in found:
            node = next(
                at
                for at in checkpoints(tiers.tape, one.index)
                if one in history_of(tiers, at.key, at.end)
            )
            after = [at.key for at in checkpoints(tiers.tape, one.index + 1)]
            assert (node.key in after) == (event is Event.EVICTED)


def test_files_are_told_by_their_tokens(tiers: Lives) -> None:
    found = [filed for filed in tiers.files if filed.key]
    assert len(found) == len(tiers.files) > 10
    gone = [filed for filed in found if filed.gone is not None]
    assert gone
    for filed in gone:
        chapters = history_of(tiers, filed.key, filed.end)
        assert filed.gone is not None
        assert filed.gone[0] in [one.index for one in chapters if one.tier == "disk"]


def test_nothing_is_told_of_an_unknown_prefix(tiers: Lives) -> None:
    assert history_of(tiers, "", SHARED) == ()
    assert history_of(tiers, "0" * 16, SHARED) == ()
