"""The timeline's columns say what the tape's entries and its snapshots say."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from app.debugger.timeline.logic.cards import stats_of
from app.debugger.timeline.logic.columns import Columns, ran_of
from app.debugger.timeline.logic.events import KIND_OF, KINDS
from app.debugger.timeline.logic.levels import TierLevels
from app.debugger.timeline.logic.pixels import per_pass
from app.debugger.timeline.logic.tracks import tracks_of
from app.debugger.traces import demo_trace
from engine.cache.journal import changes as ch
from engine.cache.journal.changes import (
    DiskOpened,
    DiskTrouble,
    SegmentAdded,
    SegmentsUsed,
    SegmentWritten,
)
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan
from engine.journal import reel
from engine.journal.lines import TracedRequest, TraceEntry
from engine.journal.tape import Tape, read_tape
from tests.app.debugger.timeline.conftest import golden, golden_series
from tests.engine.journal.samples import request

NAMES = ("small", "roomy", "tiers")


@pytest.mark.parametrize("name", NAMES)
def test_bytes_are_those_of_the_snapshots(name: str) -> None:
    tape, levels = golden(name), golden_series(name).levels["device"]
    for moment in range(1, len(tape) + 1, 97):
        snapshot = tape.snapshot(moment)
        row = int(np.searchsorted(levels.index, moment - 1, side="right")) - 1
        kv, state = snapshot.kv, snapshot.state
        held = np.diff(levels.stack[row], prepend=0).tolist()
        assert held == [
            kv.cached * kv.slot_bytes,
            kv.live * kv.slot_bytes,
            state.cached * state.slot_bytes,
            state.live * state.slot_bytes,
        ], moment
        at = int(np.searchsorted(levels.budgets[:, 0], tape.time(moment), side="right")) - 1
        budget = [kv.budget_bytes, state.budget_bytes]
        assert levels.budgets[at, 1:].tolist() == budget, moment


def test_bytes_of_files_are_those_of_the_snapshots() -> None:
    tape, levels = golden("tiers"), golden_series("tiers").levels["disk"]
    held = []
    for moment in range(1, len(tape) + 1, 31):
        disk = tape.snapshot(moment).disk
        row = int(np.searchsorted(levels.index, moment - 1, side="right")) - 1
        assert (disk is None) == (row < 0), moment
        if disk is not None:
            held.append(int(levels.stack[row, -1]))
            assert held[-1] == disk.used_bytes, moment
            assert levels.budgets[0, 1:].tolist() == [disk.budget_bytes, 0]
    assert len(set(held)) > 10


def test_a_trace_that_knows_no_files_has_no_bytes_of_them() -> None:
    known, tape = golden("tiers"), Tape(golden("tiers").header)
    requests = {taped.index: taped.traced for taped in known.requests}
    since_3 = (DiskOpened, SegmentAdded, SegmentWritten, SegmentsUsed, DiskTrouble)
    for n in range(len(known)):
        entry = known.entry(n)
        if not isinstance(entry.what, since_3):
            tape.append([TraceEntry(entry, requests.get(n))])
    columns = Columns(tape)
    assert columns.follow(5.0)
    series = columns.series()
    assert not len(series.levels["disk"])
    assert "disk" not in [track.key for track in tracks_of(series, ())]
    assert "disk" in [track.key for track in tracks_of(golden_series("tiers"), ())]


@pytest.mark.parametrize("name", NAMES)
def test_evictions_are_those_of_the_tape(name: str) -> None:
    tape, events = golden(name), golden_series(name).events
    mine = []
    for number in range(len(events)):
        row = events.rows[int(events.row[number])]
        if row.evicts or row.kind == KIND_OF["replaced"]:
            kv, state = events.freed[number].tolist()
            mine.append((int(events.index[number]), row.tier, kv, state, row.copy))
    told = [
        (gone.index, gone.evicted.tier, gone.evicted.kv_bytes, gone.evicted.state_bytes)
        for gone in tape.evictions
    ]
    assert [one[:4] for one in mine] == told
    assert len(told) > 50
    evicted = [gone.evicted for gone in tape.evictions]
    assert [one[4] for one in mine] == [one.copy if one.moved else "" for one in evicted]


def test_every_event_has_a_row_of_its_kind() -> None:
    tape, events = golden("tiers"), golden_series("tiers").events
    counted = Counter(KINDS[events.rows[row].kind].key for row in events.row.tolist())
    whats = Counter(type(tape.entry(index).what) for index in range(len(tape)))
    assert counted["inserted"] == whats[ch.NodeAdded]
    assert counted["split"] == whats[ch.NodeSplit]
    assert counted["stored"] == whats[ch.CheckpointStored]
    assert counted["state_evicted"] + counted["replaced"] == whats[ch.CheckpointDropped]
    assert counted["kv_evicted"] + counted["both_evicted"] == whats[ch.NodeRemoved]
    assert counted["copied"] + counted["not_copied"] == whats[ch.CheckpointCopied]
    assert counted["file_removed"] == whats[ch.SegmentRemoved]
    for row, numbers in enumerate(events.of_row):
        assert np.array_equal(numbers, np.flatnonzero(events.row == row))


def test_requests_are_those_of_the_tape() -> None:
    tape, requests = golden("small"), golden_series("small").requests
    assert len(requests) == len(tape.requests) == 14
    for number, taped in enumerate(tape.requests):
        ran = taped.ran
        assert requests.tokens[number, :3].tolist() == [ran.reused, ran.replayed, ran.computed]
        parts = np.diff(requests.edges[number])
        assert parts[0] == pytest.approx(ran.lookup_ms / 1e3, abs=1e-5)
        assert parts[2] + parts[3] == pytest.approx(ran.prefill_ms / 1e3, abs=1e-5)
        assert parts.sum() == pytest.approx(ran.total_s, abs=1e-5)
    assert (np.diff(requests.edges, axis=1) >= 0).all()
    assert (requests.began[1:] >= requests.ended[:-1]).all()


def test_a_cancelled_prompt_counts_as_far_as_it_ran() -> None:
    ran = ran_of(request([1] * 100, reused=40, replayed=10, computed=50, position=70))
    assert (ran.reused, ran.replayed, ran.computed, ran.decoded) == (40, 10, 20, 0)
    barely = ran_of(request([1] * 100, reused=40, replayed=10, computed=50, position=45))
    assert (barely.replayed, barely.computed) == (5, 0)


def test_speed_sums_every_token_once() -> None:
    series = golden_series("small")
    tokens = series.requests.tokens.sum(axis=0)
    assert series.speed.sums[-1, 0] == tokens[1] + tokens[2]
    assert series.speed.sums[-1, 1] == tokens[3]
    assert (np.diff(series.speed.time) >= 0).all()
    assert (np.diff(series.speed.sums, axis=0) >= 0).all()


def test_the_running_request_is_seen_until_it_ends() -> None:
    opened = ch.CacheOpened("coverage", 100, 4, 1, 10)
    whats: list[ch.Change | RequestRan] = [
        opened,
        ch.RequestBegan(1, 90, 40, 10),
        ch.RequestAt(1, 0, 64),
    ]
    tape = Tape()
    tape.append(TraceEntry(Entry(n + 1, float(n), "device", what)) for n, what in enumerate(whats))
    columns = Columns(tape)
    assert columns.follow(1.0)
    (running,) = columns.series().running
    assert (running.began, running.total, running.position) == (1.0, 90, 64)


def test_requests_side_by_side_have_lanes_of_their_own() -> None:
    """Begun at 1, 2 and 5 s; the first two overlap, and the third takes the first free lane."""
    whats: list[tuple[float, ch.Change | RequestRan]] = [
        (0, ch.CacheOpened("coverage", 100, 4, 1, 10)),
        (1, ch.RequestBegan(1, 3, 0, 0)),
        (2, ch.RequestBegan(2, 3, 0, 0)),
        (3, ch.RequestAt(1, 0, 2)),
        (4, request([1, 2, 3], request=2, total_s=2.0)),
        (5, ch.RequestBegan(3, 3, 0, 0)),
        (6, request([1, 2, 4], request=1, total_s=5.0)),
        (7, request([1, 2, 5], request=3, total_s=2.0)),
    ]
    tape = Tape()
    tape.append(
        TraceEntry(
            Entry(n, at, "device", what),
            TracedRequest(0, n, what, True) if isinstance(what, RequestRan) else None,
        )
        for n, (at, what) in enumerate(whats, 1)
    )
    columns = Columns(tape)
    assert columns.follow(1.0)
    series = columns.series()
    requests = series.requests
    assert requests.lane.tolist() == [1, 0, 1]
    assert np.allclose(requests.began, [2, 1, 5], atol=0.01)
    assert [requests.at(time) for time in (0.5, 1.5, 4.5, 6.5, 7.5)] == [None, 1, 1, 2, None]
    assert (np.diff(series.speed.time) >= 0).all()
    (track,) = (one for one in tracks_of(series, ()) if one.key == "requests")
    assert track.height == 2 * 24


def test_reading_goes_in_steps() -> None:
    tape = golden("tiers")
    columns = Columns(tape)
    steps = 0
    while not columns.follow(0.0):
        steps += 1
        assert columns.series().entries == columns.read
    assert steps == len(tape) // 512
    whole, stepwise = golden_series("tiers"), columns.series()
    assert np.array_equal(whole.events.index, stepwise.events.index)
    assert np.array_equal(whole.levels["host"].stack, stepwise.levels["host"].stack)


def forgetful(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> Tape:
    """A golden trace on a tape that keeps few entries, and has forgotten the first of them."""
    monkeypatch.setattr(reel, "SPACING", 100)
    whole, tape = golden(name), Tape(golden(name).header, most=most)
    requests = {taped.index: taped.traced for taped in whole.requests}
    tape.append(TraceEntry(whole.entry(n), requests.get(n)) for n in range(len(whole)))
    assert tape.first > 0
    return tape


def test_a_tape_that_forgot_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    tape = forgetful("small", 200, monkeypatch)
    columns = Columns(tape)
    assert columns.follow(5.0)
    series, full = columns.series(), golden_series("small")
    assert len(series.requests) == len(full.requests)
    late = full.events.index >= tape.first
    assert series.events.index.tolist() == full.events.index[late].tolist()
    for moment in range(tape.first + 1, len(tape), 61):
        mine, theirs = series.levels["device"], full.levels["device"]
        assert mine.bytes_at(tape.time(moment)) == theirs.bytes_at(tape.time(moment))
    budgets = series.levels["device"].budgets[0, 1:].tolist()
    assert budgets == full.levels["device"].budgets[-1, 1:].tolist()
    assert (series.first, series.start) == (tape.first, tape.time(tape.first))
    assert full.first == 0
    assert full.start < series.start
    stats = stats_of(series, 0.0, series.end)
    kept = [taped for taped in tape.requests if taped.ended >= series.start]
    assert stats.start == series.start
    assert 0 < stats.requests == len(kept) < len(tape.requests)
    assert stats.evicted == stats_of(full, series.start, full.end).evicted


def test_the_host_of_a_tape_that_forgot_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    tape = forgetful("tiers", 400, monkeypatch)
    columns = Columns(tape)
    assert columns.follow(5.0)
    mine, theirs = columns.series().levels["host"], golden_series("tiers").levels["host"]
    assert theirs.bytes_at(tape.time(tape.first)) > 0
    for moment in range(tape.first + 1, len(tape), 41):
        assert mine.bytes_at(tape.time(moment)) == theirs.bytes_at(tape.time(moment))


def test_files_of_a_tape_that_forgot_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reel, "SPACING", 200)
    whole, tape = golden("tiers"), Tape(golden("tiers").header, most=600)
    requests = {taped.index: taped.traced for taped in whole.requests}
    tape.append(TraceEntry(whole.entry(n), requests.get(n)) for n in range(len(whole)))
    assert tape.first > 0
    columns = Columns(tape)
    assert columns.follow(5.0)
    levels = columns.series().levels["disk"]
    for moment in range(tape.first + 1, len(tape), 17):
        disk = tape.snapshot(moment).disk
        row = int(np.searchsorted(levels.index, moment - 1, side="right")) - 1
        assert disk is not None
        assert levels.stack[row, -1] == disk.used_bytes, moment


def test_a_split_moves_no_bytes() -> None:
    tier = TierLevels()
    tier.follow(0, 0.0, ch.CacheOpened("coverage", 100, 4, 2, 10))
    tier.follow(1, 1.0, ch.NodeAdded(1, 0, 0, 30))
    tier.follow(2, 1.0, ch.NodeSplit(1, 2, 12))
    tier.follow(2, 2.0, ch.NodeRemoved(1, "kv pressure"))
    assert tier.levels().bytes_at(2.0) == 24


def test_drafts_are_summed_pass_by_pass() -> None:
    tape = read_tape(demo_trace())
    columns = Columns(tape)
    while not columns.follow(1.0):
        pass
    series = columns.series()
    requests, drafts = series.requests, series.drafts
    assert series.requests.longest_draft == max(
        draft.size for taped in tape.requests for draft in taped.bare.drafts.drafts
    )
    seen = 0
    for taped in tape.requests:
        made, number = taped.bare.drafts, taped.number
        passes, drafted, kept = requests.drafts[number].tolist()
        if not made.drafts:
            assert (passes, drafted, kept) == (0, 0, 0)
            continue
        assert (passes, drafted, kept) == (made.steps, made.drafted, made.kept)
        began, ended = requests.edges[number][4:].tolist()
        whole = np.diff(drafts.at(np.array([began, ended])), axis=1)[:, 0]
        assert whole.tolist() == pytest.approx([passes, kept, drafted - kept])
        edges = np.linspace(began, ended, made.steps + 1)
        tokens = per_pass(drafts, edges)
        each = {draft.at - 1: draft for draft in made.drafts}
        at = 0
        for row in tokens.tolist():
            draft = each.get(at)
            told = [0, 0] if draft is None else [draft.kept, len(draft.rejected)]
            assert row == pytest.approx(told, abs=1e-6)
            at += 1 + (0 if draft is None else draft.kept)
            seen += 1
    assert seen > 40


def test_without_drafts_there_is_no_track_of_them() -> None:
    assert "drafts" not in {track.key for track in tracks_of(golden_series("small"), ())}
