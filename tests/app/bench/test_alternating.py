"""What a view takes, told from a machine that gets slower or faster meanwhile."""

from __future__ import annotations

import random

import pytest

from app.bench.writing import PAIRS, margin, shares


@pytest.mark.parametrize("drift", [-0.004, 0.0, 0.004])
def test_a_drift_of_the_machine_is_no_cost_of_the_view(drift: float) -> None:
    costs = [(1 + drift * at) * (1.25 if at % 2 else 1.0) for at in range(2 * PAIRS + 1)]
    found = shares(costs)
    assert len(found) == PAIRS
    assert found == pytest.approx([20.0] * PAIRS)


def test_the_margin_covers_the_median_of_noise() -> None:
    rng, inside = random.Random(3), 0
    for _ in range(400):
        found = sorted(rng.gauss(5.0, 3.0) for _ in range(PAIRS))
        median = (found[PAIRS // 2 - 1] + found[PAIRS // 2]) / 2
        inside += abs(median - 5.0) <= margin(found)
    assert 0.9 < inside / 400 <= 1.0


def test_without_neighbours_there_is_nothing_to_compare() -> None:
    assert shares([]) == shares([1.0, 2.0]) == []
