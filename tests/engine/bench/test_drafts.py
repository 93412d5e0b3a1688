"""The benchmark of drafts on the bundled model."""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

import pytest

from engine.bench.drafts import (
    FORCED,
    DraftAsk,
    bench_drafts,
    changed,
    file_ids,
    of_head,
    workloads,
)
from engine.config import EngineConfig
from engine.plan.draft_depth import Depth
from kernels.native.library import library
from tests.engine.run.wrong_drafts import draft_always
from tests.llama_server import GGUFS, needs_llama_server

DEMO = Path(__file__).parents[3] / "assets" / "demo_model"


@pytest.mark.skipif(library() is None, reason="the kernels in C are not compiled")
def test_what_repeats_is_drafted_and_what_does_not_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    # What rows cost on a busy machine must not decide a test.
    draft_always(monkeypatch, 8)
    monkeypatch.setattr(Depth, "asks_head", lambda self: True)
    monkeypatch.setattr(
        Depth,
        "_worth",
        lambda self, tokens, drafted, asked, beside: tokens / (1 + drafted / 10 + asked / 20),
    )
    config = EngineConfig(threads=1, cache_bytes=64 << 20)
    report = bench_drafts(DEMO, config, DraftAsk(tokens=60, rounds=2), lambda line: None)
    again, edited, file, code, noise, *heads = report.rows
    made = (*workloads(60, 2000), *of_head(60, 2000))
    assert {row.workload for row in report.rows} == {work.name for work in made}
    for row in (again, edited, file, code):
        assert row.kept > 0, row
        assert row.a_step > 1
    assert again.kept == again.drafted, "the same seed gives the same answer"
    assert noise.a_step < 1.1, "the head cannot know random text"
    for row, chance in zip(heads, FORCED, strict=True):
        assert row.drafted > 30
        assert abs(row.kept / row.drafted - chance) < 0.35, row
    assert report.rows_ms[0][0] == 1
    assert all(took > 0 for _, took in report.rows_ms)
    assert report.keep_ms > 0
    assert report.floor_ms > 0


@needs_llama_server
def test_beside_llama_server() -> None:
    """On a file that has a draft head."""
    config = EngineConfig(threads=1, cache_bytes=64 << 20)
    report = bench_drafts(GGUFS[0], config, DraftAsk(40, 1, GGUFS[0]), lambda line: None)
    again, *heads = report.beside
    assert again.workload == report.rows[0].workload
    assert [row.workload for row in heads] == [work.name for work in of_head(40, 2000)]
    for row, chance in zip(heads, FORCED, strict=True):
        assert row.drafted > 20
        assert abs(row.kept / row.drafted - chance) < 0.35, row


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
