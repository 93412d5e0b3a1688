"""Reports as JSON: every field comes back, and nothing else is taken for one."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.core.session.report_json import dump_report, load_report
from engine.drafted import Draft, Drafted, packed
from engine.reuse import Divergence, Reason, ReusePlan, ReuseReport, StateMissing
from engine.sentence import as_data, say
from engine.stored_state import StoredState
from engine.verdict import Verdict

PLAN = ReusePlan(
    total=100,
    reused=64,
    replayed=16,
    computed=20,
    reason=Reason.CHECKPOINT_EVICTED,
    detail="Why: “evicted”.",
    checkpoint=7,
    state=StoredState(
        64, "decode", 1 << 63, True, "int8", 0.004, "disk", Verdict("unclear", 0.1, 0.2, 3.0)
    ),
    predicted_seconds=0.5,
    divergence=Divergence(80, 2, "assistant", "", "prompt"),
    missing=StateMissing(80, Reason.CHECKPOINT_EVICTED, "state pressure", 2.5),
)
REPORT = ReuseReport(PLAN, 12, 0.2, 1.5, 80.0, 0.1, 0.2, 30.0, 1, 10.0)

DRAFTS = Drafted("auto", 4, packed([Draft(1, 6, "device", 9, 40, (7, 8))]), ((1, 0.02), (8, 0.03)))


class TestReports:
    @pytest.mark.parametrize(
        "report",
        [
            REPORT,
            replace(REPORT, first_token_s=None, decode_tok_s=None),
            replace(REPORT, plan=ReusePlan(5, 0, 0, 5, Reason.FIRST_SIGHT, "")),
            replace(REPORT, drafts=DRAFTS),
        ],
        ids=["all", "no token", "no state", "drafts"],
    )
    def test_every_field_comes_back(self, report: ReuseReport) -> None:
        assert load_report(dump_report(report)) == report

    def test_none_is_no_text(self) -> None:
        assert dump_report(None) == ""
        assert load_report("") is None

    def test_a_field_that_came_later_has_its_default(self) -> None:
        raw = json.loads(dump_report(REPORT))
        del raw["replay_ms"]
        raw["unheard_of"] = 1
        assert load_report(json.dumps(raw)) == replace(REPORT, replay_ms=0.0)

    @pytest.mark.parametrize(
        "text",
        ["{", "[]", "null", "1", "{}", '{"plan": 1}', "[" * 100_000, '{"plan": {"total": "x"}}'],
        ids=lambda text: text[:20],
    )
    def test_what_is_no_report_is_none(self, text: str) -> None:
        assert load_report(text) is None

    @pytest.mark.parametrize(
        ("name", "value"), [("generated", "12"), ("total_s", True), ("plan", None)]
    )
    def test_a_value_of_another_type_is_none(self, name: str, value: object) -> None:
        raw = json.loads(dump_report(REPORT)) | {name: value}
        assert load_report(json.dumps(raw)) is None

    @pytest.mark.parametrize("tried", ["", "AAAA", 7, "AQAAAA=="])
    def test_damaged_drafts_are_none(self, tried: object) -> None:
        raw = json.loads(dump_report(replace(REPORT, drafts=DRAFTS)))
        raw["drafts"]["tried"] = tried
        found = load_report(json.dumps(raw))
        assert (
            found is None if tried else found == replace(REPORT, drafts=replace(DRAFTS, tried=b""))
        )

    def test_a_reason_that_does_not_exist_is_none(self) -> None:
        raw = json.loads(dump_report(REPORT))
        raw["plan"]["reason"] = "other"
        assert load_report(json.dumps(raw)) is None

    def test_what_another_chat_said_is_not_kept(self) -> None:
        """It may be deleted later, and its text must not live on here."""
        secret = 'My "secret", the prompt'
        sides = say("the cache continues with {cached}, the prompt with mine", cached=secret)
        detail = say("At token {token:,}: {sides}.", token=3, sides=sides)
        plan = replace(PLAN, detail=detail, divergence=Divergence(3, 0, "user", secret, "Mine"))
        text = dump_report(replace(REPORT, plan=plan))
        assert "secret" not in text
        loaded = load_report(text)
        assert loaded is not None
        assert loaded.plan.detail == (
            "At token 3: the cache continues with another text, the prompt with mine."
        )
        # It is not lost where it is kept once more, and can be said in another language.
        assert load_report(dump_report(loaded)) == loaded
        assert as_data(loaded.plan.detail)["fields"]["token"] == 3

    def test_a_text_that_does_not_show_what_it_quotes_is_not_kept(self) -> None:
        plan = replace(PLAN, detail="It has “secret”.", divergence=Divergence(3, 0, "", "s", ""))
        assert "secret" not in dump_report(replace(REPORT, plan=plan))
