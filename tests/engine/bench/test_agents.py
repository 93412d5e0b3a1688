"""Several agents at once are counted as what they are."""

from __future__ import annotations

from pathlib import Path

import assets
from engine import Engine, EngineConfig
from engine.bench.agents import bench_agents

DEMO = Path(assets.__file__).parent / "demo_model"


def test_what_is_common_runs_once() -> None:
    with Engine.open(DEMO, EngineConfig(cache_bytes=64 << 20, threads=1)) as engine:
        found = bench_agents(engine, 3, 3, lambda what: None)
    assert found.processed == found.least + found.replayed
    assert found.prompts > 4 * found.processed
    assert found.replayed < 100
    assert len(found.alone_s) > 2
    assert found.beside_s
    assert min(*found.alone_s, *found.beside_s, found.pass_s) > 0
