"""Several answers at once are measured as what they are."""

from __future__ import annotations

from pathlib import Path

from engine import EngineConfig
from engine.bench.parallel import ParallelAsk, bench_parallel
from tests.engine.run.conftest import tiny_folder
from tests.llama_server import GGUFS, needs_llama_server

__all__ = ["tiny_folder"]


def test_every_number_of_answers_has_a_rate(tiny_folder: Path) -> None:
    config = EngineConfig(cache_bytes=16 << 20, threads=1)
    said: list[str] = []
    report = bench_parallel(tiny_folder, config, ParallelAsk((3,), 24, 2), said.append)
    assert [(row.engine, row.streams) for row in report.rows] == [("Biplane", 1), ("Biplane", 3)]
    assert {row.beside for row in report.rows} == {None}
    assert report.rows[0].ratio == 1.0
    assert all(row.tok_s > 0 for row in report.rows)
    assert said == ["24 tokens, 2 times: 1, 3 at once"]


@needs_llama_server
def test_beside_llama_server() -> None:
    config = EngineConfig(cache_bytes=64 << 20, threads=1)
    ask = ParallelAsk((2,), 8, 1, GGUFS[0])
    report = bench_parallel(GGUFS[0], config, ask, lambda what: None)
    assert [row.engine for row in report.rows] == ["Biplane", "llama-server"] * 2
    assert all(row.tok_s > 0 for row in report.rows)
    assert [row.beside is None for row in report.rows] == [False, True] * 2
