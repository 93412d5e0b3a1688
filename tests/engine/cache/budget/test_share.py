"""The split of the budget follows what was lost, and settles."""

from __future__ import annotations

import random

from engine.cache.budget.balance import MAX_SHARE, MIN_SHARE, Lost, Split


def drive(split: Split, needed: float, requests: int, seed: int = 0) -> list[float]:
    """A workload that loses states below the share it needs and KV above it."""
    source = random.Random(seed)
    shares = []
    for _ in range(requests):
        short = max(needed - split.share, 0.0)
        over = max(split.share - needed, 0.0)
        noise = source.random() * 20
        split.observe(Lost(1000, int(2000 * short + noise), int(2000 * over + noise)))
        split.propose()
        shares.append(split.share)
    return shares


def test_it_moves_toward_the_plane_that_loses_more() -> None:
    assert drive(Split(0.5), 0.8, 200)[-1] > 0.7
    assert drive(Split(0.5), 0.2, 200)[-1] < 0.3


def test_it_settles() -> None:
    for seed in range(5):
        shares = drive(Split(0.5), 0.65, 600, seed)
        assert abs(shares[-1] - 0.65) <= 0.1
        assert len(set(shares[300:])) == 1, "a steady workload must not make it swing"


def test_it_follows_a_workload_that_changes_once() -> None:
    split = Split(0.5)
    drive(split, 0.8, 200)
    assert drive(split, 0.4, 400)[-1] < 0.55


def test_it_stays_within_bounds() -> None:
    assert drive(Split(0.5), 2.0, 500)[-1] <= MAX_SHARE
    assert drive(Split(0.5), -2.0, 500)[-1] >= MIN_SHARE


def test_nothing_lost_moves_nothing() -> None:
    split = Split(0.5)
    for _ in range(100):
        split.observe(Lost(1000, 5, 3))
        assert split.propose() is None


def test_equal_losses_move_nothing() -> None:
    split = Split(0.5)
    for _ in range(100):
        split.observe(Lost(1000, 400, 350))
        assert split.propose() is None


def test_kv_in_use_bounds_the_state_plane() -> None:
    split = Split(0.5)
    for _ in range(100):
        split.observe(Lost(1000, 500, 0))
        split.propose(max_share=0.6)
    assert split.share <= 0.6
