"""Every eviction is told once, with its place and as the journal has it."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.cache.eviction.cause import Cause
from engine.cache.journal.changes import CheckpointDropped, NodeRemoved, SegmentRemoved
from engine.cache.journal.journal import Entry
from engine.cache.tiers.lower import FileCause
from engine.journal.lines import TraceEntry
from engine.journal.tape import MOST_LISTED, Follower
from engine.snapshot import CacheSnapshot, Evicted
from tests.engine.cache.causes import BELOW, SCENES, A, Account, B, Gone, Scene
from tests.engine.cache.tiers.three_tiers import Looked, ThreeTiers, key_of
from tests.present import present


def seen(records: tuple[Evicted, ...]) -> Counter[Gone]:
    return Counter(Gone(r.tier, r.start, r.end, r.plane, r.cause, r.time) for r in records)


def play(scene: Scene, below: str) -> tuple[ThreeTiers, Account, CacheSnapshot]:
    """Run a scene on a fresh cache, with the journal's own account of it."""
    account = Account()
    on = ThreeTiers(**BELOW[below])
    for entry in on.journal.entries():
        account.on_entry(entry)
    on.journal.listen(account.on_entry)
    looked = Looked(on)
    scene(on)
    on.verify()
    shown = looked.look()
    assert looked.look().evictions == ()
    return on, account, shown


def gone_of(on: ThreeTiers, looked: Looked) -> Evicted:
    """The only eviction since the last look."""
    (gone,) = looked.look().evictions
    return gone


def copies_told(on: ThreeTiers) -> list[str]:
    """Where the journal says that the states are that went with their nodes."""
    gone = (entry.what for entry in on.journal.entries() if entry.tier == "device")
    return [what.copy for what in gone if isinstance(what, NodeRemoved)]


def test_every_cause_has_a_scene() -> None:
    assert set(SCENES) == set(Cause)


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("cause", SCENES)
def test_the_records_are_the_journals(cause: Cause, below: str) -> None:
    _, account, shown = play(SCENES[cause], below)
    assert any(gone.cause == cause and gone.tier == "device" for gone in account.gone)
    assert seen(shown.evictions) == account.gone
    assert shown.unlisted == 0


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("cause", SCENES)
def test_its_place_is_where_its_tokens_are(cause: Cause, below: str) -> None:
    _, _, shown = play(SCENES[cause], below)
    nodes = {node.id: node for node in shown.nodes}
    for gone in shown.evictions:
        assert gone.kv_bytes == (0 if gone.plane == "state" else gone.end - gone.start)
        assert gone.state_bytes == (0 if gone.plane == "kv" else 100)
        assert gone.above in nodes
        if gone.node_now is not None:
            assert nodes[gone.node_now].start < gone.end <= nodes[gone.node_now].end


@pytest.mark.parametrize(
    ("below", "copy"), [("device alone", ""), ("host", "host"), ("disk", "disk")]
)
def test_an_evicted_node_names_the_tier_of_its_copy(below: str, copy: str) -> None:
    on, _, shown = play(SCENES[Cause.KV_PRESSURE], below)
    assert copies_told(on) == [copy]
    (gone,) = (one for one in shown.evictions if one.cause == Cause.KV_PRESSURE)
    assert (gone.copy, gone.node_now is not None) == (copy, bool(copy))
    assert (gone.start, gone.end, gone.plane) == (0, 40, "both")
    assert (gone.kv_bytes, gone.state_bytes, gone.provenance) == (40, 100, "prefill")


@pytest.mark.parametrize(
    ("below", "copy"), [("device alone", ""), ("host", "host"), ("disk", "disk")]
)
def test_a_state_evicted_alone_names_it_too(below: str, copy: str) -> None:
    on, _, shown = play(SCENES[Cause.STATE_PRESSURE], below)
    states = [one for one in shown.evictions if one.plane == "state" and one.tier == "device"]
    assert states
    assert {one.copy for one in states} == {copy}
    dropped = (e.what for e in on.journal.entries() if e.tier == "device")
    told = [what.copy for what in dropped if isinstance(what, CheckpointDropped)]
    assert set(told) == {copy}


def test_what_the_disk_did_not_take_is_no_copy() -> None:
    on = ThreeTiers(host=None, files=3, fails=lambda: True)
    on.run(A)
    on.cache.evict_kv(1)
    assert copies_told(on) == [""]


def test_an_existing_file_is_a_copy_too() -> None:
    """Saved while idle, so nothing is copied at the eviction."""
    on = ThreeTiers(host=None, files=9)
    on.run(A)
    assert on.tiers.save() == 1
    looked = Looked(on)
    on.cache.evict_kv(1)
    assert gone_of(on, looked).copy == "disk"
    assert looked.tape.evictions[-1].evicted.copy == "disk"


def test_a_deeper_state_is_no_copy() -> None:
    """The disk has the tokens of both but the state of only one."""
    on = ThreeTiers(host=None, files=1)
    on.run(A, anchors=(20,))
    on.tiers.save()
    assert on.disk is not None
    assert list(map(len, on.disk.files)) == [40]
    looked = Looked(on)
    on.cache.drop_all()
    placed = {one.end: one for one in looked.look().evictions}
    assert {end: one.copy for end, one in placed.items()} == {20: "", 40: "disk"}
    assert placed[20].node_now == placed[40].node_now is not None


def test_what_the_host_drops_may_still_be_on_disk() -> None:
    on = ThreeTiers(host=(800, 12), files=9)
    on.run(A)
    assert on.host is not None
    node = max(on.cache.reader.nodes(), key=lambda node: node.end)
    on.tiers.copy_to_host(node.id)
    on.tiers.save()
    on.cache.drop_all()
    looked = Looked(on)
    on.host.drop_all()
    assert [gone.copy for gone in looked.look().evictions] == ["disk"]


def test_keys_and_values_have_copies_of_their_own() -> None:
    """A tombstone has no state that could be looked for."""
    on = ThreeTiers(host=(800, 12), files=None)
    on.run(A, anchors=(20,))
    for node in on.cache.reader.nodes():
        if node.checkpoint is not None:
            on.tiers.copy_to_host(node.id)
    looked = Looked(on)
    on.cache.evict_state()
    on.cache.evict_state()
    kv = [gone for gone in looked.look().evictions if gone.plane == "kv"]
    assert {gone.copy for gone in kv} == {"host"}


def test_a_state_that_a_better_one_replaces_is_still_there() -> None:
    _, _, shown = play(SCENES[Cause.SUPERSEDED], "device alone")
    assert [gone.copy for gone in shown.evictions if gone.cause == "superseded"] == ["device"]


@pytest.mark.parametrize("below", BELOW)
def test_what_the_user_clears_is_lost_once(below: str) -> None:
    on = ThreeTiers(**BELOW[below])
    on.run(A, anchors=(20,))
    on.tiers.save()
    looked = Looked(on)
    on.tiers.clear()
    ends = [gone.end for gone in looked.look().evictions if not gone.copy]
    assert sorted(ends) == [20, 40]


def test_no_copy_is_claimed_if_the_disk_took_nothing() -> None:
    on = ThreeTiers(host=None, files=9, fails=lambda: True)
    on.run(A)
    looked = Looked(on)
    on.cache.evict_kv(1)
    assert gone_of(on, looked).copy == ""
    assert looked.tape.evictions[-1].evicted.copy == ""


def test_a_removed_file_is_told_with_its_place() -> None:
    on = ThreeTiers(host=None, files=1)
    on.run(A)
    on.run(B)
    on.tiers.save()
    looked = Looked(on)
    on.cache.drop_all()
    on.tiers.clear()
    (gone,) = (one for one in looked.look().evictions if one.tier == "disk")
    assert gone.cause == FileCause.DROPPED_BY_USER
    assert (gone.plane, gone.state_bytes, gone.kv_bytes) == ("both", 100, 40)
    assert gone.node_before is not None
    assert gone.node_now is None


def test_a_file_that_no_trace_knew_has_no_place() -> None:
    """As in traces of before version 3, which tell only of what the disk lost."""
    on = ThreeTiers(host=None, files=None)
    on.run(A)
    looked = Looked(on)
    gone = SegmentRemoved(20, 40, "prefill", 140, 40, FileCause.PARENT_GONE)
    follower = Follower(looked.tape)
    looked.tape.add(TraceEntry(Entry(99, 1.0, "disk", gone)))
    (told,) = follower.snapshot().evictions
    assert (told.node_now, told.copy, told.above, told.cached_to) == (None, "", 0, 20)


def test_no_journal_entry_holds_the_tokens_of_a_file() -> None:
    on = ThreeTiers(host=None, files=1)
    on.run(A)
    on.tiers.save()
    on.tiers.clear()
    told = [e.what for e in on.journal.entries() if isinstance(e.what, SegmentRemoved)]
    cause = FileCause.DROPPED_BY_USER
    assert told == [SegmentRemoved(0, 40, "prefill", 140, 40, cause, key_of(A))]


def test_splits_after_an_eviction_do_not_move_it() -> None:
    on = ThreeTiers(host=None, files=9)
    on.run(A)
    on.run((*A, 1, 2, 3))
    on.tiers.save()
    looked = Looked(on)
    leaf = max(on.cache.reader.nodes(), key=lambda node: node.end)
    assert on.cache.evict_session(leaf.id)
    on.run((*A[:10], 7, 8))
    (placed,) = (one for one in looked.look().evictions if one.node == leaf.id)
    assert (placed.start, placed.end) == (40, 43)
    assert placed.node_now is not None


def test_a_node_split_before_its_eviction_is_found_by_its_own_tokens() -> None:
    on = ThreeTiers(host=None, files=9)
    on.run(A)
    looked = Looked(on)
    on.run((*A[:10], 7, 8))
    on.tiers.save()
    lower = next(node for node in on.cache.reader.nodes() if (node.start, node.end) == (10, 40))
    assert on.cache.evict_session(lower.id) == 30
    placed = gone_of(on, looked)
    assert (placed.start, placed.end, placed.copy) == (10, 40, "disk")
    assert placed.node_before == lower.id


def test_what_was_split_before_it_left_was_shown_as_the_whole() -> None:
    on = ThreeTiers(host=None, files=None)
    on.run(A)
    looked = Looked(on)
    (whole,) = (node.id for node in on.cache.reader.nodes() if node.end == 40)
    on.run((*A[:10], 7, 8))
    on.cache.drop_all()
    before = {(one.start, one.end): one.node_before for one in looked.look().evictions}
    assert before[0, 10] == before[10, 40] == whole
    assert before[10, 12] is None


def test_what_another_sequence_shares_the_beginning_of_is_gone_from_there_on() -> None:
    on = ThreeTiers(host=None, files=None)
    on.run(A)
    looked = Looked(on)
    on.cache.drop_all()
    on.run((*A[:10], 7, 8))
    gone = gone_of(on, looked)
    assert (gone.node_now, gone.cached_to, gone.copy) == (None, 10, "")


def test_the_tokens_of_nodes_are_those_of_the_moment() -> None:
    """A node that was split since had more of them."""
    on = ThreeTiers(host=(800, 12), files=None)
    looked = Looked(on)
    on.run(A)
    looked.look()
    then = len(looked.tape)
    on.run((*A[:10], 7, 8))
    looked.look()
    (whole,) = (node for node in looked.tape.snapshot(then).nodes if node.end == 40)
    assert present(looked.tape.tokens(then)(whole)).tolist() == list(A)
    now = {node.end: node for node in looked.tape.snapshot(len(looked.tape)).nodes}
    tokens = looked.tape.tokens(len(looked.tape))
    assert present(tokens(now[10])).tolist() == list(A[:10])
    assert present(tokens(now[40])).tolist() == list(A[10:])
    assert present(tokens(now[12])).tolist() == [7, 8]
    # Asked for a node of another moment, it does not guess.
    assert tokens(whole) is None


def test_everyone_who_looks_gets_each_eviction_once() -> None:
    on = ThreeTiers(host=None, files=None)
    first, second = Looked(on), Looked(on)
    on.run(A)
    on.cache.drop_all()
    assert gone_of(on, first).end == 40
    on.run(B)
    on.cache.drop_all()
    assert len(first.look().evictions) == 1
    assert len(second.look().evictions) == 2
    assert first.look().evictions == second.look().evictions == ()


def test_what_does_not_fit_is_counted() -> None:
    on = ThreeTiers(device=(4 * MOST_LISTED, MOST_LISTED + 40), host=None, files=None)
    looked = Looked(on)
    for number in range(MOST_LISTED + 30):
        on.run((number, number))
    on.cache.drop_all()
    shown = looked.look()
    assert (len(shown.evictions), shown.unlisted) == (MOST_LISTED, 30)
    assert (looked.look().evictions, looked.look().unlisted) == ((), 0)


def test_who_was_away_for_long_gets_every_eviction_though_without_its_place() -> None:
    on = ThreeTiers(device=(120, 5), host=None, files=None)
    looked = Looked(on)
    follower = Follower(looked.tape)
    follower.snapshot()
    for number in range(400):
        on.run((number % 7, number, number + 1), anchors=(1,))
    looked.look()
    assert len(looked.tape) > 4096, "there is a keyframe to go on from"
    shown = follower.snapshot()
    total = len(looked.tape.evictions)
    assert len(shown.evictions) + shown.unlisted == total > MOST_LISTED
    assert {node.id for node in shown.nodes} == {node.id for node in on.cache.reader.nodes()}


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("seed", range(3))
def test_random_requests_under_small_budgets(seed: int, below: str) -> None:
    print(f"seed {seed}")
    dice = random.Random(seed)
    account = Account()
    on = ThreeTiers(device=(120, 5), **BELOW[below])
    for entry in on.journal.entries():
        account.on_entry(entry)
    on.journal.listen(account.on_entry)
    lookers = [Looked(on) for _ in range(2)]
    told: list[list[Evicted]] = [[], []]
    chats = [tuple(dice.randrange(9) for _ in range(60)) for _ in range(4)]
    for _ in range(80):
        chat = dice.choice(chats)
        prompt = chat[: dice.randrange(1, 60)]
        on.run(prompt, anchors=(len(prompt) // 2,), decode=tuple(dice.choices(range(9), k=4)))
        if dice.random() < 0.1:
            on.tiers.clear()
        for at, looker in enumerate(lookers):
            if dice.random() < 0.3:
                told[at] += looker.look().evictions
    for at, looker in enumerate(lookers):
        told[at] += looker.look().evictions
    assert len(account.gone) > 40
    assert seen(tuple(told[0])) == seen(tuple(told[1])) == account.gone
