"""What is said under an answer: a miss that cost time, and what the cache saved."""

from __future__ import annotations

import pytest

from app.core.words.remarks import miss_text, saving_text
from engine.reuse import CLAUSES, Reason, ReuseReport, StateMissing
from tests.app.samples import plan, report

MISSES = {
    Reason.ANSWER_RETOKENISED: "the template does not reproduce the answer as it was",
    Reason.OLDEST_DROPPED: "the oldest turns of the conversation were left out",
    Reason.TEXT_LEFT_OUT: "a text that was there before was left out",
    Reason.MESSAGE_EDITED: "an earlier message changed",
    Reason.SYSTEM_TEXT_CHANGED: "the system prompt changed",
    Reason.TOOLS_CHANGED: "the list of tools changed",
    Reason.RENDERED_DIFFERENTLY: "the template rendered the same text differently",
    Reason.CHECKPOINT_EVICTED: "the state had been evicted",
    Reason.DAMAGED_FILE: "the file with the state was damaged",
    Reason.FILE_GONE: "the file with the state had been deleted",
    Reason.OTHER_FILES: "the cache files are of other weights or kernels",
    Reason.READ_BEFORE: "the earlier run is not in the cache",
}
STATES = {
    Reason.NO_CHECKPOINT: "no state was stored",
    Reason.CHECKPOINT_EVICTED: "the state had been evicted",
    Reason.NOT_EXACT: "the state is not bit-exact for this prompt",
    Reason.COMPRESSED: "the state was computed from a compressed one",
    Reason.QUARANTINED: "an audit had found the state to be wrong",
}


def slow(reason: Reason, again: int, seconds: float = 2.0) -> ReuseReport:
    """5,000 tokens that took so long, some of them again."""
    return report(plan(16, 0, 5000, reason=reason, again=again), prefill_ms=1000 * seconds)


class TestMiss:
    @pytest.mark.parametrize(("reason", "clause"), MISSES.items(), ids=lambda one: str(one))
    def test_it_says_how_much_was_read_again_and_why(self, reason: Reason, clause: str) -> None:
        assert miss_text(slow(reason, 4210)) == f"read 4,210 tokens again: {clause}"

    @pytest.mark.parametrize(("why", "clause"), STATES.items(), ids=lambda one: str(one))
    def test_of_replayed_tokens_it_says_what_became_of_the_state(
        self, why: Reason, clause: str
    ) -> None:
        """Also where the text differs after them, which is the reason of the plan."""
        lost = StateMissing(4226, why)
        for reason in (why, Reason.ANOTHER_CHAT):
            made = plan(16, 4210, 40, reason=reason, missing=lost, again=4210)
            shown = miss_text(report(made, replay_ms=900.0, prefill_ms=10.0))
            assert shown == f"read 4,210 tokens again: {clause}"

    def test_every_clause_is_the_one_of_the_engines_sentence(self) -> None:
        others = {Reason.ANOTHER_CHAT, Reason.SYSTEM_TEXT_SHARED}
        assert MISSES.keys() | STATES.keys() | others == CLAUSES.keys()

    def test_a_cause_without_a_clause_is_left_out(self) -> None:
        assert miss_text(slow(Reason.DIVERGED, 4210)) == "read 4,210 tokens again"

    def test_what_never_ran_before_is_no_miss(self) -> None:
        for reason in (Reason.FIRST_SIGHT, Reason.NEW_TOKENS, Reason.TEMPLATE_DROPPED_THINKING):
            assert miss_text(slow(reason, 0, 60.0)) == ""

    def test_only_the_time_of_what_ran_again_counts(self) -> None:
        """Half a second of the two that 5,000 tokens took is 1,250 of them."""
        assert miss_text(slow(Reason.MESSAGE_EDITED, 1249)) == ""
        assert miss_text(slow(Reason.MESSAGE_EDITED, 1250)) != ""

    def test_nothing_ran(self) -> None:
        assert miss_text(None) == ""
        assert miss_text(report(plan(100, 0, 0))) == ""


class TestSaving:
    def test_it_is_the_time_that_reading_would_have_taken(self) -> None:
        cold = report(plan(0, 0, 2000), prefill_ms=1000.0)
        made = report(plan(4800, 0, 20), prefill_ms=40.0, restore_ms=300.0)
        assert saving_text(made, [cold, made]) == "2.1 s saved: 4,800 tokens were not read again"

    def test_the_fastest_reading_counts(self) -> None:
        fast = report(plan(0, 0, 10_000), prefill_ms=1000.0)
        slow = report(plan(0, 0, 10), prefill_ms=100.0)
        made = report(plan(4800, 0, 20), prefill_ms=400.0, restore_ms=0.0)
        text = saving_text(made, [slow, fast, made])
        assert text == "0.5 s saved: 4,800 tokens were not read again"

    def test_a_model_too_fast_for_that_tells_the_tokens(self) -> None:
        cold = report(plan(0, 0, 20), prefill_ms=20.0)
        made = report(plan(39, 0, 55), prefill_ms=40.0)
        text = saving_text(made, [cold, made])
        assert text == "39 tokens came from the cache and were not read again"

    def test_little_is_not_worth_telling(self) -> None:
        made = report(plan(16, 0, 27), prefill_ms=40.0)
        assert saving_text(made, [made]) == ""
        assert saving_text(report(plan(0, 0, 900)), []) == ""

    def test_no_time_is_made_up_before_anything_was_read(self) -> None:
        made = report(plan(4800, 0, 0), prefill_ms=0.0)
        assert (
            saving_text(made, [made]) == "4,800 tokens came from the cache and were not read again"
        )

    def test_what_an_engine_elsewhere_reuses_is_its_own(self) -> None:
        made = report(plan(4800, 0, 20, reported_by="vLLM"))
        assert saving_text(made, [made]) == ""
