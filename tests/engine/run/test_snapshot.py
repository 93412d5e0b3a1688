"""The snapshot's figures add up to what the engine holds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from engine import Engine, Sampling
from engine.run.core import Core
from engine.snapshot import CacheSnapshot, Evicted
from kernels.native.kept import KeptRows
from tests.engine.run.conftest import Opener, disk_of, ids


def held_bytes(engine: Engine) -> int:
    """The bytes of every tensor the engine keeps, counted at the tensors themselves."""

    def count(core: Core) -> int:
        states = core.store.states
        planes = [*core.store.kv.parts, *states.delta, *states.conv, *states.hidden]
        for kept in core.store._kept:
            assert isinstance(kept, KeptRows)
            planes += (kept._decay, kept._keys, kept._change, kept._channels)
        return (
            core.model.weight_bytes
            + sum(tensor.nbytes for tensor in planes)
            + core.model.workspace_bytes
        )

    return engine.on_core(count)


def check(snapshot: CacheSnapshot, held: int) -> None:
    memory = snapshot.memory
    assert sum((memory.weights, memory.kv_plane, memory.state_plane, memory.workspace)) == held
    for pool, plane in ((snapshot.kv, memory.kv_plane), (snapshot.state, memory.state_plane)):
        assert pool.free + pool.live + pool.cached == pool.total
        assert pool.locked <= pool.cached
        assert pool.total * pool.slot_bytes == plane
    assert snapshot.kv.cached == sum(node.end - node.start for node in snapshot.nodes)
    stored = [node.checkpoint for node in snapshot.nodes if node.checkpoint is not None]
    assert snapshot.state.cached == len(stored)
    assert len({checkpoint.slot for checkpoint in stored}) == len(stored)


def test_the_sums_are_the_allocators(open_engine: Opener) -> None:
    engine = open_engine(interval=64)
    check(engine.snapshot(), held_bytes(engine))
    for number in range(6):
        engine.logits(ids(number % 3, 150) + ids(number, 100))
        check(engine.snapshot(), held_bytes(engine))


def test_it_is_consistent_while_a_request_runs(open_engine: Opener) -> None:
    engine = open_engine(interval=64, decode_interval=8)
    engine.logits(ids(2, 50))
    held = held_bytes(engine)
    stream = engine.generate(ids(1, 200), Sampling(temperature=0, max_tokens=200, ignore_end=True))
    seen = 0
    for _ in stream:
        snapshot = engine.snapshot()
        check(snapshot, held)
        if snapshot.live is not None:
            seen += 1
            assert snapshot.kv.live > 0
            assert snapshot.kv.locked > 0 or snapshot.live.position <= 200
            assert any(node.id == snapshot.live.node for node in snapshot.nodes)
    assert seen > 10


def test_a_snapshot_reports_the_evictions_since_the_previous_one(open_engine: Opener) -> None:
    """With its place in the merged tree, once."""
    engine = open_engine(cache_bytes=1 << 20, host_bytes=16 << 20, interval=64)
    reported, told = [], list[Evicted]()
    for number in range(1, 7):
        engine.logits(ids(number, 400))
        snapshot = engine.snapshot()
        shown = {node.id for node in snapshot.nodes}
        for gone in snapshot.evictions:
            assert gone.above in shown
            assert gone.node_now is None or gone.node_now in shown
        reported += [(gone.tier, gone.cause) for gone in snapshot.evictions]
        told += snapshot.evictions
    assert engine.snapshot().evictions == ()
    counted = dict(engine.snapshot().evicted)
    assert counted
    assert Counter(cause for tier, cause in reported if tier == "device") == counted
    assert {gone.copy for gone in told if gone.plane == "both"} == {"host"}


def test_reading_a_node_takes_no_eviction_report(open_engine: Opener) -> None:
    engine = open_engine()
    engine.logits(ids(1, 100))
    leaf = max(engine.snapshot().nodes, key=lambda node: node.end)
    engine.drop_cache()
    assert engine.on_core(lambda core: core.node_text(leaf.id)) is None
    evictions = engine.snapshot().evictions
    (gone,) = (evicted for evicted in evictions if evicted.end == leaf.end)
    assert (gone.node_before, gone.node_now, gone.cause) == (leaf.id, None, "dropped by user")


def test_displaced_files_are_reported_with_their_place(open_engine: Opener, tmp_path: Path) -> None:
    """Each removed file is reported once, at the place where a snapshot showed it."""
    engine = open_engine(interval=64, cache_dir=tmp_path, disk_bytes=600_000)

    def rest(core: Core) -> int:
        while core.store.idle():
            pass
        return disk_of(core).view().files

    reported, shown, files = [], set(), 0
    for number in range(1, 9):
        engine.logits(ids(number, 400))
        files = engine.on_core(rest)
        snapshot = engine.snapshot()
        reported += [gone for gone in snapshot.evictions if gone.tier == "disk"]
        shown |= {node.id for node in snapshot.nodes}
    assert reported
    assert {gone.cause for gone in reported} == {"disk budget"}
    assert all(gone.state_bytes > 0 < gone.kv_bytes for gone in reported)
    assert all(gone.node_before is None or gone.node_before in shown for gone in reported)
    engine.drop_cache()
    last = [gone for gone in engine.snapshot().evictions if gone.tier == "disk"]
    assert len(last) == files
    assert {gone.cause for gone in last} == {"dropped by user"}
    assert all(gone.node_now is None for gone in last)


def test_the_text_of_a_node_is_its_tokens(open_engine: Opener) -> None:
    engine = open_engine()
    prompt = ids(1, 100)
    engine.logits(prompt)
    leaf = max(engine.snapshot().nodes, key=lambda node: node.end)
    shown_text = engine.on_core(lambda core: core.node_text(leaf.id))
    assert shown_text is not None
    decode = engine.on_core(lambda core: core.text.decode)
    assert shown_text.text == decode(prompt[leaf.start : leaf.end])
    assert decode(prompt[leaf.start : leaf.end]).startswith(leaf.text)
    assert engine.on_core(lambda core: core.node_text(10_000)) is None


def test_nodes_that_did_not_change_are_the_same_objects(open_engine: Opener) -> None:
    engine = open_engine(interval=64)
    engine.logits(ids(1, 150))
    before = {node.id: node for node in engine.snapshot().nodes}
    engine.logits(ids(2, 100))
    after = {node.id: node for node in engine.snapshot().nodes}
    assert len(after) > len(before)
    kept = [number for number, node in before.items() if after[number] is node]
    assert kept
    # Whatever is another object is so for a reason.
    assert all(after[number] != node for number, node in before.items() if number not in kept)
