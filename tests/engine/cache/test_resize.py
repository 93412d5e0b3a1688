"""Resizing pools between requests loses nothing that still fits."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.cache.extents import Extents, to_slots
from engine.cache.kv_pool import FREE, KVPool
from engine.cache.resize import Moves
from engine.cache.state_pool import StatePool
from engine.planes import KVPlane, StatePlane, StateShape
from tests.engine.cache.tiers.test_tiers import chat
from tests.engine.cache.tiers.three_tiers import ThreeTiers


def follow(world: ThreeTiers, moves: Moves) -> None:
    """Copy contents as the planes would."""
    for source, target in moves.kv:
        for here, there in zip(to_slots(source), to_slots(target), strict=True):
            world.bytes.kv[int(there)] = world.bytes.kv[int(here)]
    for here, there in moves.states:
        world.bytes.state[there] = world.bytes.state[here]


@pytest.mark.parametrize("seed", range(3))
def test_two_hundred_random_resizes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = ThreeTiers(device=(400, 6), host=None, files=None)
    chats = [chat(n, 90) for n in range(8)]
    for step in range(200):
        tokens = chats[int(rng.integers(8))]
        world.run([*tokens[: int(rng.integers(20, 90))], step], decode=chat(step, 5))
        kv_slots, state_slots = int(rng.integers(120, 700)), int(rng.integers(0, 12))
        follow(world, world.cache.resize(kv_slots, state_slots))
        assert world.cache.reader.kv_pool().total == kv_slots
        assert world.cache.reader.state_pool().total == state_slots
        world.verify()


def test_what_fits_is_kept() -> None:
    world = ThreeTiers(device=(1000, 12), host=None, files=None)
    for seed in range(4):
        world.run(chat(seed, 200))
    # The three oldest make room for the one that the new size holds.
    follow(world, world.cache.resize(260, 4))
    found = world.run([*chat(3, 200), 5])
    assert found is not None
    assert found[0] >= 192
    world.verify()


def test_growing_moves_nothing() -> None:
    world = ThreeTiers(device=(400, 6), host=None, files=None)
    world.run(chat(1, 200))
    assert world.cache.resize(900, 20) == Moves((), ())
    world.verify()


def pool_with_free(extents: Extents, total: int = 100) -> KVPool:
    """A pool whose slots all belong to the tree except for those of `extents`."""
    pool = KVPool(total)
    pool.alloc(total)
    pool.adopt(((0, total),), np.arange(total))
    pool.release(extents)
    return pool


@pytest.mark.parametrize(
    ("free", "wanted", "expected"),
    [
        (((3, 2), (10, 9), (30, 5)), 5, ((30, 5),)),
        (((3, 2), (10, 9), (30, 5)), 6, ((10, 6),)),
        (((3, 2), (10, 9), (30, 5)), 12, ((10, 9), (30, 3))),
        (((3, 2), (48, 9)), 2, ((3, 2),)),
        (((3, 4), (47, 40)), 3, ((3, 3),)),
        (((3, 2), (47, 40)), 3, ((47, 3),)),
        (((3, 2), (49, 1), (60, 30)), 3, ((3, 2), (49, 1))),
        (((3, 1), (48, 20)), 3, ((3, 1), (48, 2))),
    ],
)
def test_kv_moves_into_as_few_runs_as_possible(
    free: Extents, wanted: int, expected: Extents
) -> None:
    pool = pool_with_free(free)
    source = ((100 - wanted, wanted),)
    tags = pool.tags_of(source)
    assert pool.relocate(source, 50) == expected
    assert np.array_equal(pool.tags_of(expected), tags)
    assert (pool.status[100 - wanted :] == FREE).all()
    assert pool.free_slots == sum(length for _, length in free)


def test_there_must_be_room_to_move_to() -> None:
    with pytest.raises(AssertionError, match="no room"):
        pool_with_free(((3, 2), (60, 30))).relocate(((90, 4),), 50)


def test_a_running_request_prevents_it() -> None:
    world = ThreeTiers(device=(400, 6), host=None, files=None)
    world.cache.alloc_state()
    with pytest.raises(AssertionError, match="running"):
        world.cache.resize(300, 3)


def test_pools_never_allocate_what_they_no_longer_hold() -> None:
    kv, states = KVPool(10), StatePool(4)
    kv.resize(6)
    states.resize(2)
    assert kv.alloc(7) is None
    assert kv.alloc(6) == ((0, 6),)
    assert [states.alloc(), states.alloc(), states.alloc()] == [1, 2, None]
    kv.resize(9)
    states.resize(3)
    assert kv.alloc(3) == ((6, 3),)
    assert states.alloc() == 3


def test_the_planes_follow_with_real_tensors() -> None:
    """Every slot's content is its own token number, also after the moves."""
    world = ThreeTiers(device=(500, 8), host=None, files=None)
    for seed in range(5):
        world.run(chat(seed, 90), decode=chat(seed + 50, 9))
    cpu = torch.device("cpu")
    kv = KVPlane((2, 1, 500, 4), torch.float32, cpu)
    states = StatePlane(StateShape((1, 1, 2, 2), (1, 3, 2), (2,), torch.float32), 9, cpu)
    marks: dict[int, float] = {}
    for node in world.cache.reader.nodes()[1:]:
        held = world.cache.reader.holding(node.id)
        for at, slot in enumerate(to_slots(held.extents)):
            for part in kv.parts:
                part[:, slot] = float(sum(held.tokens[: at + 1].tolist()))
        if held.checkpoint is not None:
            marks[node.id] = float(node.id)
            states.delta[held.checkpoint.slot].fill_(marks[node.id])
    moves = world.cache.resize(330, 5)
    kv.move(moves.kv)
    states.move(moves.states)
    kv.resize(330)
    states.resize(6)
    for node in world.cache.reader.nodes()[1:]:
        held = world.cache.reader.holding(node.id)
        for at, slot in enumerate(to_slots(held.extents)):
            for part in kv.parts:
                assert (part[:, slot] == float(sum(held.tokens[: at + 1].tolist()))).all()
        if held.checkpoint is not None:
            assert (states.delta[held.checkpoint.slot] == marks[node.id]).all()
