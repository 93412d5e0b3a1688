"""The KV pool: few extents, no leaks, no slot allocated twice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from engine.cache.extents import count, to_slots
from engine.cache.kv_pool import CACHED, FREE, LIVE, KVPool
from engine.errors import InvariantError
from tests.present import present


class TestAllocation:
    def test_best_fit_at_the_lowest_address(self) -> None:
        pool = KVPool(30)
        pool.alloc(30)
        pool.free([(0, 8), (10, 4), (16, 4), (24, 6)])
        assert pool.alloc(4) == ((10, 4),)
        assert pool.alloc(4) == ((16, 4),)
        assert pool.alloc(5) == ((24, 5),)
        assert pool.alloc(8) == ((0, 8),)

    def test_the_largest_holes_first_where_none_is_large_enough(self) -> None:
        pool = KVPool(30)
        pool.alloc(30)
        pool.free([(0, 3), (10, 8), (20, 5)])
        assert pool.alloc(12) == ((10, 8), (20, 4))
        assert pool.free_slots == 4

    def test_growing_continues_after_the_last_slot(self) -> None:
        pool = KVPool(40)
        pool.alloc(40)
        pool.free([(5, 3), (20, 10)])
        assert pool.alloc(2, after=20) == ((20, 2),)
        assert pool.alloc(3, after=22) == ((22, 3),)
        assert pool.alloc(6, after=25) == ((25, 5), (5, 1))
        assert pool.alloc(1, after=30) == ((6, 1),)

    def test_none_if_it_does_not_fit_and_nothing_is_taken(self) -> None:
        pool = KVPool(4)
        assert pool.alloc(5) is None
        assert pool.counts == [4, 0, 0]

    def test_nothing_is_no_runs(self) -> None:
        assert KVPool(4).alloc(0) == ()
        assert KVPool(0).alloc(0) == ()
        assert KVPool(0).alloc(1) is None

    def test_freed_neighbours_coalesce(self) -> None:
        pool = KVPool(12)
        pool.alloc(12)
        for first in (0, 4, 8, 2, 6, 10):
            pool.free([(first, 2)])
        assert pool.free_extents() == ((0, 12),)


class TestOwnership:
    def test_the_three_statuses_add_up(self) -> None:
        pool = KVPool(10)
        extents = present(pool.alloc(6))
        pool.adopt([(0, 2)], None)
        assert pool.counts == [4, 4, 2]
        assert sorted(np.unique(pool.status).tolist()) == [FREE, LIVE, CACHED]
        pool.release([(0, 2)])
        pool.free([(2, 4)])
        assert pool.counts == [10, 0, 0]
        assert count(extents) == 6

    @pytest.mark.parametrize(
        ("act", "name"),
        [
            (lambda p: p.free([(8, 1)]), "double free: KV slot 8 is free"),
            (lambda p: p.free([(0, 5)]), "wrong owner: KV slot 2 is cached"),
            (lambda p: p.free([(0, 2), (1, 2)]), "double free: KV slot 1"),
            (lambda p: p.free([(2, 1)]), "wrong owner: KV slot 2 is cached"),
            (lambda p: p.release([(0, 1)]), "wrong owner: KV slot 0 is live"),
            (lambda p: p.release([(9, 1)]), "double free: KV slot 9"),
            (lambda p: p.adopt([(2, 1)], None), "wrong owner: KV slot 2 is cached"),
            (lambda p: p.free([(9, 2)]), "no such KV slots"),
            (lambda p: p.free([(-1, 1)]), "no such KV slots"),
        ],
    )
    def test_a_slot_of_another_owner_raises(
        self, act: Callable[[KVPool], object], name: str
    ) -> None:
        pool = KVPool(10)
        pool.alloc(4)
        pool.adopt([(2, 2)], None)
        with pytest.raises(InvariantError, match=name):
            act(pool)

    def test_tags_stay_with_the_slots(self) -> None:
        pool = KVPool(10)
        pool.alloc(10)
        pool.adopt([(7, 2), (0, 1)], np.array([5, 6, 7]))
        assert pool.tags_of([(0, 1), (7, 2)]).tolist() == [7, 5, 6]
        pool.release([(7, 1)])
        pool.alloc(1)
        pool.adopt([(7, 1)], None)
        assert pool.tags_of([(7, 1)]).tolist() == [0]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_traffic_matches_a_set(seed: int) -> None:
    print(f"seed {seed}")
    rng = np.random.default_rng(seed)
    pool, held, free = KVPool(50), [], set(range(50))
    for _ in range(800):
        if rng.random() < 0.55:
            wanted = int(rng.integers(1, 15))
            extents = pool.alloc(wanted)
            if extents is None:
                assert wanted > len(free)
                continue
            slots = set(to_slots(extents).tolist())
            assert len(slots) == wanted
            assert slots <= free
            free -= slots
            held.append(extents)
        elif held:
            extents = held.pop(int(rng.integers(len(held))))
            pool.free(extents)
            free |= set(to_slots(extents).tolist())
        assert set(to_slots(pool.free_extents()).tolist()) == free
        assert pool.counts == [len(free), 50 - len(free), 0]
        ends = [first + length for first, length in pool.free_extents()]
        assert all(end not in {f for f, _ in pool.free_extents()} for end in ends)
