"""Two models in turn, ten times: one budget, a warm way back, and nothing left behind."""

from __future__ import annotations

from pathlib import Path

from app.bench.switching import bench_switching, copied_model
from app.core.options.shared import demo_model_dir
from engine.config import EngineConfig

CACHE_BYTES, DISK_BYTES = 24 << 20, 40 << 20


def test_ten_times_to_and_fro(tmp_path: Path) -> None:
    second = copied_model(demo_model_dir(), tmp_path / "second")
    config = EngineConfig(
        cache_bytes=CACHE_BYTES, disk_bytes=DISK_BYTES, cache_dir=tmp_path / "cache", threads=1
    )
    report = bench_switching(demo_model_dir(), second, config, 10, lambda _: None)
    assert len(report.returns) == 10
    for before, one in zip((None, *report.returns), report.returns, strict=False):
        assert one.cache_bytes <= CACHE_BYTES
        assert one.file_bytes <= DISK_BYTES
        # All of what was said before: only the last question and its frame are new.
        assert one.prompt - one.reused < 64
        assert before is None or one.reused > before.reused
    # The third question on the first model.
    assert report.returns[0].reused > 0.5 * report.returns[0].prompt
    assert report.returns[-1].rss_bytes - report.returns[1].rss_bytes < 160 << 20
    assert report.threads == ()
    assert report.files == ()
