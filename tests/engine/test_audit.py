"""The audit passes on an honest cache in both modes, and fails on a spoiled one."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import assets
from engine import Engine, EngineConfig
from engine.audit import audit
from engine.audit.conversations import CONVERSATIONS
from engine.run import compare

DEMO = Path(assets.__file__).parent / "demo_model"


@pytest.mark.parametrize("mode", ["exact", "fast"])
def test_every_conversation_keeps_the_promise(mode: str) -> None:
    with Engine.open(DEMO, EngineConfig(mode=mode)) as engine:  # type: ignore[arg-type]
        report = audit(engine)
        engine.check_invariants()
    assert [row.name for row in report.rows] == [c.__name__ for c in CONVERSATIONS]
    assert report.passed, [row for row in report.rows if not row.passed]
    assert all(row.bit_equal for row in report.rows) or mode == "fast"
    twice = next(row for row in report.rows if row.name == "same_prompt_twice")
    assert twice.steps[-1].plan.computed == 0
    for row in report.rows:
        for step in row.steps:
            assert step.plan.reused + step.plan.replayed + step.plan.computed > 0


@pytest.mark.parametrize("mode", ["exact", "fast"])
def test_a_planted_wrong_state_fails_it(mode: str) -> None:
    with Engine.open(DEMO, EngineConfig(mode=mode)) as engine:  # type: ignore[arg-type]
        report = audit(engine, plant_wrong_state=True)
    assert not report.passed
    failed = {row.name for row in report.rows if not row.passed}
    assert "same_prompt_twice" in failed
    # Also where the wrong state is forgotten before the next token: the KV shows it.
    assert mode == "exact" or failed == {row.name for row in report.rows if row.reused}


class TestCompare:
    def test_equal_rows(self) -> None:
        row = torch.randn(50, generator=torch.Generator().manual_seed(1))
        result = compare(row, row.clone())
        assert result.bit_equal
        assert result.same_top
        assert result.largest == result.relative == 0
        assert abs(result.kl) < 1e-12

    def test_one_bit_is_enough(self) -> None:
        row = torch.ones(4)
        other = row.clone()
        other[2] = torch.nextafter(other[2], torch.tensor(2.0))
        assert not compare(other, row).bit_equal
