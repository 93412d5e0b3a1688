"""`biplane bench agent`: a short session counts what each turn processes."""

from __future__ import annotations

from pathlib import Path

import assets
from engine import Engine, EngineConfig
from engine.bench.agent import bench_agent

DEMO = Path(assets.__file__).parent / "demo_model"


def test_after_the_first_turn_only_new_tokens_are_processed() -> None:
    with Engine.open(DEMO, EngineConfig(cache_bytes=64 << 20, threads=1)) as engine:
        report = bench_agent(engine, 3, lambda what: None)
    first, *later = report.turns
    assert first.processed == first.prompt
    for turn in later:
        assert (turn.processed, turn.replayed) == (turn.added, 0)
        assert turn.processed < first.processed
