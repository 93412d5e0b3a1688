"""The benchmark of drafts on the bundled model."""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

import pytest

from engine.bench.drafts import DraftAsk, bench_drafts, changed, file_ids, workloads
from engine.config import EngineConfig
from kernels.native.library import library
from tests.engine.run.wrong_drafts import draft_always

DEMO = Path(__file__).parents[3] / "assets" / "demo_model"


@pytest.mark.skipif(library() is None, reason="the kernels in C are not compiled")
def test_what_repeats_is_drafted_and_what_does_not_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    # What rows cost on a busy machine must not decide a test.
    draft_always(monkeypatch, 8)
    config = EngineConfig(threads=1, cache_bytes=64 << 20)
    report = bench_drafts(DEMO, config, DraftAsk(tokens=60, rounds=2), lambda line: None)
    again, edited, file, code, noise = report.rows
    assert {row.workload for row in report.rows} == {work.name for work in workloads(60, 2000)}
    for row in (again, edited, file, code):
        assert row.kept > 0, row
        assert row.a_step > 1
    assert again.kept == again.drafted, "the same seed gives the same answer"
    assert noise.drafted == 0
    assert noise.a_step == 1
    assert report.rows_ms[0][0] == 1
    assert all(took > 0 for _, took in report.rows_ms)


def test_a_text_with_changes_is_the_text_but_for_them() -> None:
    ids = file_ids("one two, three two one", 100)
    assert len(ids) == 10
    assert ids[0] == ids[9]
    long = tuple(range(10, 400))
    edited = changed(long, 3, 1000)
    assert edited != long
    same = SequenceMatcher(None, long, edited, autojunk=False).get_matching_blocks()
    assert sum(block.size for block in same) >= len(long) - 12
    assert len(same) >= 4, "three changes leave four parts"
