"""The audit passes on an honest cache in both modes, and fails on a spoiled one."""

from __future__ import annotations

from pathlib import Path

import pytest

import assets
from engine import Engine, EngineConfig
from engine.audit import audit
from engine.audit.conversations import CONVERSATIONS
from engine.config import Mode
from tests.mostly_slow import mostly_slow

DEMO = Path(assets.__file__).parent / "demo_model"


@pytest.mark.parametrize("mode", mostly_slow(["exact", "fast"]))
def test_every_conversation_keeps_the_promise(mode: Mode) -> None:
    with Engine.open(DEMO, EngineConfig(mode=mode)) as engine:
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
@pytest.mark.slow
def test_a_planted_wrong_state_fails_it(mode: Mode) -> None:
    with Engine.open(DEMO, EngineConfig(mode=mode)) as engine:
        report = audit(engine, plant_wrong_state=True)
    assert not report.passed
    failed = {row.name for row in report.rows if not row.passed}
    assert "same_prompt_twice" in failed
    # Also where the wrong state is forgotten before the next token: the KV shows it.
    assert mode == "exact" or failed == {row.name for row in report.rows if row.reused}
