"""The tape: at any moment, however it is reached, it shows what the live cache showed then."""

from __future__ import annotations

import sys
import threading
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from engine.analysis.show import TraceState
from engine.cache.journal.changes import (
    CacheOpened,
    Change,
    CheckpointStored,
    DiskOpened,
    DiskTrouble,
    NodeAdded,
    RequestAt,
    SegmentAdded,
    SegmentRemoved,
    SegmentsUsed,
    SegmentWritten,
    Touched,
)
from engine.cache.journal.journal import Entry
from engine.errors import TraceError
from engine.journal import keyframe, reel
from engine.journal.lines import TraceEntry
from engine.journal.tape import Tape
from engine.snapshot import DiskView
from engine.stored_state import StoredState
from tests.engine.journal.samples import HEADER, SETTINGS
from tests.engine.journal.taped import Seen, TapedCaches, shown

REQUESTS = 60
HEADER_WITH_DISK = replace(HEADER, settings=replace(SETTINGS, disk=True))


@pytest.fixture(autouse=True)
def many_keyframes(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a short tape has many of them."""
    monkeypatch.setattr(reel, "SPACING", 150)
    monkeypatch.setattr(reel, "UNDONE", 40)


def segment(key: str, parent: str = "", start: int = 0, end: int = 4) -> SegmentAdded:
    """Of one of these made-up keys."""
    above = parent and parent.zfill(32)
    tokens = np.arange(start, end, dtype="<i4").tobytes()
    state = StoredState(end)
    return SegmentAdded(key.zfill(32), above, start, end, 1.0, 1.0, 50, state, tokens=tokens)


def day(seed: int, host_kv: int = 500, disk: bool = False) -> tuple[TapedCaches, dict[int, Seen]]:
    """A tape, and what was seen at some of its moments."""
    caches = TapedCaches(seed, host_kv=host_kv, disk=disk)
    seen = {}
    for _ in range(REQUESTS):
        caches.ask()
        seen[len(caches.tape)] = caches.seen()
    return caches, seen


@pytest.mark.parametrize("disk", [False, True], ids=["no disk", "disk"])
@pytest.mark.parametrize("host_kv", [0, 180, 500, 2000])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
class TestAgainstTheLiveCache:
    @pytest.mark.slow
    def test_jumping(self, seed: int, host_kv: int, disk: bool) -> None:
        caches, seen = day(seed, host_kv, disk)
        moments = np.random.default_rng(seed).permutation(list(seen)).tolist()
        for index in moments:
            assert shown(caches.tape, index) == seen[index], index

    @pytest.mark.slow
    def test_stepping_forwards_and_backwards(self, seed: int, host_kv: int, disk: bool) -> None:
        caches, seen = day(seed, host_kv, disk)
        end = len(caches.tape)
        for index in [*range(end - 400, end + 1), *range(end, end - 400, -1)]:
            got = shown(caches.tape, index)
            if index in seen:
                assert got == seen[index], index


def test_the_disk_of_these_tests_has_what_is_hard_to_draw() -> None:
    caches, seen = day(1, 180, disk=True)
    assert caches.disk is not None
    assert caches.disk.shared > 50, "no segments share tokens"
    kinds = {type(entry.what) for entry in caches.entries}
    assert kinds >= {SegmentAdded, SegmentWritten, SegmentsUsed, SegmentRemoved, DiskTrouble}
    replaced = [e.what for e in caches.entries if isinstance(e.what, SegmentRemoved)]
    assert {one.cause for one in replaced} == {"superseded", "disk budget"}
    nodes = [node for then in seen.values() for node in then.nodes.values()]
    assert any(node.tier == "disk" and node.tombstone for node in nodes)
    points = [(n.tier, n.checkpoint.state.tier) for n in nodes if n.checkpoint is not None]
    assert {("device", "disk"), ("host", "disk"), ("disk", "disk")} <= set(points)


class TestWithoutKnowledgeOfTheDisk:
    """Traces of version 2 say when a file went, and nothing else of files."""

    def test_nothing_is_drawn(self) -> None:
        tape = Tape(HEADER_WITH_DISK)
        opened = CacheOpened("coverage", 100, 4, 1, 10)
        removed = SegmentRemoved(0, 40, "prefill", 140, 40, "disk budget")
        tape.append([TraceEntry(Entry(1, 0.0, "device", opened))])
        tape.append([TraceEntry(Entry(2, 1.0, "disk", removed))])
        snapshot = tape.snapshot(2)
        assert (snapshot.disk, snapshot.disk_untold) == (None, True)
        assert not tape.series().bytes["disk", "kv"].any()
        assert len(tape.evictions) == 1

    def test_it_is_not_missed_where_there_is_none(self) -> None:
        assert not Tape(HEADER).snapshot(0).disk_untold
        caches, _ = day(2, disk=True)
        caches.tape.header = HEADER_WITH_DISK
        assert not caches.tape.snapshot(len(caches.tape)).disk_untold


@pytest.mark.parametrize(
    "wrong",
    [
        segment("2", "1", start=3),
        segment("2", "7", start=4),
        segment("3", start=5, end=5),
        structs.replace(segment("4"), state=StoredState(5)),
        segment("zz"),
        segment("0"),
        SegmentWritten("9".zfill(32), 5),
        SegmentsUsed(("9".zfill(32),), 5.0),
        SegmentRemoved(0, 4, "prefill", 50, 12, "disk budget", "9".zfill(32)),
        SegmentRemoved(0, 4, "prefill", 50, 12, "disk budget", "1".zfill(32)),
    ],
)
def test_what_cannot_have_happened_on_disk_is_refused(wrong: Change) -> None:
    tape = Tape()
    tape.append([TraceEntry(Entry(1, 1.0, "device", CacheOpened("coverage", 100, 4, 1, 10)))])
    for what in (DiskOpened(500, 3), segment("1"), segment("5", "1", start=4, end=9)):
        tape.append([TraceEntry(Entry(2, 2.0, "disk", what))])
    for right in (structs.replace(segment("1"), file_bytes=60), segment("5", "1", start=4, end=9)):
        tape.append([TraceEntry(Entry(3, 3.0, "disk", right))])
    view = DiskView(files=2, used_bytes=110, budget_bytes=500, pending=2, damaged=0)
    assert tape.snapshot(len(tape)).disk == view
    with pytest.raises(TraceError):
        tape.append([TraceEntry(Entry(4, 4.0, "disk", wrong))])


@pytest.mark.parametrize("seed", [5, 6])
class TestAgainstTheNaiveReplay:
    """The device's own nodes, at moments inside of a request, by replaying from the start."""

    @pytest.mark.slow
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

    @pytest.mark.slow
    @pytest.mark.parametrize("disk", [False, True], ids=["no disk", "disk"])
    def test_a_step_is_taken_back_exactly(self, seed: int, disk: bool) -> None:
        """Each of these steps is undone; none is reached from a keyframe."""
        caches, _ = day(seed, host_kv=300, disk=disk)
        end = caches.tape._reel._starts[-1] - 1
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
        frame = keyframe.Keyframe.of(caches.tape.head.state)
        assert frame.nbytes < 100 * nodes + 500


def bytes_to_show_a_chain(nodes: int) -> int:
    """The peak while a chain is shown that was walked down again and again at last."""
    tape = Tape(HEADER)
    whats: list[Change] = [CacheOpened("fair", nodes, 1, 1, 1)]
    for node in range(1, nodes + 1):
        token = np.array([node], "<i4").tobytes()
        whats.append(NodeAdded(node, node - 1, node - 1, node, token))
    whats += [Touched(node, None) for node in range(nodes // 2, nodes, 10)]
    entries = [Entry(at + 1, float(at), "device", what) for at, what in enumerate(whats)]
    tape.append(TraceEntry(entry) for entry in entries)
    tracemalloc.start()
    try:
        assert len(tape.snapshot(len(tape)).nodes) == nodes + 1
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_chain_is_shown_in_memory_by_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each step that can be taken back walked all of it, too, and more of them the longer."""
    monkeypatch.setattr(reel, "SPACING", 1 << 20)
    monkeypatch.setattr(reel, "UNDONE", 512)
    few, many = bytes_to_show_a_chain(1000), bytes_to_show_a_chain(4000)
    assert many < 4.8 * few


class TestReadWhileItGrows:
    """Another thread looks at it meanwhile, as the window does while a file is read."""

    def test_every_moment_that_is_there_is_right(self) -> None:
        caches, seen = day(10)
        traced = {taped.index: taped.traced for taped in caches.tape.requests}
        lines = [TraceEntry(e, traced.get(n)) for n, e in enumerate(caches.entries)]
        tape, switch = Tape(), sys.getswitchinterval()
        looks = 0

        def write() -> None:
            for line in lines:
                tape.add(line)

        writer = threading.Thread(target=write)
        sys.setswitchinterval(1e-5)
        try:
            writer.start()
            while writer.is_alive():
                index = len(tape)
                whole = [moment for moment in seen if moment <= index]
                if whole:
                    moment = whole[looks % len(whole)]
                    assert shown(tape, moment) == seen[moment]
                    assert tape.entry(index - 1).seq == caches.entries[index - 1].seq
                    series = tape.series()
                    assert {len(column) for column in series.bytes.values()} == {len(series.time)}
                    looks += 1
        finally:
            sys.setswitchinterval(switch)
            writer.join()
        assert looks > 2
        assert shown(tape, len(tape)) == caches.seen()


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


def test_states_that_differ_only_in_why_they_are_kept_keep_that() -> None:
    """They are equal otherwise, and may lie on any tier."""
    opened = CacheOpened("lru", 100, 8, 1, 1)
    tape, reasons = Tape(), ("interval", "end of prompt")
    for number, why in enumerate(reasons, 1):
        tokens = np.full(4, number, "<i4").tobytes()
        state = StoredState(4, tier="host", why=why)  # type: ignore[arg-type]
        changes = [
            *((("device", opened), ("host", opened)) if number == 1 else ()),
            ("host", NodeAdded(number, 0, 0, 4, tokens)),
            ("host", CheckpointStored(number, number, 0, state)),
        ]
        for tier, what in changes:
            tape.add(TraceEntry(Entry(len(tape) + 1, 0.0, tier, what)))
    nodes = tape.snapshot(len(tape)).nodes
    assert {node.checkpoint.why for node in nodes if node.checkpoint} == set(reasons)
