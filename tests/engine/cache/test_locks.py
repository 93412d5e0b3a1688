"""Locks: what a running request reads stays, and every lock is released once."""

from __future__ import annotations

import pytest

from engine.errors import InvariantError
from tests.engine.cache.conftest import Driver
from tests.present import present

A = list(range(100, 120))


def counts(d: Driver) -> dict[int, tuple[int, int]]:
    return {n.end: (n.kv_lock, n.state_lock) for n in d.cache.reader.nodes()}


class TestLock:
    def test_evict_26_kv_up_to_the_root_and_one_checkpoint(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, at=[6, 12, 20])
        before = counts(d)
        lock, match = d.start([*A[:14], 1])
        assert match.resume == 12
        assert counts(d) == {0: (1, 0), 6: (1, 0), 12: (1, 1), 14: (1, 0), 20: (0, 0)}
        assert all(kv >= state for kv, state in counts(d).values())
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert counts(d) == {**before, 14: (0, 0)}

    def test_a_lock_on_nothing_holds_the_root(self, driver: type[Driver]) -> None:
        d = driver()
        lock, _ = d.start(A)
        assert counts(d) == {0: (1, 0)}
        d.cache.unlock(lock)
        assert counts(d) == {0: (0, 0)}

    def test_kv_past_the_checkpoint_is_held_for_the_replay(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=20)
        d.run(A)
        lock, match = d.start(A[:15])
        assert d.cache.evict_kv(20) == 5
        d.cache.reader.check()
        assert d.cache.reader.probe(A[:15]).extents == match.extents
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().free == 20

    def test_the_pool_counts_locked_as_part_of_cached(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        d.run([1, 2, 3])
        lock, _ = d.start([*A, 1])
        assert (d.cache.reader.kv_pool().cached, d.cache.reader.kv_pool().locked) == (23, 20)
        assert (d.cache.reader.state_pool().cached, d.cache.reader.state_pool().locked) == (2, 1)
        d.cache.unlock(lock)
        assert d.cache.reader.kv_pool().locked == 0

    def test_a_stale_match_is_refused(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        match = d.cache.match([*A, 1])
        d.cache.drop_all()
        with pytest.raises(InvariantError, match="stale"):
            d.cache.lock(match)

    def test_a_match_whose_checkpoint_was_evicted_is_refused(self, driver: type[Driver]) -> None:
        d = driver(policy="lru")
        d.run(A, at=[10, 20])
        match = d.cache.match(A[:12])
        d.cache.match([*A, 1])
        assert match.resume == 10
        d.cache.evict_state()
        with pytest.raises(InvariantError, match="stale"):
            d.cache.lock(match)
        d.cache.reader.check()

    def test_a_split_between_match_and_lock_is_harmless(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        match = d.cache.match([*A[:15], 1])
        other, _ = d.start([*A[:7], 2])
        lock = d.cache.lock(match)
        d.cache.reader.check()
        assert counts(d) == {0: (2, 0), 7: (2, 0), 15: (1, 0), 20: (0, 0)}
        for held in (lock, other):
            d.cache.unlock(held)
            d.cache.reader.check()


class TestUnlock:
    def test_twice_raises(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        lock, _ = d.start([*A, 1])
        d.cache.unlock(lock)
        with pytest.raises(InvariantError, match="double unlock"):
            d.cache.unlock(lock)

    def test_a_bare_tail_is_removed_with_its_chain(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A[:8])
        lock, match = d.start(A)
        d.put(lock, A[:12], match)
        d.put(lock, A[:16], d.cache.reader.probe(A[:12]))
        d.put(lock, A, d.cache.reader.probe(A[:16]))
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().cached == 8
        assert d.cache.reader.evicted == {"uncovered tail": 1, "tombstone chain": 2}

    def test_a_bare_tail_another_request_reads_stays_until_it_ends(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        writer, match = d.start(A)
        d.put(writer, A, match)
        reader, _ = d.start(A)
        d.cache.unlock(writer)
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().cached == 20
        d.cache.unlock(reader)
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().cached == 0

    def test_a_covered_end_stays(self, driver: type[Driver]) -> None:
        d = driver()
        lock, match = d.start(A)
        d.put(lock, A, match)
        d.donate(lock, 20)
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().cached == 20


class TestExtend:
    def test_down_the_path(self, driver: type[Driver]) -> None:
        d = driver()
        lock, _ = d.start([])
        d.run(A, at=[10, 20])
        nodes = d.cache.reader.path_of(d.cache.reader.probe([*A, 1]).node)
        d.cache.extend(lock, nodes[1])
        d.cache.reader.check()
        d.cache.extend(lock, nodes[2])
        d.cache.reader.check()
        assert counts(d) == {0: (1, 0), 10: (1, 0), 20: (1, 0)}

    def test_not_sideways_and_up_changes_nothing(self, driver: type[Driver]) -> None:
        d = driver()
        d.run([1, 2])
        d.run([3, 4])
        lock, _ = d.start([1, 2, 9])
        with pytest.raises(InvariantError, match="does not reach"):
            d.cache.extend(lock, d.cache.reader.probe([3, 4, 9]).node)
        before = counts(d)
        d.cache.extend(lock, 0)
        assert counts(d) == before
        d.cache.reader.check()

    def test_past_a_split_of_its_own_node(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        lock, _ = d.start([*A, 1])
        other, _ = d.start(A[:5])
        d.cache.unlock(other)
        d.put(lock, [*A, 1, 2], d.cache.reader.probe(A))
        assert d.donate(lock, 22)
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert all(n.kv_lock == 0 for n in d.cache.reader.nodes())


class TestReleaseState:
    def test_a_copied_checkpoint_may_be_evicted_while_its_kv_stays(
        self, driver: type[Driver]
    ) -> None:
        d = driver(state_slots=1)
        d.run(A)
        lock, match = d.start([*A, 1])
        assert d.cache.alloc_state() is None
        d.cache.release_state(lock)
        d.cache.reader.check()
        slot = present(d.cache.alloc_state())
        assert slot == present(match.checkpoint).slot
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().cached == 20
        d.cache.release_state(lock)
        d.cache.free_state(slot)
        d.cache.unlock(lock)
        d.cache.reader.check()
        assert d.cache.reader.kv_pool().cached == 0
