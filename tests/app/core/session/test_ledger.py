"""Which requests are counted, and how many decode steps each had."""

from __future__ import annotations

import pytest

from app.core.session.ledger import MOST_RUNS, Ledger, Ran
from engine.events import RequestFinished, StopReason
from engine.reuse import Reason, ReusePlan, ReuseReport
from tests.app.conftest import Desk


def report(generated: int = 5, rate: float | None = 10.0) -> ReuseReport:
    plan = ReusePlan(100, 60, 10, 30, Reason.NEW_TOKENS, "")
    return ReuseReport(plan, generated, 0.1, 1.0, rate, 0.0, 0.0, 30.0, replay_ms=10.0)


class TestSteps:
    @pytest.mark.parametrize(
        ("stop", "steps", "timed"),
        [("end", 5, 5), ("cancelled", 5, 4), ("length", 4, 4), ("stop string", 4, 4)],
    )
    def test_by_how_it_ended(self, stop: StopReason, steps: int, timed: int) -> None:
        ran = Ran(1, "", stop, report())
        assert (ran.steps, ran.timed_steps) == (steps, timed)
        assert ran.decode_s == pytest.approx(0.4)

    def test_an_answer_without_tokens(self) -> None:
        ran = Ran(1, "", "length", report(0, None))
        assert (ran.steps, ran.timed_steps, ran.decode_s) == (0, 0, None)


class TestLedger:
    def test_it_keeps_the_last_ones_and_counts_all(self) -> None:
        ledger = Ledger()
        event = RequestFinished(
            request=1, stop="end", report=report(), text="", thinking="", token_ids=()
        )
        for _ in range(MOST_RUNS + 3):
            ledger.add(event, "A chat")
        assert (ledger.finished, len(ledger.runs)) == (MOST_RUNS + 3, MOST_RUNS)
        assert (ledger.runs[0].number, ledger.runs[-1].number) == (4, MOST_RUNS + 3)

    def test_every_finished_request_until_another_model_is_opened(self, desk: Desk) -> None:
        desk.say("One.")
        desk.say("Two.")
        ledger = desk.session.ledger
        assert [ran.number for ran in ledger.runs] == [1, 2]
        assert ledger.runs[0].title == "One."
        assert ledger.runs[1].report == desk.turns[-1].report
        desk.open("another")
        desk.until(lambda: not ledger.finished)
        assert not ledger.runs
