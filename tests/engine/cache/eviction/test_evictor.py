"""Eviction: who goes, who stays, what goes with it, and under which name it is counted."""

from __future__ import annotations

import pytest

from engine.config import POLICY_NAMES
from tests.engine.cache.conftest import Driver
from tests.present import present

A = list(range(100, 120))


class TestStates:
    def test_evict_22_an_inner_node_becomes_a_tombstone(self, driver: type[Driver]) -> None:
        d = driver(policy="lru")
        d.run(A, at=[10, 20])
        extents = d.cache.reader.probe(A).extents
        assert d.cache.evict_state() == 1
        d.cache.reader.check()
        assert d.positions() == [20]
        assert d.cache.reader.probe(A).extents == extents
        assert d.cache.reader.probe([*A, 1]).resume == 20
        assert d.cache.reader.evicted == {"state pressure": 1}

    def test_evict_23_a_leaf_goes_with_its_kv_and_the_bare_chain_above(
        self, driver: type[Driver]
    ) -> None:
        d = driver(policy="lru")
        d.run(A, at=[5, 10, 15, 20])
        for _ in range(3):
            d.cache.evict_state()
            d.cache.reader.check()
        assert d.positions() == [20]
        assert d.cache.reader.kv_pool().cached == 20
        d.cache.evict_state()
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().cached == 0
        assert d.cache.reader.evicted == {"state pressure": 4, "tombstone chain": 3}

    def test_evict_23_the_chain_stops_at_a_node_with_another_child(
        self, driver: type[Driver]
    ) -> None:
        d = driver(policy="lru")
        d.run([*A[:10], 7])
        d.run([*A[:10], 1, 2, 3], at=[12, 13])
        d.cache.match([*A[:10], 7, 7])
        assert d.cache.evict_state(2) == 2
        d.cache.reader.check()
        assert d.positions() == [11]
        assert d.cache.reader.probe([*A[:10], 1, 2, 3]).matched == 10
        assert d.cache.reader.evicted == {"state pressure": 2, "tombstone chain": 1}

    def test_evict_23_the_chain_stops_at_a_checkpoint(self, driver: type[Driver]) -> None:
        d = driver(policy="lru")
        d.run(A, at=[10, 15, 20])
        d.cache.match([*A[:10], 7])
        assert d.cache.evict_state(2) == 2
        d.cache.reader.check()
        assert d.positions() == [10]
        assert d.cache.reader.kv_pool().cached == 10

    def test_evict_23_the_chain_stops_at_a_lock(self, driver: type[Driver]) -> None:
        d = driver(policy="lru")
        d.run(A, at=[15, 20])
        lock, _ = d.start(A[:10])
        assert d.cache.evict_state(2) == 2
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().cached == 10
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().cached == 0

    def test_evict_25_a_leaf_whose_kv_is_locked_keeps_its_kv(self, driver: type[Driver]) -> None:
        d = driver()
        lock, match = d.start(A)
        d.put(lock, A, match)
        d.donate(lock, 20)
        assert d.cache.evict_state() == 1
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().cached == 20
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().cached == 0

    def test_evict_32_with_every_slot_held_there_is_none_and_no_error(
        self, driver: type[Driver]
    ) -> None:
        d = driver(state_slots=2)
        d.run(A)
        lock, _ = d.start([*A, 1])
        live = d.cache.alloc_state()
        assert live is not None
        assert d.cache.alloc_state() is None
        assert d.cache.evict_state() == 0
        d.cache.note_skip()
        assert d.cache.skipped == 1
        d.cache.free_state(live)
        d.cache.unlock(lock)
        d.cache.reader.check()

    def test_evict_32_a_plane_without_slots(self, driver: type[Driver]) -> None:
        d = driver(state_slots=0)
        assert d.cache.alloc_state() is None
        match = d.run(A)
        assert match.resume == 0
        assert d.cache.reader.kv_pool().cached == 0

    def test_evict_36_slot_0_is_never_handed_out(self, driver: type[Driver]) -> None:
        d = driver(state_slots=5)
        assert [d.cache.alloc_state() for _ in range(6)] == [1, 2, 3, 4, 5, None]

    def test_evict_31_value_counts_from_the_nearest_live_ancestor(
        self, driver: type[Driver]
    ) -> None:
        d = driver(kv_slots=200)
        tokens = list(range(100))
        d.run(tokens, at=[10, 50, 60, 100])
        d.cache.evict_state()
        assert d.positions() in ([50, 60, 100], [10, 50, 100])
        while 60 in d.positions() and 50 in d.positions():
            d.cache.evict_state()
        # One of the two neighbours went; the other now stands for both and outlives the tip's.
        assert len({50, 60} & set(d.positions())) == 1


class TestKv:
    def test_evict_24_only_unlocked_leaves_go_and_take_their_checkpoint_along(
        self, driver: type[Driver]
    ) -> None:
        d = driver(kv_slots=40)
        d.run(A)
        d.run(list(range(20)))
        lock, _ = d.start([*A, 1])
        assert d.cache.evict_kv(1) == 20
        d.cache.reader.check()
        assert d.positions() == [20]
        assert d.cache.reader.probe(A).matched == 20
        assert d.cache.evict_kv(1) == 0
        assert d.cache.reader.evicted == {"kv pressure": 1}
        d.cache.unlock(lock)

    def test_evict_24_the_parent_is_the_next_leaf(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=20)
        d.run(A, at=[10, 20])
        assert d.cache.evict_kv(5) == 10
        assert d.positions() == [10]
        assert d.cache.evict_kv(5) == 10
        d.cache.reader.check()
        assert d.positions() == []

    def test_a_branch_goes_before_the_trunk_it_hangs_on(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=100, policy="lru")
        d.run(A, at=[10, 20])
        d.run([*A[:10], 1, 2], at=[12])
        while d.cache.evict_kv(1):
            d.cache.reader.check()
            ends = d.positions()
            assert 10 in ends or not ends

    def test_allocation_evicts_what_it_needs_and_no_more(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=30, policy="lru")
        for first in (0, 10, 20):
            d.run(list(range(first, first + 10)))
        extents = present(d.cache.alloc_kv(12))
        assert sum(n for _, n in extents) == 12
        assert d.cache.reader.kv_pool().cached == 10
        assert d.cache.reader.probe(list(range(20, 30))).matched == 10

    def test_an_allocation_that_cannot_succeed_evicts_nothing(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=30)
        d.run(A)
        lock, _ = d.start(A[:15])
        assert d.cache.alloc_kv(16) is None
        assert d.cache.reader.kv_pool().cached == 20
        assert d.cache.reader.evicted == {}
        assert d.cache.alloc_kv(15) is not None
        d.cache.reader.check()
        d.cache.unlock(lock)

    def test_evict_34_no_checkpoint_outlives_its_kv(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=60, state_slots=20)
        for first in range(0, 60, 5):
            d.run(list(range(first, first + 30)), at=[10, 20, 30])
            reachable = {n.id for n in d.cache.reader.nodes()}
            assert set(d.checkpoints()) <= reachable

    def test_lru_goes_by_the_last_match_through_it(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=30, policy="lru")
        for first in (0, 10, 20):
            d.run(list(range(first, first + 10)))
        d.cache.match(list(range(10)))
        d.cache.evict_kv(1)
        assert d.cache.reader.probe(list(range(10, 20))).matched == 0
        assert d.cache.reader.probe(list(range(10))).matched == 10


class TestSessions:
    def test_both_planes_go_and_the_shared_trunk_stays(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, at=[8, 14, 20])
        d.run([*A[:8], 1, 2])
        leaf = d.cache.reader.probe([*A, 1]).node
        assert d.cache.evict_session(leaf) == 12
        d.cache.reader.check()
        assert d.positions() == [8, 10]
        assert d.cache.reader.evicted == {"session dropped": 2}

    def test_a_session_alone_goes_whole(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, at=[8, 14, 20])
        d.run([1, 2])
        assert d.cache.evict_session(d.cache.reader.probe([*A, 1]).node) == 20
        d.cache.reader.check()
        assert d.positions() == [2]

    def test_an_inner_node_takes_all_below(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, at=[8, 20])
        d.run([*A[:8], 1, 2])
        d.run([*A[:8], 3, 4])
        d.run([5, 6])
        assert d.cache.evict_session(d.cache.reader.probe([*A[:8], 9]).node) == 24
        d.cache.reader.check()
        assert d.positions() == [2]

    def test_a_bare_node_in_the_middle_does_not_stop_it(self, driver: type[Driver]) -> None:
        d = driver(policy="lru")
        d.run(A, at=[8, 14, 20])
        d.run([*A[:14], 3])
        d.cache.match([*A, 77])
        d.cache.match([*A[:8], 77])
        d.cache.match([*A[:14], 3, 77])
        d.cache.evict_state()
        assert d.positions() == [8, 15, 20]
        middle = d.cache.reader.path_of(d.cache.reader.probe([*A, 1]).node)[2]
        assert d.cache.evict_session(middle) == 21
        d.cache.reader.check()
        assert d.positions() == []

    def test_what_a_request_holds_stays(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, at=[8, 20])
        lock, _ = d.start([*A[:8], 1])
        assert d.cache.evict_session(d.cache.reader.probe([*A, 1]).node) == 12
        d.cache.reader.check()
        assert d.positions() == [8]
        assert d.cache.evict_session(d.cache.reader.probe([*A[:8], 1]).node) == 0
        d.cache.unlock(lock)

    def test_drop_all_leaves_only_what_is_locked(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, at=[8, 14, 20])
        d.run([1, 2])
        lock, _match = d.start([*A[:14], 1])
        d.cache.drop_all()
        d.cache.reader.check()
        assert d.positions() == [14]
        assert d.cache.reader.probe(A).matched == 14
        d.cache.unlock(lock)
        d.cache.reader.check()
        d.cache.drop_all()
        assert d.cache.reader.kv_pool().free == 64
        assert len(d.cache.reader.nodes()) == 1
        assert set(d.cache.reader.evicted) <= {"dropped by user", "tombstone chain"}

    def test_the_root_as_session_is_everything(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        d.run([1])
        assert d.cache.evict_session(0) == 21
        d.cache.reader.check()


SYSTEM, CHAT, TITLE, TAGS = ([start + i for i in range(10)] for start in (10, 30, 50, 70))


@pytest.mark.parametrize("policy", POLICY_NAMES)
class TestOneShots:
    def test_they_go_before_what_was_used_longer_ago(
        self, driver: type[Driver], policy: str
    ) -> None:
        d = driver(policy=policy)
        d.run([*SYSTEM, *CHAT], at=[10, 20])
        for text in (TITLE, TAGS):
            d.run([*SYSTEM, *text], one_shot=True)
        d.cache.evict_state()
        assert d.cache.reader.probe([*SYSTEM, *TITLE, 1]).matched == 10
        d.cache.evict_kv(5)
        assert d.cache.reader.evicted == {"one-shot request": 2}
        # What they share with the chat is the chat's, too.
        assert d.cache.reader.probe([*SYSTEM, *CHAT, 1]).resume == 20
        assert d.cache.reader.probe([*SYSTEM, *TAGS, 1]).matched == 10

    def test_they_stay_while_there_is_room(self, driver: type[Driver], policy: str) -> None:
        d = driver(policy=policy)
        for text in (CHAT, TITLE, TAGS):
            d.run([*SYSTEM, *text], one_shot=True)
        assert d.cache.reader.evicted == {}
        for text in (CHAT, TITLE, TAGS):
            assert d.cache.reader.probe([*SYSTEM, *text, 1]).resume == 20

    def test_one_that_goes_on_is_none_any_more(self, driver: type[Driver], policy: str) -> None:
        d = driver(policy=policy)
        d.run([*SYSTEM, *CHAT], one_shot=True)
        d.run([*SYSTEM, *CHAT, 1, 2])
        d.run([*SYSTEM, *TITLE], one_shot=True)
        d.run([*SYSTEM, *CHAT], one_shot=True)
        d.cache.evict_state()
        assert d.cache.reader.evicted == {"one-shot request": 1}
        assert d.cache.reader.probe([*SYSTEM, *CHAT, 1, 2, 3]).resume == 22
        assert d.cache.reader.probe([*SYSTEM, *CHAT, 5]).resume == 20

    def test_a_chat_does_not_keep_what_it_shares_the_beginning_of(
        self, driver: type[Driver], policy: str
    ) -> None:
        d = driver(policy=policy)
        d.run([*SYSTEM, *TITLE], one_shot=True)
        d.run([*SYSTEM, *CHAT])
        d.cache.evict_state()
        assert d.cache.reader.probe([*SYSTEM, *CHAT, 1]).resume == 20
        assert d.cache.reader.evicted == {"one-shot request": 1}
