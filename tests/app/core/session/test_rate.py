"""Tokens a second: of the last second while writing, of the whole answer once it is done."""

from __future__ import annotations

from app.core.session.requests import RateMeter


def test_the_last_second_counts() -> None:
    meter = RateMeter()
    for tenth in range(31):
        meter.read(1, tenth / 10, tenth * (2 if tenth <= 10 else 5))
    assert meter.value is not None
    assert abs(meter.value - 50) < 1


def test_an_answer_too_short_to_be_seen_is_noted_once() -> None:
    meter = RateMeter()
    meter.read(1, 0.0, 12)
    meter.stop(170.0)
    assert meter.value is None
    assert meter.take() == 170.0
    assert meter.take() is None


def test_another_request_starts_anew() -> None:
    meter = RateMeter()
    meter.read(1, 0.0, 0)
    meter.read(1, 1.0, 100)
    meter.read(2, 1.1, 1)
    meter.read(2, 1.6, 6)
    assert meter.value == 10
