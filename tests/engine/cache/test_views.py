"""Snapshots of the cache: one moment, plain records, the pools' own figures."""

from __future__ import annotations

from engine.stored_state import StoredState

A = list(range(100, 120))


class TestNodes:
    def test_panel_70_the_root_alone(self, driver):
        (root,) = driver().cache.reader.nodes()
        assert (root.id, root.parent, root.start, root.end, root.kv_bytes) == (0, None, 0, 0, 0)
        assert not root.tombstone

    def test_parents_come_before_children_and_spans_join(self, driver):
        d = driver()
        d.run(A, at=[5, 20])
        d.run([*A[:9], 1])
        seen = {}
        for node in d.cache.reader.nodes():
            if node.parent is not None:
                assert seen[node.parent].end == node.start
            seen[node.id] = node
        assert len(seen) == 5

    def test_a_checkpoint_as_the_panel_sees_it(self, driver):
        d = driver(time=2.0)
        d.run(A, provenance="decode")
        d.time = 6.0
        d.cache.match([*A, 1])
        view = d.cache.reader.nodes()[1]
        held = view.checkpoint
        assert (held.state, held.slot) == (StoredState(20, "decode"), 1)
        assert (held.bytes, held.created, held.last_used, held.hits) == (1000, 2.0, 6.0, 1)
        assert (view.kv_bytes, view.created, view.last_used, view.hits) == (200, 2.0, 6.0, 1)

    def test_kv_bytes_add_up_to_the_pool(self, driver):
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
    """What the cache goes on with after a match, to tell a user where a prompt left it."""

    def after(self, d, tokens, most=3):
        return d.cache.reader.continuation(d.cache.reader.probe(tokens), most).tolist()

    def test_inside_a_node_and_at_its_end(self, driver):
        d = driver()
        d.run(A)
        assert self.after(d, [*A[:5], 1]) == [105, 106, 107]
        assert self.after(d, [*A[:18], 1]) == [118, 119]
        assert self.after(d, [*A, 1]) == []

    def test_of_several_branches_the_one_used_last(self, driver):
        d = driver()
        d.run([*A[:5], 1, 1])
        d.run([*A[:5], 2, 2])
        assert self.after(d, A[:5]) == [2, 2]
        d.cache.match([*A[:5], 1, 1])
        assert self.after(d, A[:5]) == [1, 1]


class TestPools:
    def test_free_live_and_cached_are_the_total(self, driver):
        d = driver()
        d.run(A)
        d.cache.alloc_kv(7)
        d.cache.alloc_state()
        kv, states = d.cache.reader.kv_pool(), d.cache.reader.state_pool()
        assert (kv.total, kv.free, kv.live, kv.cached, kv.locked) == (64, 37, 7, 20, 0)
        assert (states.total, states.free, states.live, states.cached) == (8, 6, 1, 1)

    def test_what_changes_is_seen_by_the_version(self, driver):
        d = driver()
        versions = [d.cache.version]

        def step(result):
            versions.append(d.cache.version)
            return result

        match = step(d.cache.match(A))
        lock = step(d.cache.lock(match))
        own = step(d.cache.alloc_kv(20))
        step(d.cache.insert(A, own, owned_from=0, lock=lock))
        slot = step(d.cache.alloc_state())
        step(d.cache.donate(lock, slot, StoredState(20)))
        step(d.cache.unlock(lock))
        step(d.cache.note_skip())
        step(d.cache.evict_state())
        step(d.cache.drop_all())
        assert versions == sorted(set(versions))

    def test_looking_changes_no_version(self, driver):
        d = driver()
        d.run(A)
        before = d.cache.version
        (
            d.cache.reader.nodes(),
            d.cache.reader.kv_pool(),
            d.cache.reader.state_pool(),
            d.cache.reader.evicted,
        )
        (
            d.cache.reader.tokens_of(1),
            d.cache.reader.path_of(1),
            d.cache.reader.probe(A),
            d.cache.reader.check(),
        )
        assert d.cache.version == before

    def test_views_are_copies(self, driver):
        d = driver()
        d.run(A)
        d.cache.reader.tokens_of(1)[:] = 0
        d.cache.reader.evicted["kv pressure"] = 5
        assert d.cache.reader.probe(A).matched == 20
        assert d.cache.reader.evicted == {}
        d.cache.reader.check()
