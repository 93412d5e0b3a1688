"""What is said of engines that run elsewhere."""

from __future__ import annotations

from dataclasses import replace

from app.debugger.remote.logic.words import (
    blank_sentence,
    gap_sentence,
    late_sentence,
    load_sentence,
    untold_sentence,
)
from engine.net.kv_events.fleet import STEP_S, Fleet
from engine.net.kv_events.match import Expected, compare, finding_sentence


class TestFindings:
    def test_a_difference_is_said_with_its_causes(self) -> None:
        known = Expected(total=12_100, device=12_000, block=16)
        assert finding_sentence(compare(known, 0)) == (
            "KV for 12,000 tokens known, engine reused 0: no state, or a dropped block."
        )
        assert "12,000 expected, engine reused 5,000" in finding_sentence(compare(known, 5_000))
        assert finding_sentence(compare(known, 12_000)) == (
            "As expected: 12,000 tokens reused of 12,000 known."
        )
        assert "does not say" in finding_sentence(compare(known, None))
        assert "before anybody listened" in finding_sentence(compare(Expected(99), 64))
        doubt = Expected(total=12_100, device=12_000, block=16, doubtful=True)
        assert "events were lost" in finding_sentence(compare(doubt, 0))


class TestFacts:
    def test_what_is_not_told(self) -> None:
        assert untold_sentence(()) == ""
        assert untold_sentence(("locks",)) == "The engine does not tell what is locked."
        assert untold_sentence(("states", "locks")).endswith("it has and what is locked.")

    def test_what_only_a_dump_told_of(self) -> None:
        (facts,) = Fleet(["a"]).facts()
        assert blank_sentence(replace(facts, blank=1_200)).startswith(
            "1,200 of the blocks of a are from the indexer's dump, which does not tell their tokens"
        )

    def test_nothing_is_said_without_a_reason(self) -> None:
        (facts,) = Fleet(["a"]).facts()
        assert gap_sentence(facts) == late_sentence(facts) == blank_sentence(facts) == ""
        assert load_sentence(STEP_S, 0) == []
        assert "7 inferred requests" in load_sentence(STEP_S, 7)[0]
        assert "no event is left out" in load_sentence(5.0, 0)[0]
