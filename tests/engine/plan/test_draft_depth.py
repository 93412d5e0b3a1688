"""How much is drafted: as much as pays by what was counted, and nothing where nothing is likely."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.plan.draft_depth import CLASSES, PLAIN, RARELY, REMEMBERED, Depth
from kernels.native.rows import MOST_FEW

SHORT, LONG = CLASSES[0][0], CLASSES[-1][0]


def counted(cost: float, hits: int, of: int, length: int = LONG) -> Depth:
    """After passes in which a further row cost so much, and tokens that were seen to follow."""
    depth = Depth()
    for rows in (1, 4, 8) * 2:
        depth.took(rows, 0.1 * (1 + cost * (rows - 1)))
    for at in range(of):
        depth.endings.saw(length, at * hits // of != (at + 1) * hits // of)
    return depth


def test_what_never_follows_is_not_drafted() -> None:
    assert counted(0.0, 0, 300).best(LONG, 15) == 0


def test_what_always_follows_is_drafted_as_far_as_rows_are_cheap() -> None:
    assert counted(0.02, 500, 500).best(LONG, 15) == 15
    assert counted(0.02, 500, 500).best(LONG, 6) == 6


def test_nothing_is_drafted_where_a_row_costs_a_pass() -> None:
    assert counted(1.0, 500, 500).best(LONG, 15) == 0


def test_less_is_drafted_where_less_stays() -> None:
    depths = [counted(0.05, hits, 400).best(LONG, 15) for hits in (400, 360, 280, 120, 8)]
    assert depths == sorted(depths, reverse=True)
    assert depths[0] > depths[2] > depths[4] == 0


def test_classes_are_counted_apart() -> None:
    depth = counted(0.05, 0, 300, SHORT)
    assert depth.best(SHORT, 15) == 0
    assert depth.best(LONG, 15) > 0


def test_it_is_learned_again_without_drafts() -> None:
    depth = counted(0.05, 0, 300)
    assert depth.best(LONG, 15) == 0
    for _ in range(400):
        depth.endings.saw(LONG, True)
    assert depth.best(LONG, 15) > 3


def test_one_slow_pass_does_not_stop_drafts() -> None:
    depth = counted(0.05, 500, 500)
    before = depth.best(LONG, 15)
    depth.took(8, 30.0)
    depth.took(1, 30.0)
    assert depth.best(LONG, 15) == before


def test_one_slow_pass_at_first_stops_nothing() -> None:
    depth = Depth()
    for seconds in (30.0, 0.12):
        depth.took(1, 0.1)
        depth.took(8, seconds)
        assert depth.best(LONG, 15) > 0
    assert depth.cost(8) == pytest.approx(1.2)


@pytest.mark.parametrize("most", [0, 1, MOST_FEW - 1])
def test_never_more_than_there_is_room_for(most: int) -> None:
    assert counted(0.0, 500, 500).best(LONG, most) == most


class TestHead:
    """What the model's draft head says is taken while it is sure enough."""

    @staticmethod
    def told(*sure: float) -> Iterator[tuple[int, float]]:
        return iter([(at, chance) for at, chance in enumerate(sure)])

    @staticmethod
    def cheap() -> Depth:
        depth = counted(0.05, 0, 0)
        # Asking takes next to nothing beside passes of 0.1 s.
        assert depth.from_head(TestHead.told(0.95, 0.01), 2)
        return depth

    def test_until_it_is_no_longer_sure(self) -> None:
        found = self.cheap().from_head(self.told(0.95, 0.9, 0.97, 0.2, 0.99), 8)
        assert [token for token, _ in found] == [0, 1, 2]

    def test_no_further_than_there_is_room(self) -> None:
        assert len(self.cheap().from_head(self.told(*[0.99] * 9), 3)) == 3

    def test_what_it_is_sure_of_but_does_not_stay_is_no_longer_taken(self) -> None:
        depth = self.cheap()
        for _ in range(300):
            depth.sure.saw(0.95, hit=False)
        assert not depth.from_head(self.told(0.95, 0.95), 2)
        assert depth.from_head(self.told(0.75, 0.1), 2), "what it is less sure of has its own count"

    def test_what_was_wrong_once_is_tried_again_in_time(self) -> None:
        depth = self.cheap()
        for _ in range(300):
            depth.sure.saw(0.95, hit=False)
        tries = next(n for n in range(500) if depth.from_head(self.told(0.95, 0.95), 2))
        assert 0 < tries < 100

    def test_where_it_brings_less_it_is_asked_rarely_and_often_again_when_it_pays(self) -> None:
        depth = self.cheap()
        for _ in range(REMEMBERED):
            depth.took(1, 0.1)
        self.steps(depth, 60, asked=False, tokens=1, seconds=0.1)
        assert self.asks(depth) >= 10 * RARELY - 10 * RARELY // PLAIN - 1
        self.steps(depth, 60, asked=True, tokens=2, seconds=0.21)
        assert self.asks(depth) in (9, 10)
        self.steps(depth, 60, asked=True, tokens=3, seconds=0.2)
        assert self.asks(depth) >= 10 * RARELY - 10 * RARELY // PLAIN - 1
        self.steps(depth, 60, asked=None, tokens=9, seconds=0.1)
        assert self.asks(depth) >= 10 * RARELY - 10 * RARELY // PLAIN - 1, "other drafts count not"

    def test_it_is_not_asked_before_a_pass_of_one_row_is_known(self) -> None:
        depth = Depth()
        assert not any(depth.asks_head() for _ in range(100))

    @staticmethod
    def asks(depth: Depth) -> int:
        return sum(depth.asks_head() for _ in range(10 * RARELY))

    @staticmethod
    def steps(depth: Depth, count: int, *, asked: bool | None, tokens: int, seconds: float) -> None:
        for _ in range(count):
            depth.spent(seconds)
            depth.over(tokens, asked)
