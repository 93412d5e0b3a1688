"""Hooks: a policy hears of everything that happens to the tree, in the right order, once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.cache.eviction.cause import Cause
from engine.cache.eviction.policy import Policy
from engine.cache.eviction.registry import POLICIES
from engine.cache.node import Node
from engine.cache.tree import Walk
from tests.engine.cache.conftest import Driver, parts_of
from tests.engine.cache.test_random_operations import SIZES, World, operate
from tests.mostly_slow import mostly_slow


class Mirror(Policy):
    """Follows the tree by its hooks alone: the parent of each node, and who has a checkpoint."""

    def __init__(self) -> None:
        self.parents: dict[int, int] = {}
        self.stored: set[int] = set()
        self.matches = 0

    def checkpoint_worth(self, node: Node) -> float:
        assert node.id in self.stored
        return float(node.id)

    def leaf_worth(self, leaf: Node) -> float:
        return self.checkpoint_worth(leaf)

    def on_match(self, walk: Walk, now: int) -> Sequence[Node]:
        assert now == self.matches + 1
        self.matches = now
        assert all(node.used.match < now for node in walk.nodes), (
            "called after the nodes counted it"
        )
        return walk.path[1:]

    def on_store(self, node: Node) -> Sequence[Node]:
        assert node.checkpoint is not None
        self.stored.add(node.id)
        return ()

    def on_remove(self, node: Node, cause: Cause, now: int) -> None:
        assert now == self.matches
        assert node.checkpoint is None
        assert node.parent is not None, "called after it left"
        del self.parents[node.id]
        self.stored.discard(node.id)

    def on_insert(self, leaf: Node) -> None:
        assert leaf.id not in self.parents
        assert leaf.parent is not None
        self.parents[leaf.id] = leaf.parent.id

    def on_split(self, upper: Node, lower: Node) -> None:
        assert upper.id not in self.parents
        self.parents[upper.id] = self.parents[lower.id]
        self.parents[lower.id] = upper.id

    def check(self, world: World) -> None:
        views = world.cache.reader.nodes()
        assert self.parents == {v.id: v.parent for v in views if v.parent is not None}
        assert {v.id for v in views if v.checkpoint is not None} <= self.stored


@pytest.fixture(autouse=True)
def mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POLICIES, "mirror", Mirror)


@pytest.mark.parametrize(("kv_slots", "state_slots", "seed"), mostly_slow(SIZES, 2))
def test_from_its_hooks_alone_a_policy_knows_the_tree(
    kv_slots: int, state_slots: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(kv_slots, state_slots, "mirror", seed)
    policy = parts_of(world.cache).evictor.policy
    assert isinstance(policy, Mirror)
    verify = World.verify

    def verify_both(self: World) -> None:
        verify(self)
        policy.check(self)

    monkeypatch.setattr(World, "verify", verify_both)
    operate(world, 1000)
    assert policy.parents == {}
    assert policy.stored == set()


def test_one_policy_serves_one_cache(driver: type[Driver]) -> None:
    one, other = driver(policy="mirror"), driver(policy="mirror")
    one.run([1, 2, 3])
    policy = parts_of(other.cache).evictor.policy
    assert isinstance(policy, Mirror)
    assert policy.parents == {}
