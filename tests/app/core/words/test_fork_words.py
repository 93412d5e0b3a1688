"""What going to another branch would cost, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.words.explain import is_warm, step_tooltip, wait_text
from tests.app.samples import plan


@pytest.mark.parametrize(
    ("reused", "new", "warm"),
    [(0, 64, True), (0, 65, False), (900, 100, True), (890, 110, False), (0, 0, True)],
)
def test_warm_is_what_costs_hardly_more_than_a_question(reused: int, new: int, warm: bool) -> None:
    assert is_warm(plan(reused, 0, new)) is warm


def test_replayed_tokens_are_not_warm() -> None:
    assert not is_warm(plan(0, 900, 100))


def test_the_wait_is_a_time_once_rates_are_known() -> None:
    known = replace(plan(4000, 0, 1000), predicted_seconds=1.234)
    assert wait_text(None) == ""
    assert wait_text(known) == "1.23 s"
    assert wait_text(replace(known, predicted_seconds=None)) == "cold"
    assert step_tooltip("Next version", None) == "Next version"
    assert step_tooltip("Next version", known) == (
        "Next version: 4,000 of 5,000 tokens are in the cache, about 1.23 s to the first token"
    )
