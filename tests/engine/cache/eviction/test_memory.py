"""What a policy remembers of a node goes with the node; checked for every policy there is."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sized
from types import FunctionType, MethodType, ModuleType

import numpy as np
import pytest

from engine.cache.eviction.policy import Policy
from engine.cache.eviction.registry import make_policy
from engine.config import POLICY_NAMES
from tests.engine.cache.conftest import Driver, parts_of


def things_held(policy: Policy) -> int:
    """The items of all containers that can be reached from a policy."""
    seen: set[int] = set()
    stack: list[object] = [policy]
    total = 0
    while stack:
        at = stack.pop()
        if id(at) in seen or isinstance(at, (type, ModuleType, FunctionType, MethodType)):
            continue
        seen.add(id(at))
        total += len(at) if isinstance(at, Sized) and not isinstance(at, str) else 0
        stack.extend(gc.get_referents(at))
    return total


def use(d: Driver, seed: int) -> None:
    """Prompts that extend, leave and split paths on a cache too small for all of them."""
    rng = np.random.default_rng(seed)
    known: list[list[int]] = [[]]
    for _ in range(80):
        base = known[int(rng.integers(len(known)))]
        base = base[: int(rng.integers(len(base) // 2, len(base) + 1))]
        tokens = [*base, *rng.integers(0, 5, int(rng.integers(2, 12))).tolist()][:60]
        kind = str(rng.choice(["prefill", "decode", "branch"]))
        d.run(tokens, at=sorted({max(len(tokens) - 3, 1), len(tokens)}), provenance=kind)
        # A split without a match.
        d.cache.unlock(d.cache.lock(d.cache.reader.probe(tokens[: len(tokens) // 2])))
        known.append(tokens)


@pytest.mark.parametrize("name", POLICY_NAMES)
class TestEveryPolicy:
    def test_of_nodes_that_left_it_remembers_nothing(self, driver: type[Driver], name: str) -> None:
        d = driver(kv_slots=150, state_slots=12, policy=name)
        use(d, 1)
        d.cache.evict_kv(20)
        assert {"kv pressure", "state pressure", "tombstone chain"} <= set(d.cache.reader.evicted)
        d.cache.drop_all()
        assert len(d.cache.reader.nodes()) == 1
        assert things_held(parts_of(d.cache).evictor.policy) == things_held(make_policy(name))

    def test_it_keeps_no_node_alive(self, driver: type[Driver], name: str) -> None:
        d = driver(kv_slots=150, state_slots=12, policy=name)
        use(d, 2)
        gc.disable()
        try:
            nodes = {n.id: weakref.ref(n) for n in parts_of(d.cache).tree.nodes.values()}
            d.cache.evict_kv(100)
            left = [ref for at, ref in nodes.items() if at not in parts_of(d.cache).tree.nodes]
            assert len(left) > 5
            assert [ref() for ref in left] == [None] * len(left)
        finally:
            gc.enable()
