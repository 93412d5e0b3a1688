"""The state pool: numbered from 1, each slot with one owner."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.cache.state_pool import StatePool
from engine.errors import InvariantError
from tests.present import present


def test_slots_start_at_one_and_the_lowest_goes_first() -> None:
    pool = StatePool(3)
    assert [pool.alloc() for _ in range(4)] == [1, 2, 3, None]
    pool.free(2)
    pool.free(1)
    assert pool.alloc() == 1


def test_the_three_statuses_add_up() -> None:
    pool = StatePool(4)
    one, two = present(pool.alloc()), present(pool.alloc())
    pool.adopt(two)
    assert pool.counts == [2, 1, 1]
    pool.release(two)
    pool.free(one)
    assert pool.counts == [4, 0, 0]
    assert pool.free_list() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("act", "name"),
    [
        (lambda p: p.free(3), "double free: state slot 3"),
        (lambda p: p.free(2), "wrong owner: state slot 2 is cached"),
        (lambda p: p.release(1), "wrong owner: state slot 1 is live"),
        (lambda p: p.release(3), "double free"),
        (lambda p: p.adopt(2), "wrong owner"),
        (lambda p: p.free(0), "no such state slot: 0"),
        (lambda p: p.adopt(4), "no such state slot: 4"),
    ],
)
def test_a_slot_of_another_owner_raises(act: Callable[[StatePool], object], name: str) -> None:
    pool = StatePool(3)
    pool.alloc()
    pool.adopt(present(pool.alloc()))
    with pytest.raises(InvariantError, match=name):
        act(pool)
