"""Insert, split, donate: where tokens and slots go, and what is freed."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cache.extents import Extents
from engine.cache.insertion import InsertResult
from engine.errors import InvariantError
from engine.reuse import Reason
from engine.stored_state import Provenance, StoredState
from tests.engine.cache.conftest import Driver
from tests.present import present

A = list(range(100, 120))

# Provenance, chain, and whether it has the hidden row.
Kind = tuple[Provenance, int | None, bool]


class TestSplit:
    def test_insert_12_the_suffix_keeps_the_checkpoint_and_the_upper_half_is_a_tombstone(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        d.run(A)
        lower = d.cache.reader.probe([*A, 1]).node
        d.time = 7.0
        d.run([*A[:12], 1, 2])
        path = d.cache.reader.path_of(lower)
        assert len(path) == 3
        upper = d.view(path[1])
        assert (upper.start, upper.end, upper.tombstone) == (0, 12, True)
        kept = d.view(lower)
        assert (kept.start, kept.end) == (12, 20)
        assert kept.checkpoint is not None
        assert kept.checkpoint.state.position == 20

    def test_insert_12_locks_are_copied_and_state_locks_are_not(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        reader, match = d.start([*A, 1])
        other, _ = d.start([*A[:12], 2])
        upper, lower = (d.view(n) for n in d.cache.reader.path_of(match.node)[1:])
        assert (upper.kv_lock, upper.state_lock) == (2, 0)
        assert (lower.kv_lock, lower.state_lock) == (1, 1)
        d.cache.unlock(reader)
        d.cache.reader.check()
        d.cache.unlock(other)
        d.cache.reader.check()
        assert all(n.kv_lock == n.state_lock == 0 for n in d.cache.reader.nodes())

    def test_evict_28_a_split_does_not_refresh(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        match = d.cache.match(A[:12])
        d.time = 50.0
        d.cache.lock(match)
        assert {n.last_used for n in d.cache.reader.nodes() if n.end} == {0.0}

    def test_insert_20_every_node_is_reached_by_its_own_tokens(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=400, state_slots=30)
        rng = np.random.default_rng(5)
        for _ in range(25):
            d.run(rng.integers(0, 2, size=12).tolist())
        for node in d.cache.reader.nodes():
            tokens = np.concatenate(
                [d.cache.reader.tokens_of(n) for n in d.cache.reader.path_of(node.id)]
            )
            assert d.cache.reader.probe(tokens).node == node.id

    def test_a_split_slices_runs_and_tokens_alike(self, driver: type[Driver]) -> None:
        d = driver()
        hole = present(d.cache.alloc_kv(3))
        blocker = present(d.cache.alloc_kv(1))
        d.cache.free_kv(hole)
        lock, match = d.start(A[:4])
        d.put(lock, A[:4], match)
        extended = d.put(lock, A, match)
        d.donate(lock, 20)
        d.cache.unlock(lock)
        d.cache.match([*A[:2], 1])
        whole = d.cache.reader.probe(A).extents
        assert whole == extended.extents
        d.cache.lock(d.cache.match(A[:9]))
        assert d.cache.reader.probe(A).extents == whole
        d.cache.free_kv(blocker)
        d.cache.reader.check()


class TestInsert:
    def test_insert_17_no_tokens_make_no_node(self, driver: type[Driver]) -> None:
        d = driver()
        lock, match = d.start([])
        result = d.put(lock, [], match)
        assert (result.node, result.extents) == (0, ())
        d.cache.unlock(lock)
        assert len(d.cache.reader.nodes()) == 1

    def test_insert_15_unaligned_lengths_go_in_whole(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A[:13])
        assert d.cache.reader.kv_pool().cached == 13
        assert d.cache.reader.kv_pool().live == 0

    def test_insert_14_a_tombstone_is_healed_and_duplicate_kv_freed(
        self, driver: type[Driver]
    ) -> None:
        d = driver(policy="lru")
        d.run(A, at=[10, 20])
        d.cache.evict_state()
        lock, match = d.start([])
        result = d.put(lock, A[:10], match)
        assert sum(n for _, n in result.duplicate_extents) == 10
        assert d.donate(lock, 10)
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert d.cache.reader.probe(A[:11]).resume == 10
        assert d.cache.reader.kv_pool().cached == 20

    def test_insert_21_owned_from_decides_which_duplicates_come_free(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        d.run(A)
        lock, _match = d.start([])
        kept, _ = d.start(A[:8])
        own = present(d.cache.alloc_kv(12))
        result = d.cache.insert(A, [(0, 8), *own], owned_from=8, lock=lock)
        d.cache.reader.check()
        assert result.duplicate_extents == tuple(own)
        assert result.extents == ((0, 20),)
        assert d.cache.reader.kv_pool().cached == 20
        with pytest.raises(InvariantError, match="double free"):
            d.cache.free_kv(own)
        for held in (lock, kept):
            d.cache.unlock(held)
        d.cache.reader.check()

    def test_insert_19_two_requests_with_the_same_tokens_have_one_winner(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        one, m1 = d.start(A)
        two, m2 = d.start(A)
        s1, s2 = present(d.cache.alloc_state()), present(d.cache.alloc_state())
        r1, r2 = d.put(one, A, m1), d.put(two, A, m2)
        assert r1.node == r2.node
        assert r1.extents == r2.extents
        assert d.cache.donate(one, s1, StoredState(20))
        assert not d.cache.donate(two, s2, StoredState(20))
        assert (d.cache.reader.state_pool().cached, d.cache.reader.state_pool().live) == (1, 0)
        for lock in (one, two):
            d.cache.unlock(lock)
            d.cache.reader.check()

    def test_a_hole_below_owned_kv_is_refused(self, driver: type[Driver]) -> None:
        d = driver()
        lock, _ = d.start(A)
        own = present(d.cache.alloc_kv(10))
        with pytest.raises(InvariantError, match="KV hole"):
            d.cache.insert(A, [(30, 10), *own], owned_from=10, lock=lock)

    def test_kv_that_is_not_where_the_tree_has_it_is_refused(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A[:10])
        lock, _ = d.start(A)
        own = present(d.cache.alloc_kv(10))
        with pytest.raises(InvariantError, match="wrong owner"):
            d.cache.insert(A, [(40, 10), *own], owned_from=10, lock=lock)

    def test_an_insert_moves_the_lock_down(self, driver: type[Driver]) -> None:
        d = driver()
        lock, match = d.start(A)
        result = d.put(lock, A[:10], match)
        assert d.view(result.node).kv_lock == 1
        again = d.put(lock, A, match, owned_from=0)
        assert d.view(again.node).kv_lock == 1
        assert sum(n for _, n in again.duplicate_extents) == 10

    def test_new_nodes_carry_their_own_time(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A[:10])
        d.time = 4.0
        d.run(A)
        assert [n.created for n in d.cache.reader.nodes()] == [0.0, 0.0, 4.0]


class TestPreferNew:
    """Exact mode rewrites KV that the tree computed under other cuts."""

    def swap(
        self,
        d: Driver,
        old_tags: list[int],
        new_tags: list[int],
        prefer_new: bool = True,
        readers: int = 0,
    ) -> tuple[Extents, InsertResult]:
        lock, match = d.start(A)
        d.put(lock, A, match, tags=np.array(old_tags, np.int64))
        d.donate(lock, 20)
        d.cache.unlock(lock)
        others = [d.start(A)[0] for _ in range(readers)]
        before = d.cache.reader.probe(A).extents
        lock, match = d.start(A)
        result = d.put(
            lock, A, match, tags=np.array(new_tags, np.int64), prefer_new=prefer_new, owned_from=0
        )
        for other in others:
            d.cache.unlock(other)
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().cached == 20
        assert d.cache.reader.kv_pool().live == 0
        assert d.cache.reader.probe(A).extents == result.extents
        return before, result

    def valid(self, d: Driver, tags: list[int]) -> int:
        return d.cache.reader.probe(A, tags=np.array(tags, np.int64)).kv_valid

    def test_differing_slots_are_swapped_in_and_the_old_ones_freed(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        before, result = self.swap(d, [1] * 20, [1] * 6 + [2] * 14)
        assert before == ((0, 20),)
        assert result.extents == ((0, 6), (26, 14))
        assert sorted(result.duplicate_extents) == [(6, 14), (20, 6)]
        assert self.valid(d, [1] * 6 + [2] * 14) == 20

    def test_equal_tags_free_the_newcomer(self, driver: type[Driver]) -> None:
        d = driver()
        before, result = self.swap(d, [3] * 20, [3] * 20)
        assert result.extents == before
        assert self.valid(d, [3] * 20) == 20

    def test_decoded_kv_is_never_taken_for_equal(self, driver: type[Driver]) -> None:
        d = driver()
        _, result = self.swap(d, [0] * 20, [0] * 20)
        assert result.extents == ((20, 20),)

    def test_without_prefer_new_the_tree_keeps_its_own(self, driver: type[Driver]) -> None:
        d = driver()
        before, result = self.swap(d, [1] * 20, [2] * 20, prefer_new=False)
        assert result.extents == before
        assert self.valid(d, [2] * 20) == 0

    def test_nothing_is_swapped_under_another_reader(self, driver: type[Driver]) -> None:
        d = driver()
        before, result = self.swap(d, [1] * 20, [2] * 20, readers=1)
        assert result.extents == before
        assert self.valid(d, [1] * 20) == 20

    def test_a_split_under_its_own_lock_does_not_stop_the_swap(self, driver: type[Driver]) -> None:
        d = driver()
        lock, match = d.start(A)
        d.put(lock, A, match, tags=np.ones(20, np.int64))
        d.donate(lock, 20)
        d.cache.unlock(lock)
        lock, match = d.start([*A, 1])
        assert match.matched == 20
        again = np.full(10, 2, np.int64)
        result = d.put(lock, A[:10], match, tags=again, prefer_new=True, owned_from=0)
        assert result.extents == ((20, 10),)
        assert d.view(match.node).kv_lock == d.view(result.node).kv_lock == 1
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert self.valid(d, [2] * 10 + [1] * 10) == 20

    def test_alternating_tags_swap_slot_by_slot(self, driver: type[Driver]) -> None:
        d = driver()
        _, result = self.swap(d, [1, 2] * 10, [1] * 20)
        assert len(result.extents) == 20
        assert self.valid(d, [1] * 20) == 20


class TestDonate:
    def test_insert_16_position_is_the_end_of_a_node_exactly(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=300, state_slots=16)
        tokens = list(range(256))
        d.run(tokens, at=[1, 16, 63, 64, 65, 100, 192, 255, 256])
        assert d.positions() == [1, 16, 63, 64, 65, 100, 192, 255, 256]
        for node in d.cache.reader.nodes():
            if node.checkpoint is not None:
                assert node.checkpoint.state.position == node.end

    def test_insert_13_a_second_donation_frees_its_slot(self, driver: type[Driver]) -> None:
        d = driver()
        lock, match = d.start(A)
        d.put(lock, A, match)
        assert d.donate(lock, 20)
        assert not d.donate(lock, 20)
        assert (d.cache.reader.state_pool().cached, d.cache.reader.state_pool().free) == (1, 7)

    def test_a_second_donation_inside_a_node_does_not_split_twice(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        lock, match = d.start(A)
        d.put(lock, A, match)
        assert d.donate(lock, 10)
        nodes = len(d.cache.reader.nodes())
        assert not d.donate(lock, 10)
        assert len(d.cache.reader.nodes()) == nodes

    @pytest.mark.parametrize(
        ("old", "new", "taken"),
        [
            (("decode", None, False), ("prefill", 5, False), True),
            (("branch", None, True), ("prefill", 5, False), True),
            (("prefill", 5, False), ("prefill", 6, False), True),
            (("prefill", 5, False), ("prefill", 5, False), False),
            (("prefill", 5, False), ("prefill", 5, True), True),
            (("prefill", 5, True), ("prefill", 5, False), False),
            (("prefill", 5, False), ("decode", None, True), False),
            (("prefill", 5, False), ("prefill", None, True), False),
            (("decode", None, False), ("decode", None, True), True),
            (("decode", None, False), ("prefill", None, False), False),
            (("prefill", None, True), ("decode", None, True), False),
        ],
    )
    def test_the_better_checkpoint_stays(
        self,
        driver: type[Driver],
        old: Kind,
        new: Kind,
        taken: bool,
    ) -> None:
        d = driver()
        lock, match = d.start(A)
        d.put(lock, A, match)

        def give(kind: Kind) -> bool:
            provenance, cut_hash, hidden = kind
            return d.donate(lock, 20, provenance=provenance, cut_hash=cut_hash, has_hidden=hidden)

        assert give(old)
        assert give(new) is taken
        held = present(d.cache.reader.probe([*A, 1]).checkpoint).state
        assert (held.provenance, held.cut_hash, held.has_hidden) == (new if taken else old)
        assert (d.cache.reader.state_pool().cached, d.cache.reader.state_pool().free) == (1, 7)
        assert d.cache.reader.evicted.get("superseded", 0) == int(taken)

    def test_a_locked_checkpoint_is_not_replaced(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, provenance="decode")
        reader, match = d.start([*A, 1])
        writer, again = d.start(A)
        d.put(writer, A, again)
        assert not d.donate(writer, 20, cut_hash=5)
        held = present(d.view(match.node).checkpoint)
        assert held.slot == present(match.checkpoint).slot
        d.cache.unlock(reader)
        assert d.donate(writer, 20, cut_hash=5)

    def test_a_replacement_keeps_the_use_count(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, provenance="decode")
        d.cache.match([*A, 1])
        d.run(A, cut_hash=4)
        leaf = d.cache.reader.probe([*A, 1]).node
        assert present(d.view(leaf).checkpoint).hits == 1

    def test_branch_41_cancel_mid_prefill_keeps_what_was_crossed(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        lock, _match = d.start(A)
        own = present(d.cache.alloc_kv(20))
        d.cache.insert(A[:8], [(own[0][0], 8)], owned_from=0, lock=lock)
        assert d.donate(lock, 8)
        d.cache.free_kv([(own[0][0] + 8, 12)])
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().live == 0
        assert d.cache.match(A).resume == 8

    def test_evict_33_a_slot_of_a_failed_admission_goes_back(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=10)
        slot = present(d.cache.alloc_state())
        assert d.cache.alloc_kv(11) is None
        d.cache.free_state(slot)
        d.cache.reader.check()
        assert d.cache.reader.state_pool().free == 8
        with pytest.raises(InvariantError, match="double free"):
            d.cache.free_state(slot)


class TestConversations:
    """Turns, edits and branches, as positions only."""

    def test_branch_38_children_share_one_path(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=200)
        d.run(A)
        locks = []
        for child in range(5):
            lock, match = d.start([*A, child])
            d.put(lock, [*A, child], match)
            locks.append(lock)
        assert d.view(match.node).kv_lock == 5
        assert d.view(match.node).state_lock == 5
        assert d.cache.reader.kv_pool().cached == 25
        for lock in locks:
            assert d.donate(lock, 21)
            d.cache.unlock(lock)
            d.cache.reader.check()
        assert d.cache.reader.kv_pool().locked == 0

    def test_branch_39_regenerate_starts_before_the_old_answer(self, driver: type[Driver]) -> None:
        d = driver()
        prompt, answer = A[:10], A[10:]
        d.run(prompt, has_hidden=True)
        d.run([*prompt, *answer], provenance="decode")
        match = d.cache.match(prompt)
        assert match.full
        assert present(match.checkpoint).state.position == 10

    def test_branch_40_an_edit_resumes_at_the_start_of_its_message(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        d.run(A, at=[5, 9, 20])
        match = d.cache.match([*A[:9], 1, 2, 3])
        assert (match.resume, match.matched) == (9, 9)

    def test_branch_43_two_long_chats_stay_warm_where_both_fit(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=400, state_slots=12)
        chats = [[1], [2]]
        for turn in range(5):
            for chat in chats:
                before = len(chat)
                chat.extend(range(1000 * turn, 1000 * turn + 20))
                match = d.run(chat, provenance="decode")
                assert turn == 0 or match.resume == before

    def test_branch_44_a_branch_checkpoint_serves_the_third_comer(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        shared = A[:11]
        d.run([*shared, 1, 2])
        lock, match = d.start([*shared, 3, 4])
        assert (match.matched, match.resume) == (11, 0)
        d.put(lock, [*shared, 3, 4], match)
        assert d.donate(lock, 11, provenance="branch")
        assert d.donate(lock, 13)
        d.cache.unlock(lock)
        third = d.cache.match([*shared, 5])
        assert third.resume == 11
        assert d.cache.reader.probe([*shared, 3, 4, 9]).resume == 13

    def test_branch_46_a_prefix_of_fluctuating_length_still_hits(
        self, driver: type[Driver]
    ) -> None:
        d = driver(kv_slots=600)
        base = list(range(300))
        d.run(base, at=[64, 128, 192, 256])
        for cut in range(193, 256, 7):
            match = d.cache.reader.probe([*base[:cut], 9999])
            assert (match.matched, match.resume) == (cut, 192)

    def test_a_removed_tail_does_not_come_back_as_known(self, driver: type[Driver]) -> None:
        d = driver(state_slots=0)
        lock, match = d.start(A)
        d.put(lock, A, match)
        assert not d.donate(lock, 20)
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert d.cache.skipped == 1
        assert d.cache.reader.evicted == {"uncovered tail": 1}
        again = d.cache.reader.probe(A)
        assert again.matched == 0
        assert again.reason is Reason.NO_CHECKPOINT
        assert again.lost is not None
        assert again.lost.cause == "uncovered tail"
