"""Predictions follow from what the recorded machine did."""

from __future__ import annotations

import pytest

from engine.analysis.replay import SpeedMeter, Speeds
from engine.cache.journal.request_ran import RequestRan
from tests.engine.journal.samples import request


def measured(requests: list[RequestRan]) -> Speeds:
    meter = SpeedMeter()
    for ran in requests:
        meter.observe(ran)
    return meter.speeds()


def test_without_a_run_nothing_is_predicted() -> None:
    assert measured([]).first_token_s(100, "") is None


def test_long_runs_count_more_than_any_number_of_short_ones() -> None:
    short = request(range(8), prefill_ms=800.0)
    assert measured([short]).prefill_tok_s == pytest.approx(10)
    long = request(range(1000), prefill_ms=2000.0)
    assert measured([short, short, long]).prefill_tok_s == pytest.approx(500)


def test_a_prompt_that_was_given_up_says_nothing_of_the_speed() -> None:
    assert measured([request(range(100), position=50)]).prefill_tok_s is None


def test_a_state_from_far_away_takes_the_time_that_it_took() -> None:
    near = request(
        range(100),
        reused=50,
        computed=50,
        resumed_from="device",
        lookup_ms=1.0,
        restore_ms=3.0,
        prefill_ms=100.0,
        first_token_s=0.110,
    )
    far = request(
        range(100),
        reused=50,
        computed=50,
        resumed_from="disk",
        lookup_ms=40.0,
        restore_ms=3.0,
        prefill_ms=100.0,
        first_token_s=0.150,
    )
    speeds = measured([near, far])
    assert speeds.prefill_tok_s == pytest.approx(500)
    assert speeds.first_token_s(50, "device") == pytest.approx(0.1 + 0.003 + 0.007)
    assert speeds.first_token_s(50, "disk") == pytest.approx(0.1 + 0.043 + 0.007)
    assert speeds.first_token_s(50, "") == pytest.approx(0.1 + 0.007)
