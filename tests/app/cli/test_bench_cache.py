"""`biplane bench cache`: the report is whole and prints as a table or as JSON."""

from __future__ import annotations

import json

import pytest

from app.cli.main import main
from engine.bench import cache
from engine.bench.cache import Effort
from engine.config import POLICY_NAMES

TINY = Effort(12, (11,), ("9B", "Next"), (0.25,), (0.1,), (200,))


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "QUICK", TINY)


def test_every_workload_model_budget_and_policy_is_in_the_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench", "cache", "--quick", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    # The first model at both budgets, the other at one.
    assert len(report["rows"]) == 5 * 3 * len(POLICY_NAMES)
    for row in report["rows"]:
        assert row["reused"] + row["replayed"] + row["computed"] == row["tokens"]
        assert row["reused"] <= row["bound"] + 1e-6
    assert [tree["policy"] for tree in report["tree"]] == list(POLICY_NAMES)
    assert all(tree["match_us"] > 0 and tree["node_bytes"] > 0 for tree in report["tree"])


@pytest.mark.slow
def test_the_table_names_what_was_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "cache", "--quick"]) == 0
    said = capsys.readouterr()
    for word in ("chat", "agent", "shared", "edits", "alternating", *POLICY_NAMES):
        assert word in said.out
    assert "evict state" in said.out
    assert "12 requests" in said.err
