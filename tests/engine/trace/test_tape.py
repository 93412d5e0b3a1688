"""The tape: at any moment, however it is reached, it shows what the live cache showed then."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cache.journal.changes import CacheOpened, NodeAdded, RequestAt
from engine.cache.journal.journal import Entry
from engine.errors import TraceError
from engine.trace import keyframe, reel
from engine.trace.lines import TraceEntry
from engine.trace.reducer import TraceState
from engine.trace.tape import Tape
from tests.engine.trace.taped import Seen, TapedCaches, shown

REQUESTS = 60


@pytest.fixture(autouse=True)
def many_keyframes(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a short tape has many of them."""
    monkeypatch.setattr(reel, "SPACING", 150)
    monkeypatch.setattr(reel, "UNDONE", 40)


def day(seed: int, host_kv: int = 500) -> tuple[TapedCaches, dict[int, Seen]]:
    """A tape, and what was seen at some of its moments."""
    caches = TapedCaches(seed, host_kv=host_kv)
    seen = {}
    for _ in range(REQUESTS):
        caches.ask()
        seen[len(caches.tape)] = caches.seen()
    return caches, seen


@pytest.mark.parametrize("host_kv", [0, 180, 500, 2000])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
class TestAgainstTheLiveCache:
    def test_jumping(self, seed: int, host_kv: int) -> None:
        caches, seen = day(seed, host_kv)
        moments = np.random.default_rng(seed).permutation(list(seen)).tolist()
        for index in moments:
            assert shown(caches.tape, index) == seen[index], index

    def test_stepping_forwards_and_backwards(self, seed: int, host_kv: int) -> None:
        caches, seen = day(seed, host_kv)
        end = len(caches.tape)
        for index in [*range(end - 400, end + 1), *range(end, end - 400, -1)]:
            got = shown(caches.tape, index)
            if index in seen:
                assert got == seen[index], index


@pytest.mark.parametrize("seed", [5, 6])
class TestAgainstTheNaiveReplay:
    """The device's own nodes, at moments inside of a request, by replaying from the start."""

    def test_at_random_moments(self, seed: int) -> None:
        caches, _ = day(seed, host_kv=0)
        rng = np.random.default_rng(seed)
        for index in rng.integers(0, len(caches.entries) + 1, 60).tolist():
            naive = TraceState()
            for entry in caches.entries[:index]:
                naive.apply(entry)
            expected, got = naive.snapshot(), caches.tape.snapshot(index)
            assert {n.id: n for n in got.nodes} == {n.id: n for n in expected.nodes}
            assert (got.kv, got.state, got.live) == (expected.kv, expected.state, expected.live)
            assert (got.version, got.time) == (expected.version, expected.time)
            assert got.skipped_checkpoints == expected.skipped_checkpoints

    def test_a_step_is_taken_back_exactly(self, seed: int) -> None:
        """Each of these steps is undone; none is reached from a keyframe."""
        caches, _ = day(seed, host_kv=300)
        end = len(caches.tape)
        there = {index: shown(caches.tape, index) for index in range(end - 35, end + 1)}
        before = caches.tape._reel._shown
        for index in range(end, end - 36, -1):
            assert shown(caches.tape, index) == there[index], index
        assert caches.tape._reel._shown is before

    def test_a_wrong_keyframe_is_noticed(self, seed: int) -> None:
        caches, seen = day(seed)
        frames, starts = caches.tape._reel._frames, caches.tape._reel._starts
        assert len(frames) > 5
        frames[3] = frames[2]
        wrong = [index for index in seen if starts[3] <= index < starts[4]]
        caches.tape.snapshot(0)
        assert not all(same(caches.tape, index, seen[index]) for index in wrong)


def same(tape: Tape, index: int, seen: Seen) -> bool:
    """Whether a moment shows that, coming from the tape's beginning."""
    tape.snapshot(0)
    try:
        return shown(tape, index) == seen
    except (TraceError, KeyError):
        return False


class TestBounds:
    def test_the_oldest_spans_are_forgotten_and_the_rest_stays_right(self) -> None:
        caches = TapedCaches(7)
        caches.tape = Tape(most=1000)
        seen = {}
        for _ in range(REQUESTS):
            caches.ask()
            seen[len(caches.tape)] = caches.seen()
        tape = caches.tape
        assert 1000 - 2 * 150 < len(tape) - tape.first < 1000 + 2 * 150
        for index in seen:
            if index >= tape.first:
                assert shown(tape, index) == seen[index]
        assert tape.snapshot(0) == tape.snapshot(tape.first)
        with pytest.raises(IndexError):
            tape.entry(0)
        assert tape.entry(len(tape) - 1).seq == caches.entries[-1].seq

    def test_a_keyframe_takes_little(self) -> None:
        caches, _ = day(8)
        nodes = len(caches.tape.snapshot(len(caches.tape)).nodes)
        frame = keyframe.Keyframe.of(caches.tape._reel._head)
        assert frame.nbytes < 100 * nodes + 500


class TestEntries:
    def test_they_come_back_as_they_were(self) -> None:
        caches, _ = day(9)
        assert len(caches.entries) > 3 * 1024
        rng = np.random.default_rng(9)
        for index in rng.integers(0, len(caches.entries), 300).tolist():
            got, expected = caches.tape.entry(index), caches.entries[index]
            if hasattr(expected.what, "prompt"):
                assert np.array_equal(got.what.sequence, expected.what.sequence)  # type: ignore[union-attr]
            else:
                assert got == expected

    def test_one_that_does_not_fit_is_refused_and_nothing_of_it_stays(self) -> None:
        tape = Tape()
        opened = CacheOpened("coverage", 100, 4, 1, 10)
        tape.append([TraceEntry(Entry(1, 0.0, "device", opened))])
        tape.append([TraceEntry(Entry(2, 1.0, "device", NodeAdded(1, 0, 0, 9)))])
        for wrong in (RequestAt(9, 1, 5), NodeAdded(1, 0, 0, 9), NodeAdded(2, 5, 0, 9)):
            with pytest.raises(TraceError):
                tape.append([TraceEntry(Entry(3, 2.0, "device", wrong))])
        assert len(tape) == 2
        assert [node.id for node in tape.snapshot(2).nodes] == [0, 1]
        assert len(tape.series().index) == 2
