"""Positions with and without the cache: the published example, and the engine's own passes."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.options.shared import demo_model_dir
from app.core.session.ledger import Ran
from app.lab.logic.phase_sentences import (
    Positions,
    cold_seconds,
    decode,
    gap_line,
    headline,
    milliseconds,
    positions,
    prefill,
    run_line,
    running_totals,
    sequence_positions,
    time_line,
    times,
    total,
)
from engine import Engine, EngineConfig, Message, Sampling, events
from engine.model.hybrid import HybridModel
from tests.app.core.session.test_ledger import report


class TestPublishedExample:
    """Five prompt tokens and three decode steps, as they are described in print."""

    def test_the_positions(self) -> None:
        found = sequence_positions(5, 3, reused=0)
        assert found.cached == 5 + 1 + 1 + 1 == 8
        assert found.bare == 5 + 6 + 7 + 8 == 26
        assert found.cold == 8

    def test_the_gap_widens_with_every_token(self) -> None:
        gaps = [
            found.bare - found.cached
            for found in (sequence_positions(5, steps, 0) for steps in range(1, 8))
        ]
        assert gaps == sorted(set(gaps))

    def test_what_is_reused_does_not_run(self) -> None:
        assert sequence_positions(500, 3, reused=480) == Positions(23, 503, 2006)

    def test_a_prompt_that_was_cancelled(self) -> None:
        assert sequence_positions(40, 0, 10, started=False) == Positions(30, 40, 40)


class TestAgainstTheEngine:
    def test_every_position_that_ran_is_counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A chat with reuse, replay, an early end, a limit and a second branch."""
        ran: list[int] = []
        forward = HybridModel.forward

        def counted(self: HybridModel, token_ids: Any, *rest: Any, **options: Any) -> Any:
            ran.append(len(token_ids))
            return forward(self, token_ids, *rest, **options)

        monkeypatch.setattr(HybridModel, "forward", counted)
        # A drafted row runs in another way, and need not become a token.
        config = EngineConfig(cache_bytes=16 << 20, threads=1, background_audit=False, drafts="off")
        with Engine.open(demo_model_dir(), config) as engine:
            said = [Message("user", "Hello, my name is Ada.")]
            for number, (more, most) in enumerate((("Who?", 60), ("And why?", 4), ("So?", 60))):
                ran.clear()
                *_, last = engine.generate(said, Sampling.greedy(most))
                assert isinstance(last, events.RequestFinished)
                found = positions(Ran(number, "", last.stop, last.report))
                assert found.cached == sum(ran)
                assert found.cold == found.cached + last.report.plan.reused
                ran.clear()
                *_, again = engine.generate(said, Sampling.greedy(most), reuse=False)
                assert isinstance(again, events.RequestFinished)
                assert sum(ran) == found.cold
                said += [Message("assistant", last.text), Message("user", more)]


class TestSums:
    def runs(self) -> tuple[Ran, ...]:
        return tuple(Ran(n, "A chat", "end", report()) for n in (1, 2, 3))

    def test_they_add_up(self) -> None:
        runs = self.runs()
        assert positions(runs[0]) == Positions(45, 105, 100 * 6 + 15)
        assert total(runs) == running_totals(runs)[-1] == Positions(135, 315, 1845)

    def test_times_a_token(self) -> None:
        runs = self.runs()
        assert prefill(runs).tokens == 120
        assert prefill(runs).token_ms == pytest.approx(1.0)
        assert decode(runs).token_ms == pytest.approx(1e3 * 0.4 / 5)
        assert cold_seconds(runs) == pytest.approx(0.3)
        assert prefill(()).token_ms is decode(()).token_ms is cold_seconds(()) is None


class TestSentences:
    def test_nothing_yet(self) -> None:
        assert time_line(()) == ""
        assert gap_line(()).startswith("Prefill runs")

    def test_what_was_saved(self) -> None:
        runs = TestSums().runs()
        assert headline(runs, 3) == (
            "3 requests: 135 positions ran. Cold, every prompt computed from its first token, it "
            "would be 315: the cache saved 180 (57%)."
        )
        assert headline(runs, 2003).startswith("The last 3 of 2,003 requests:")

    def test_estimates_are_marked(self) -> None:
        runs = TestSums().runs()
        assert time_line(runs) == "Prompts took 0.12 s; cold, at the same speed, ~0.30 s."
        line = run_line(runs[0], runs)
        assert line.startswith('Request 1 in "A chat": a prompt of 100 tokens, 60 reused, 10 ')
        assert line.endswith("The prompt took 0.04 s, cold ~0.10 s.")

    def test_how_far_apart_the_phases_are(self) -> None:
        assert gap_line(TestSums().runs()).startswith("A decoded token took 80.0 times as long")

    def test_figures(self) -> None:
        assert [milliseconds(v) for v in (0.712, 12.34, 201.4, None)] == [
            "0.71 ms",
            "12.3 ms",
            "201 ms",
            "not measured",
        ]
        assert [times(v, 8) for v in (8, 26, 8000)] == ["", "3.2 ×", "1,000 ×"]
