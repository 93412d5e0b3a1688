"""The tree alone: shared prefixes, walking, and prompts too long for work per token in Python."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import numpy as np
import pytest

from engine.cache.node import Tokens
from engine.cache.tree import as_tokens, common_prefix
from engine.errors import InvariantError
from engine.stored_state import StoredState
from tests.engine.cache.conftest import Driver, parts_of
from tests.present import present
from tests.stopwatch import Stopwatch, times_s

LONG = 100_000


class TestCommonPrefix:
    @pytest.mark.parametrize(
        ("a", "b", "shared"),
        [
            ([], [], 0),
            ([], [1], 0),
            ([1], [2], 0),
            ([1, 2, 3], [1, 2, 3], 3),
            ([1, 2, 3], [1, 2], 2),
            ([1, 2], [1, 2, 3], 2),
            ([1, 2, 3], [1, 9, 3], 1),
            ([1, 2, 3], [1, 2, 9], 2),
        ],
    )
    def test_counts_leading_equals(self, a: list[int], b: list[int], shared: int) -> None:
        assert common_prefix(as_tokens(a), as_tokens(b)) == shared


class TestIds:
    def test_a_removed_node_is_reported_as_stale(self, driver: type[Driver]) -> None:
        d = driver()
        with pytest.raises(InvariantError, match="stale node"):
            d.cache.reader.tokens_of(7)

    def test_ids_are_not_used_twice(self, driver: type[Driver]) -> None:
        d = driver()
        d.run([1, 2])
        first = {n.id for n in d.cache.reader.nodes()}
        d.cache.drop_all()
        d.run([1, 2])
        assert {n.id for n in d.cache.reader.nodes()} & first == {0}


class TestGone:
    def test_the_memory_of_removed_children_is_bounded(self, driver: type[Driver]) -> None:
        d = driver()
        for first in range(200):
            d.run([first, 1])
            d.cache.drop_all()
        assert len(parts_of(d.cache).tree.root.gone) == 64
        assert d.cache.reader.probe([199, 1]).lost is not None
        assert d.cache.reader.probe([0, 1]).lost is None

    def test_a_removed_chain_is_remembered_by_its_deepest_checkpoint(
        self, driver: type[Driver]
    ) -> None:
        d = driver()
        d.run(list(range(20)), at=[5, 10, 20])
        d.cache.evict_session(d.cache.reader.probe([*range(20), 1]).node)
        assert present(d.cache.reader.probe(list(range(20))).lost).position == 20


class TestMemory:
    def test_the_cache_has_no_reference_cycles(self, driver: type[Driver]) -> None:
        """Garbage collection is off on the engine's thread: dropped objects must be freed now."""
        d = driver()
        d.run(list(range(20)), at=[5, 10, 20])
        d.run([*range(7), 99])
        nodes = [weakref.ref(n) for n in parts_of(d.cache).tree.nodes.values()]
        gc.disable()
        try:
            del d.cache
            assert [ref() for ref in nodes] == [None] * len(nodes)
        finally:
            gc.enable()

    def test_a_removed_node_is_freed_at_once(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(list(range(20)))
        node = weakref.ref(parts_of(d.cache).tree.nodes[1])
        gc.disable()
        try:
            d.cache.drop_all()
            assert node() is None
        finally:
            gc.enable()


class TestSpeed:
    """Bounds are loose: on any machine they separate numpy over spans from Python per token."""

    def long(self, driver: type[Driver], checkpoints: int) -> tuple[Driver, Tokens]:
        d = driver(kv_slots=2 * LONG, state_slots=checkpoints + 1)
        tokens = np.random.default_rng(0).integers(0, 248_000, LONG).astype(np.int32)
        step = LONG // checkpoints
        d.run(tokens, at=range(step, LONG + 1, step))
        return d, tokens

    def best(self, action: Callable[[], object]) -> float:
        return times_s(action, 5)[0]

    def test_a_long_match_is_quick(self, driver: type[Driver]) -> None:
        d, tokens = self.long(driver, 100)
        other = tokens.copy()
        other[LONG - 50] += 1
        assert d.cache.reader.probe(other).matched == LONG - 50
        assert self.best(lambda: d.cache.match(other)) < 0.01

    def test_a_long_insert_is_quick(self, driver: type[Driver]) -> None:
        d, tokens = self.long(driver, 100)
        other = tokens.copy()
        other[LONG // 2] += 1

        def request() -> float:
            match = d.cache.match(other)
            lock = d.cache.lock(match)
            own = present(d.cache.alloc_kv(LONG - match.matched))
            watch = Stopwatch()
            d.cache.insert(other, [*match.extents, *own], owned_from=match.matched, lock=lock)
            took = watch.spent_s()
            d.cache.unlock(lock)
            return took

        assert min(request() for _ in range(3)) < 0.02
        d.cache.reader.check()

    def test_an_eviction_among_many_checkpoints_is_quick(self, driver: type[Driver]) -> None:
        d, _ = self.long(driver, 200)
        assert self.best(lambda: d.cache.evict_state()) < 0.05
        d.cache.reader.check()

    def test_deep_paths_do_not_recurse(self, driver: type[Driver]) -> None:
        d = driver(kv_slots=3000, state_slots=3000)
        tokens = list(range(3000))
        d.cache.match(tokens)
        lock, match = d.start(tokens)
        d.put(lock, tokens, match)
        for position in range(3000, 0, -1):
            slot = present(d.cache.alloc_state())
            d.cache.donate(lock, slot, StoredState(position))
        d.cache.unlock(lock)
        assert len(d.cache.reader.nodes()) == 3001
        assert d.cache.evict_kv(3000) == 3000
        d.cache.reader.check()
