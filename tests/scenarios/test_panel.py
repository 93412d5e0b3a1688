"""Scenario 70: what the panel is shown is one consistent version, and every miss has a reason."""

from __future__ import annotations

from pathlib import Path

from engine import Reason, Sampling, events
from engine.commands import Submit
from engine.run.core import Core
from engine.snapshot import CacheSnapshot
from tests.engine.run.conftest import Opener, ids

TIERS = ("device", "host", "disk")


def test_panel_70_every_snapshot_of_a_running_request_is_consistent(open_engine: Opener) -> None:
    """Counters are the pools' own, nodes fit together, at every step of a request."""
    engine = open_engine(interval=64, decode_interval=4, cache_bytes=2 << 20)
    seen: list[CacheSnapshot] = []

    def run(core: Core) -> None:
        def look() -> bool:
            seen.append(core.snapshot())
            return False

        for n in range(6):
            sampling = Sampling(temperature=0, max_tokens=20, ignore_end=True)
            core.run(Submit(n, ids(n, 250), sampling), lambda event: None, look)

    engine.on_core(run)
    assert len(seen) > 60
    for snapshot in seen:
        nodes = {node.id: node for node in snapshot.nodes}
        for node in snapshot.nodes[1:]:
            assert node.parent is not None
            assert nodes[node.parent].end == node.start
        assert sum(node.end - node.start for node in nodes.values()) == snapshot.kv.cached
        held = sum(node.checkpoint is not None for node in nodes.values())
        assert held == snapshot.state.cached
        for pool in (snapshot.kv, snapshot.state):
            assert pool.free + pool.live + pool.cached == pool.total


def test_panel_70_every_miss_has_a_reason(open_engine: Opener) -> None:
    """No prompt that ran a token is left without a cause and a sentence."""
    engine = open_engine(interval=64, cache_bytes=1 << 20)
    for n in (1, 2, 3, 1, 4, 5, 6, 1):
        for prompt in (ids(n, 300), (*ids(n, 200), *ids(n + 50, 40)), ids(n, 100)):
            last = list(engine.generate(prompt, Sampling(temperature=0, max_tokens=2)))[-1]
            assert isinstance(last, events.RequestFinished)
            plan = last.report.plan
            assert plan.detail.endswith(".")
            assert (plan.reason is Reason.NONE) == (plan.reused == plan.total)


def test_panel_70_one_tree_of_three_tiers_while_requests_run(
    open_engine: Opener, tmp_path: Path
) -> None:
    """What only host or disk has hangs where it belongs, and no state is shown twice."""
    engine = open_engine(
        interval=64,
        cache_bytes=1 << 20,
        host_bytes=1 << 20,
        cache_dir=tmp_path,
        disk_bytes=32 << 20,
    )
    seen: list[CacheSnapshot] = []

    def run(core: Core) -> None:
        def look() -> bool:
            seen.append(core.snapshot())
            return False

        for n in (1, 2, 3, 4, 5, 6, 1, 2, 7, 3, 8, 9, 10, 4):
            sampling = Sampling(temperature=0, max_tokens=4, ignore_end=True)
            core.run(Submit(n, ids(n, 250), sampling), lambda event: None, look)
            core.store.tiers.save(2)

    engine.on_core(run)
    for snapshot in seen:
        nodes = {node.id: node for node in snapshot.nodes}
        assert len(nodes) == len(snapshot.nodes)
        for node in snapshot.nodes[1:]:
            assert node.parent is not None
            above = nodes[node.parent]
            assert above.end == node.start
            assert TIERS.index(above.tier) <= TIERS.index(node.tier), (
                "KV on a tier has its past there"
            )
        on_device = [node for node in snapshot.nodes if node.tier == "device"]
        assert sum(node.end - node.start for node in on_device) == snapshot.kv.cached
        held = [node.checkpoint for node in snapshot.nodes if node.checkpoint is not None]
        assert sum(point.state.tier == "device" for point in held) == snapshot.state.cached
        assert snapshot.host is not None
        below = sum(point.state.tier == "host" for point in held)
        assert below <= snapshot.host.state.cached
    tiers = {
        node.checkpoint.state.tier for s in seen for node in s.nodes if node.checkpoint is not None
    }
    assert tiers == set(TIERS)
