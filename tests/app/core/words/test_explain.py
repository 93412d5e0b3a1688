"""Words for nodes and plans."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from app.core.words.explain import (
    age,
    checkpoint_note,
    evictions_text,
    live_text,
    node_facts,
    node_tooltip,
    tree_summary,
    verdict_sentence,
    verdict_words,
    why,
)
from engine.reuse import Reason, ReusePlan
from engine.snapshot import CheckpointView, LiveView, NodeView
from engine.stored_state import StoredState
from engine.verdict import Verdict
from tests.app.samples import node, snapshot


def point(**known: Any) -> CheckpointView:
    where = {"slot": 2, "bytes": 1000, "created": 1.0, "last_used": 1.0, "hits": 1}
    own = {name: known.pop(name) for name in where.keys() & known.keys()}
    made: dict[str, Any] = where | own
    return CheckpointView(StoredState(**({"position": 74} | known)), **made)


def facts(shown: NodeView, now: float = 5.0) -> dict[str, str]:
    return {fact.name: fact.value for fact in node_facts(shown, now)}


class TestWords:
    def test_a_tombstone_is_called_one(self) -> None:
        facts = {fact.name: fact.value for fact in node_facts(node(3, 0, 10, 74), now=5.0)}
        assert facts["Checkpoint"] == "none (tombstone)"
        assert facts["Tokens"] == "10 to 74"
        assert "tombstone" in node_tooltip(node(3, 0, 10, 74), 5.0)

    def test_the_tooltip_has_at_most_six_lines(self) -> None:
        text = node_tooltip(node(3, 0, 10, 74, "decode", lock=1, text="word\n" * 90), 5.0)
        assert len(text.splitlines()) <= 6

    def test_what_the_request_does(self) -> None:
        assert live_text(LiveView(1, 1, 120, 100, 50, 300)) == "replaying, at 120 of 150"
        assert live_text(LiveView(1, 1, 200, 100, 50, 300)) == "reading, at 200 of 300"
        assert live_text(LiveView(1, 1, 310, 100, 50, 300)) == "writing, at 310"

    def test_the_summary_counts(self) -> None:
        given = snapshot(node(1, 0, 0, 5, "prefill"), node(2, 1, 5, 9))
        assert tree_summary(given, 1) == "2 nodes · 1 checkpoint · 2 evicted"
        assert evictions_text(given) == "kv full: 2"


class TestPromises:
    """What the note says of a checkpoint is what is known of it, in either mode."""

    def test_bits_are_promised_of_exact_ones_only(self) -> None:
        exact, fast = checkpoint_note(point(cut_hash=7)), checkpoint_note(point())
        assert "bit for bit like a cold run" in exact
        assert "bit for bit" not in fast
        assert "differs from a cold run by rounding" in fast
        for provenance in ("decode", "branch"):
            assert "by rounding" in checkpoint_note(point(provenance=provenance))

    def test_what_a_state_came_of_is_said(self) -> None:
        assert "was stored as int8" in checkpoint_note(point(stored="int8", error=0.004))
        came = point(error=0.07)
        assert "found 7% away from a cold run" in checkpoint_note(came)
        assert facts(replace(node(3, 0, 10, 74), checkpoint=came))["Checkpoint"].endswith("7% off")

    @pytest.mark.parametrize(
        ("verdict", "short", "sentence"),
        [
            (
                Verdict("verified", 0.006, 0.0008, 1.0),
                "verified: 0.6% off, KL 0.0008",
                "state, keys, values and scores are within 0.6% of a cold run's, and the next "
                "token's probabilities move by at most 2% (KL 0.0008).",
            ),
            (
                Verdict("verified", 0.0, 0.0, 1.0),
                "verified: no difference from a cold run",
                "The checkpoint was verified: no difference from a cold run was found.",
            ),
            (
                Verdict("unclear", 0.34, 1.5, 1.0),
                "unclear: 34% off, KL 1.5",
                "The audit is inconclusive: the checkpoint is up to 34% away",
            ),
            (
                Verdict("drifted", 0.2, 0.02, 1.0),
                "drifted: 20% off, KL 0.02",
                "more than rounding explains, but the next token's probabilities move by at most "
                "10% (KL 0.02).",
            ),
            (
                Verdict("quarantined", 1.4, 17.0, 1.0),
                "quarantined: 140% off, KL 17",
                "The checkpoint was wrong, up to 140% away from a cold run",
            ),
        ],
    )
    def test_a_verdict_is_told_with_its_distance(
        self, verdict: Verdict, short: str, sentence: str
    ) -> None:
        assert verdict_words(point(verdict=verdict)) == short
        assert sentence in verdict_sentence(verdict)
        assert "answers as a cold run does" not in verdict_sentence(verdict)

    def test_more_than_all_of_the_probability_cannot_move(self) -> None:
        for kl in (2.0, 17.0, 1e6):
            assert "at most 100%" in verdict_sentence(Verdict("unclear", 0.3, kl, 1.0)) or kl == 2
        assert "at most 93%" in verdict_sentence(Verdict("unclear", 0.3, 2.0, 1.0))


class TestAges:
    def test_a_moment_that_is_yet_to_come_was_told_before_the_last_start(self) -> None:
        assert age(5000.0, 10.0) == "before the last restart"
        assert age(10.2, 10.0) == "now"
        assert age(0.0, 130.0) == "2 min ago"
        assert age(0.0, 30 * 3600.0) == "30 h ago"
        assert age(-90 * 86_400.0, 0.0) == "90 days ago"
        old = replace(node(3, 0, 10, 74, "prefill"), created=9e5, last_used=9e5)
        told = facts(old)
        assert told["Made"] == told["Last used"] == "before the last restart"
        assert "before the last restart" in node_tooltip(old, 5.0)

    def test_a_file_is_not_said_to_lie_in_a_slot_or_to_be_unused(self) -> None:
        below = replace(node(3, 0, 10, 74), tier="disk", checkpoint=point(tier="disk", hits=0))
        told = facts(below)
        assert "slot" not in told["State"]
        assert not {"Resumed", "Matched", "Last used"} & told.keys()
        assert told["Made"] == "4 s ago"
        assert "Made" not in facts(replace(below, checkpoint=None))
        assert "matched" not in node_tooltip(below, 5.0)
        assert "stored on disk" in node_tooltip(below, 5.0)


class TestWhy:
    def plan(self, reason: Reason, detail: str = "") -> ReusePlan:
        return ReusePlan(100, 80, 0, 20, reason, detail)

    def test_dropped_thinking_is_said_to_be_normal(self) -> None:
        said = why(self.plan(Reason.TEMPLATE_DROPPED_THINKING, "At token 80 it is left out."))
        assert said.startswith("At token 80 it is left out. This is normal")

    @pytest.mark.parametrize("reason", [r for r in Reason if "thinking" not in r.value])
    def test_nothing_else_is(self, reason: Reason) -> None:
        assert "normal" not in why(self.plan(reason))
        assert why(self.plan(reason, "Because.")) == "Because."
