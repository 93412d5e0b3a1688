"""The ranking: the cheapest candidate is found without looking at all, and what it costs."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cache import Lock
from engine.cache.eviction.coverage import Coverage
from engine.cache.eviction.policy import Peers, Policy
from engine.cache.eviction.ranking import HeapItem, Ranking
from engine.cache.eviction.registry import Lru
from tests.engine.cache.conftest import Driver, parts_of
from tests.present import present


class World:
    """A ranking and the plain dictionary it must agree with."""

    def __init__(self, policy: Policy) -> None:
        self.now = 0
        self.policy = policy
        self.ranking = Ranking(policy, lambda: self.now)
        self.known: dict[int, HeapItem] = {}

    def put(self, node: int, worth: float) -> None:
        entry = (worth, self.now, node, self.now)
        self.known[node] = entry
        self.ranking.put(entry)

    def drop(self, node: int) -> None:
        self.known.pop(node, None)
        self.ranking.drop(node)

    def value(self, entry: HeapItem) -> float:
        return self.policy.faded(entry[0], self.now - entry[3], Peers(1, 1.0))

    def least(self) -> float:
        return min(self.value(entry) for entry in self.known.values())


@pytest.mark.parametrize("policy", [Lru(), Coverage()])
def test_the_cheapest_is_as_cheap_as_any(policy: Policy) -> None:
    rng = np.random.default_rng(5)
    world = World(policy)
    for _ in range(3000):
        world.now += int(rng.integers(0, 3))
        node = int(rng.integers(200))
        if rng.random() < 0.7:
            world.put(node, float(rng.integers(1, 50)))
        else:
            world.drop(node)
        found = world.ranking.cheapest()
        assert (found is None) == (not world.known)
        if found is not None:
            assert world.known[found[2]] == found
            # Within a generation the least worth is taken for the cheapest, whatever its age.
            assert world.value(found) <= 1.5 * world.least()


def test_lru_is_exact() -> None:
    rng = np.random.default_rng(6)
    world = World(Lru())
    for step in range(2000):
        world.now += 1
        world.put(int(rng.integers(100)), float(step))
        assert world.value(present(world.ranking.cheapest())) == world.least()


def test_generations_stay_few_and_old_entries_go() -> None:
    world = World(Coverage())
    for step in range(20_000):
        world.now += 1
        world.put(step % 500, float(step % 7))
    generations = world.ranking._generations
    assert len(generations) < 60
    assert sum(len(g.heap) for g in generations) < 8 * 500


def test_a_candidate_that_went_is_not_found() -> None:
    world = World(Lru())
    world.put(1, 1.0)
    world.put(2, 2.0)
    world.drop(1)
    assert present(world.ranking.cheapest())[2] == 2
    world.drop(2)
    assert world.ranking.cheapest() is None
    assert len(world.ranking) == 0


def test_newer_knowledge_counts() -> None:
    world = World(Coverage())
    world.put(1, 1.0)
    world.put(2, 2.0)
    world.put(1, 3.0)
    assert present(world.ranking.cheapest())[2] == 2


class TestCounters:
    """What alloc_kv and the views ask is counted as it changes, not summed anew."""

    def test_they_equal_the_sums_over_all_nodes(self, driver: type[Driver]) -> None:
        rng = np.random.default_rng(3)
        d = driver(kv_slots=120, state_slots=6)
        locks: list[Lock] = []
        for _ in range(200):
            tokens = rng.integers(0, 3, int(rng.integers(1, 30))).tolist()
            d.run(tokens)
            if rng.random() < 0.3 and len(locks) < 3:
                locks.append(d.start(tokens)[0])
            elif locks and rng.random() < 0.5:
                d.cache.unlock(locks.pop(0))
            tree = parts_of(d.cache).tree
            nodes = list(tree.nodes.values())
            assert tree.held == sum(len(n.tokens) for n in nodes)
            assert tree.locked == sum(len(n.tokens) for n in nodes if n.kv_lock)
            assert tree.locked_states == sum(1 for n in nodes if n.state_lock)
            assert d.cache.reader.kv_pool().locked == tree.locked


def test_no_candidate_is_ever_lost() -> None:
    rng = np.random.default_rng(9)
    world = World(Coverage())
    for step in range(5000):
        world.now += 1
        world.put(int(rng.integers(300)), float(rng.random()))
        if step % 500 == 499:
            seen = set()
            while (found := world.ranking.cheapest()) is not None:
                seen.add(found[2])
                world.ranking.drop(found[2])
            assert seen == set(world.known)
            for entry in world.known.values():
                world.ranking.put((*entry[:3], entry[3]))


class Hyperbola(Coverage):
    """Worths as in the picture of the module."""

    def faded(self, worth: float, age: int, _among: object) -> float:
        return worth / (5 + age)


def test_the_order_turns_over_between_generations_and_never_within_one() -> None:
    world = World(Hyperbola())
    for world.now, node, worth in ((10, 1, 600.0), (10, 2, 900.0), (80, 3, 300.0), (95, 4, 90.0)):
        world.put(node, worth)
    order = []
    for world.now in (100, 300):
        found = world.ranking.cheapest()
        assert found is not None
        order.append(found[2])
    assert order == [1, 4]
    for first in (4, 3, 1, 2):
        found = world.ranking.cheapest()
        assert found is not None
        assert found[2] == first
        world.drop(first)
