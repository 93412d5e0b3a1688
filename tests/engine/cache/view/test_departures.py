"""Every eviction is reported once to every reader, with its place and as the journal has it."""

from __future__ import annotations

import gc
import random
import weakref
from collections import Counter

import numpy as np
import pytest

from engine.cache.cache import TwoPlaneCache
from engine.cache.eviction.cause import Cause
from engine.cache.journal.changes import SegmentRemoved
from engine.cache.journal.journal import Journal
from engine.cache.tiers.lower import FileCause
from engine.cache.view.departures import MAX_HELD, DepartureReader, Departures
from engine.cache.view.overlay import Overlay, Spots, host_layer
from engine.snapshot import Evicted
from engine.trace.show import TraceState
from tests.engine.cache.causes import BELOW, SCENES, A, Account, B, Gone, Scene
from tests.engine.cache.tiers.three_tiers import ThreeTiers
from tests.mostly_slow import mostly_slow


def seen(records: list[Evicted]) -> Counter[Gone]:
    return Counter(Gone(r.tier, r.start, r.end, r.plane, r.cause, r.time) for r in records)


def overlay_of(on: ThreeTiers) -> Overlay:
    made = Overlay((view, on.cache.reader.tokens_of(view.id)) for view in on.cache.reader.nodes())
    if on.host is not None:
        made.add("host", host_layer(on.host.reader))
    if on.disk is not None:
        made.add("disk", on.disk.layer())
    return made


def play(scene: Scene, below: str) -> tuple[ThreeTiers, Account, DepartureReader]:
    """Run a scene on a fresh cache with both accounts listening."""
    account = Account()
    on = ThreeTiers(**BELOW[below])
    for entry in on.journal.entries():
        account.on_entry(entry)
    on.journal.listen(account.on_entry)
    reader = DepartureReader(on.departures)
    scene(on)
    on.verify()
    return on, account, reader


def test_every_cause_has_a_scene() -> None:
    assert set(SCENES) == set(Cause)


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("cause", SCENES)
def test_the_records_are_the_journals(cause: Cause, below: str) -> None:
    _, account, reader = play(SCENES[cause], below)
    taken, unlisted = reader.take()
    assert any(gone.cause == cause and gone.tier == "device" for gone in account.gone)
    assert seen([departure.record for departure in taken]) == account.gone
    assert unlisted == 0
    assert reader.take() == ((), 0)


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("cause", SCENES)
def test_a_copy_is_where_the_record_says(cause: Cause, below: str) -> None:
    """Wherever both the record and the merged tree name a copy, they agree."""
    on, _, reader = play(SCENES[cause], below)
    taken, _ = reader.take()
    spots = Spots(overlay_of(on))
    ids = {view.id: view for view, _ in overlay_of(on).nodes()}
    for departure in taken:
        placed = spots.placed(departure)
        assert placed.above in ids
        if placed.node_now is None:
            assert placed.copy == ""
            continue
        view = ids[placed.node_now]
        assert view.start < placed.end <= view.end
        if placed.plane == "kv":
            assert placed.copy == view.tier
        elif placed.copy:
            assert view.end == placed.end
            assert view.checkpoint is not None
            assert view.checkpoint.state.tier == placed.copy


@pytest.mark.parametrize(
    ("below", "copy"), [("device alone", ""), ("host", "host"), ("disk", "disk")]
)
def test_an_evicted_node_names_the_tier_of_its_copy(below: str, copy: str) -> None:
    on, _, reader = play(SCENES[Cause.KV_PRESSURE], below)
    (departure,) = (d for d in reader.take()[0] if d.record.cause == Cause.KV_PRESSURE)
    assert departure.record.copy == copy
    placed = Spots(overlay_of(on)).placed(departure)
    assert (placed.copy, placed.node_now is not None) == (copy, bool(copy))
    assert (placed.start, placed.end, placed.plane) == (0, 40, "both")
    assert (placed.kv_bytes, placed.state_bytes, placed.provenance) == (40, 100, "prefill")


@pytest.mark.parametrize(
    ("below", "copy"), [("device alone", ""), ("host", "host"), ("disk", "disk")]
)
def test_a_state_evicted_alone_names_it_too(below: str, copy: str) -> None:
    _, _, reader = play(SCENES[Cause.STATE_PRESSURE], below)
    states = [d.record for d in reader.take()[0] if d.record.plane == "state"]
    assert states
    assert {state.copy for state in states if state.tier == "device"} == {copy}


def test_an_existing_file_is_a_copy_too() -> None:
    """Saved while idle, so nothing is copied at the eviction."""
    on = ThreeTiers(host=None, files=9)
    on.run(A)
    assert on.tiers.save() == 1
    reader = DepartureReader(on.departures)
    on.cache.evict_kv(1)
    (departure,) = reader.take()[0]
    assert departure.record.copy == "disk"


def test_a_deeper_state_is_no_copy() -> None:
    """The disk has the tokens of both but the state of only one."""
    on = ThreeTiers(host=None, files=1)
    on.run(A, anchors=(20,))
    on.tiers.save()
    assert on.disk is not None
    assert list(map(len, on.disk.files)) == [40]
    reader = DepartureReader(on.departures)
    on.cache.drop_all()
    spots = Spots(overlay_of(on))
    placed = {d.record.end: spots.placed(d) for d in reader.take()[0]}
    assert {end: record.copy for end, record in placed.items()} == {20: "", 40: "disk"}
    assert placed[20].node_now == placed[40].node_now is not None


def test_no_copy_is_claimed_if_the_disk_took_nothing() -> None:
    on = ThreeTiers(host=None, files=9, fails=lambda: True)
    on.run(A)
    reader = DepartureReader(on.departures)
    on.cache.evict_kv(1)
    (departure,) = reader.take()[0]
    assert departure.record.copy == ""


def test_a_removed_file_is_reported_with_its_place() -> None:
    on = ThreeTiers(host=None, files=1)
    on.run(A)
    on.run(B)
    on.tiers.save()
    before = Spots(overlay_of(on))
    reader = DepartureReader(on.departures)
    on.cache.drop_all()
    on.tiers.clear()
    files = [d for d in reader.take()[0] if d.record.tier == "disk"]
    assert [d.record.cause for d in files] == [FileCause.DROPPED_BY_USER]
    record = files[0].record
    assert (record.plane, record.state_bytes, record.kv_bytes) == ("both", 100, 40)
    assert before.shown(files[0]) is not None
    assert Spots(overlay_of(on)).shown(files[0]) is None


def test_a_file_with_an_unknown_path_has_no_place() -> None:
    on = ThreeTiers(host=None, files=None)
    on.run(A)
    reader = DepartureReader(on.departures)
    gone = SegmentRemoved(20, 40, "prefill", 140, 40, FileCause.PARENT_GONE)
    on.departures.log_segment_removed(on.journal.of("disk", lambda: 1.0), gone, None)
    (departure,) = reader.take()[0]
    placed = Spots(overlay_of(on)).placed(departure)
    assert (placed.node_now, placed.copy, placed.above, placed.cached_to) == (None, "", 0, 20)


def test_no_journal_entry_holds_the_tokens_of_a_file() -> None:
    on = ThreeTiers(host=None, files=1)
    on.run(A)
    on.tiers.save()
    on.tiers.clear()
    reported = [e.what for e in on.journal.entries() if isinstance(e.what, SegmentRemoved)]
    assert reported == [SegmentRemoved(0, 40, "prefill", 140, 40, FileCause.DROPPED_BY_USER)]


def test_splits_after_an_eviction_do_not_move_it() -> None:
    on = ThreeTiers(host=None, files=9)
    on.run(A)
    on.run((*A, 1, 2, 3))
    on.tiers.save()
    reader = DepartureReader(on.departures)
    leaf = max(on.cache.reader.nodes(), key=lambda node: node.end)
    assert on.cache.evict_session(leaf.id)
    on.run((*A[:10], 7, 8))
    taken = [d for d in reader.take()[0] if d.record.node == leaf.id]
    (placed,) = (Spots(overlay_of(on)).placed(d) for d in taken)
    assert (placed.start, placed.end) == (40, 43)
    assert placed.node_now is not None


def test_a_node_split_before_its_eviction_is_found_by_its_own_tokens() -> None:
    on = ThreeTiers(host=None, files=9)
    on.run(A)
    on.run((*A[:10], 7, 8))
    on.tiers.save()
    reader = DepartureReader(on.departures)
    lower = next(node for node in on.cache.reader.nodes() if (node.start, node.end) == (10, 40))
    assert on.cache.evict_session(lower.id) == 30
    (departure,) = reader.take()[0]
    placed = Spots(overlay_of(on)).placed(departure)
    assert (placed.start, placed.end, placed.copy) == (10, 40, "disk")


def test_every_reader_gets_each_eviction_once() -> None:
    on = ThreeTiers(host=None, files=None)
    first, second = DepartureReader(on.departures), DepartureReader(on.departures)
    on.run(A)
    on.cache.drop_all()
    assert [d.record.end for d in first.take()[0]] == [40]
    on.run(B)
    on.cache.drop_all()
    assert len(first.take()[0]) == 1
    assert len(second.take()[0]) == 2
    assert first.take() == second.take() == ((), 0)


def test_what_does_not_fit_is_counted() -> None:
    on = ThreeTiers(device=(4 * MAX_HELD, MAX_HELD + 40), host=None, files=None)
    reader = DepartureReader(on.departures)
    for number in range(MAX_HELD + 30):
        on.run((number, number))
    on.cache.drop_all()
    taken, unlisted = reader.take()
    assert (len(taken), unlisted) == (MAX_HELD, 30)
    assert reader.take() == ((), 0)


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("seed", mostly_slow(range(3)))
def test_random_requests_under_small_budgets(seed: int, below: str) -> None:
    print(f"seed {seed}")
    dice = random.Random(seed)
    account = Account()
    on = ThreeTiers(device=(120, 5), **BELOW[below])
    for entry in on.journal.entries():
        account.on_entry(entry)
    on.journal.listen(account.on_entry)
    readers = [DepartureReader(on.departures) for _ in range(2)]
    reported: list[list[Evicted]] = [[], []]
    chats = [tuple(dice.randrange(9) for _ in range(60)) for _ in range(4)]
    for _ in range(80):
        chat = dice.choice(chats)
        prompt = chat[: dice.randrange(1, 60)]
        on.run(prompt, anchors=(len(prompt) // 2,), decode=tuple(dice.choices(range(9), k=4)))
        if dice.random() < 0.1:
            on.tiers.clear()
        for at, reader in enumerate(readers):
            if dice.random() < 0.3:
                reported[at] += [d.record for d in reader.take()[0]]
    for at, reader in enumerate(readers):
        reported[at] += [d.record for d in reader.take()[0]]
    assert len(account.gone) > 40
    assert seen(reported[0]) == account.gone
    assert reported[0] == reported[1]


@pytest.mark.parametrize("below", BELOW)
def test_a_trace_gives_the_same_records(below: str) -> None:
    on = ThreeTiers(device=(120, 5), **BELOW[below])
    for first in range(6):
        on.run(tuple(range(first, first + 40)), anchors=(20,))
    state = TraceState()
    for entry in on.journal.entries():
        state.apply(entry)
    live = [d.record for d in on.departures.after(0)]
    assert len(live) > 3
    assert [d.record for d in state.departures.after(0)] == live


def test_it_does_not_keep_the_cache_alive() -> None:
    """The cache holds the journal, which holds its listeners: a reference back is a cycle."""
    journal, departures = Journal(), Departures()
    journal.listen(departures.on_entry)
    cache = TwoPlaneCache(8, 2, kv_slot_bytes=1, state_slot_bytes=1, journal=journal)
    departures.attach_reader("device", cache.reader)
    gone = weakref.ref(cache)
    gc.disable()
    try:
        del cache
        assert gone() is None
    finally:
        gc.enable()


def test_following_a_sequence_finds_where_it_diverges() -> None:
    on = ThreeTiers(host=None, files=None)
    on.run(A, anchors=(20,))
    overlay = overlay_of(on)
    whole = overlay.follow(overlay.top(), np.array(A[:30], np.int32))
    assert (whole.whole, whole.inside, whole.at_end, whole.view.start) == (True, 10, False, 20)
    parted = overlay.follow(overlay.top(), np.array((*A[:30], 9), np.int32))
    assert (parted.whole, parted.above) == (False, whole.view.parent)
    assert overlay.follow(parted, np.array(A, np.int32)) is parted
    beyond = overlay.follow(overlay.top(), np.array((*A, 9), np.int32))
    assert (beyond.whole, beyond.above) == (False, beyond.view.id)
