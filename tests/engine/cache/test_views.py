"""Snapshots of the cache: one moment, plain records, the pools' own figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from engine.snapshot import NodeView
from engine.stored_state import StoredState
from tests.engine.cache.conftest import Driver
from tests.present import present

T = TypeVar("T")

A = list(range(100, 120))


class TestNodes:
    def test_panel_70_the_root_alone(self, driver: type[Driver]) -> None:
        (root,) = driver().cache.reader.nodes()
        assert (root.id, root.parent, root.start, root.end, root.kv_bytes) == (0, None, 0, 0, 0)
        assert not root.tombstone

    def test_parents_come_before_children_and_spans_join(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, at=[5, 20])
        d.run([*A[:9], 1])
        seen: dict[int, NodeView] = {}
        for node in d.cache.reader.nodes():
            if node.parent is not None:
                assert seen[node.parent].end == node.start
            seen[node.id] = node
        assert len(seen) == 5

    def test_a_checkpoint_as_the_panel_sees_it(self, driver: type[Driver]) -> None:
        d = driver(time=2.0)
        d.run(A, provenance="decode")
        d.time = 6.0
        d.cache.match([*A, 1])
        view = d.cache.reader.nodes()[1]
        held = present(view.checkpoint)
        assert (held.state, held.slot) == (StoredState(20, "decode"), 1)
        assert (held.bytes, held.created, held.last_used, held.hits) == (1000, 2.0, 6.0, 1)
        assert (view.kv_bytes, view.created, view.last_used, view.hits) == (200, 2.0, 6.0, 1)

    def test_kv_bytes_add_up_to_the_pool(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A, at=[5, 20])
        d.run([*A[:9], 1])
        pool = d.cache.reader.kv_pool()
        assert (
            sum(n.kv_bytes for n in d.cache.reader.nodes()) == pool.cached * pool.slot_bytes == 210
        )
        states = d.cache.reader.state_pool()
        held = [n for n in d.cache.reader.nodes() if n.checkpoint is not None]
        assert len(held) == states.cached == 3


class TestContinuation:
    """How the cache continues after a match, to show the user where a prompt diverged."""

    def after(self, d: Driver, tokens: Sequence[int], most: int = 3) -> list[int]:
        return [int(t) for t in d.cache.reader.continuation(d.cache.reader.probe(tokens), most)]

    def test_inside_a_node_and_at_its_end(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        assert self.after(d, [*A[:5], 1]) == [105, 106, 107]
        assert self.after(d, [*A[:18], 1]) == [118, 119]
        assert self.after(d, [*A, 1]) == []

    def test_of_several_branches_the_one_used_last(self, driver: type[Driver]) -> None:
        d = driver()
        d.run([*A[:5], 1, 1])
        d.run([*A[:5], 2, 2])
        assert self.after(d, A[:5]) == [2, 2]
        d.cache.match([*A[:5], 1, 1])
        assert self.after(d, A[:5]) == [1, 1]


class TestPools:
    def test_free_live_and_cached_are_the_total(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        d.cache.alloc_kv(7)
        d.cache.alloc_state()
        kv, states = d.cache.reader.kv_pool(), d.cache.reader.state_pool()
        assert (kv.total, kv.free, kv.live, kv.cached, kv.locked) == (64, 37, 7, 20, 0)
        assert (states.total, states.free, states.live, states.cached) == (8, 6, 1, 1)

    def test_every_change_increments_the_version(self, driver: type[Driver]) -> None:
        d = driver()
        versions = [d.cache.version]

        def step(act: Callable[[], T]) -> T:
            result = act()
            versions.append(d.cache.version)
            return result

        match = step(lambda: d.cache.match(A))
        lock = step(lambda: d.cache.lock(match))
        own = present(step(lambda: d.cache.alloc_kv(20)))
        step(lambda: d.cache.insert(A, own, owned_from=0, lock=lock))
        slot = present(step(lambda: d.cache.alloc_state()))
        step(lambda: d.cache.donate(lock, slot, StoredState(20)))
        step(lambda: d.cache.unlock(lock))
        step(lambda: d.cache.note_skip())
        step(lambda: d.cache.evict_state())
        step(lambda: d.cache.drop_all())
        assert versions == sorted(set(versions))

    def test_reading_leaves_the_version_unchanged(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        before, reader = d.cache.version, d.cache.reader
        reader.nodes(), reader.kv_pool(), reader.state_pool(), reader.evicted
        reader.tokens_of(1), reader.path_of(1), reader.probe(A)
        reader.check()
        assert d.cache.version == before

    def test_views_are_copies(self, driver: type[Driver]) -> None:
        d = driver()
        d.run(A)
        d.cache.reader.tokens_of(1)[:] = 0
        d.cache.reader.evicted["kv pressure"] = 5
        assert d.cache.reader.probe(A).matched == 20
        assert d.cache.reader.evicted == {}
        d.cache.reader.check()
