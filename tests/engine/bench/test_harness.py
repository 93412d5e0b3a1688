"""How benchmarks measure: rounds alternate, time runs out, and a process says what it left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import pytest

from engine.bench.harness import fastest, median, quantile, rounds, run_process, seconds


def ticking(*figures: float) -> Callable[[], float]:
    """One figure after the other."""
    return iter(figures).__next__


def test_a_call_takes_what_its_clock_says() -> None:
    assert seconds(lambda: None, ticking(3.0, 10.5)) == 7.5


def test_all_measurements_run_in_every_round() -> None:
    clock = ticking(*range(6))
    assert rounds((clock, clock), 3) == [(0, 2, 4), (1, 3, 5)]


def test_without_time_left_there_is_one_figure_and_otherwise_as_many_as_were_asked_for() -> None:
    assert median(ticking(4.0, 9.0, 5.0), 3, ends=time.perf_counter() - 1) == 4.0
    assert median(ticking(4.0, 9.0, 5.0), 3, ends=time.perf_counter() + 60) == 5.0


def test_the_first_of_the_fastest_is_not_counted() -> None:
    assert fastest(ticking(1.0, 7.0, 3.0), 2) == 3.0


def test_quantiles() -> None:
    assert quantile([5.0, 1.0, 3.0], 0.5) == 3.0
    assert quantile(list(map(float, range(100))), 0.95) == 95.0
    assert quantile([1.0, 2.0], 1.0) == 2.0


class TestProcess:
    def test_it_gets_its_input_and_finds_our_modules(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir("/")
        code = "import engine.bench, sys; print(sys.stdin.read())"
        ended = run_process([sys.executable, "-c", code], b"given")
        assert (ended.code, ended.output, ended.last_error) == (0, "given", "")

    def test_one_that_fails_says_why_at_last(self) -> None:
        ended = run_process([sys.executable, "-c", "raise SystemExit('first\\nlast')"])
        assert (ended.code, ended.error, ended.last_error) == (1, "first\nlast", "last")
