"""From one order of rows to another."""

from __future__ import annotations

import random

import pytest

from app.conversations.logic.steps import Insert, Move, Remove, steps


def taken(old: list[int], new: list[int], todo: list[Insert | Remove | Move]) -> list[int]:
    now = list(old)
    for step in todo:
        match step:
            case Insert(at, count):
                now[at:at] = new[at : at + count]
            case Remove(at, count):
                del now[at : at + count]
            case Move(source, target):
                now.insert(target, now.pop(source))
    return now


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ([], [1, 2], [Insert(0, 2)]),
        ([1, 2, 3], [1, 2, 3], []),
        ([1, 2, 3], [9, 1, 2, 3], [Insert(0, 1)]),
        ([1, 2, 3], [9, 1, 2], [Remove(2, 1), Insert(0, 1)]),
        ([1, 2, 3, 4], [3, 1, 2, 4], [Move(2, 0)]),
        ([1, 2, 3, 4], [2, 3, 4, 1], [Move(0, 3)]),
        ([1, 2, 3, 4], [2, 3, 1, 4], [Move(0, 2)]),
        ([1, 2, 3, 4], [1, 4], [Remove(1, 2)]),
        ([1, 2], [1, 2, 3, 4], [Insert(2, 2)]),
    ],
    ids=str,
)
def test_one_change_is_one_step(
    old: list[int], new: list[int], wanted: list[Insert | Remove | Move]
) -> None:
    assert steps(old, new) == wanted
    assert taken(old, new, wanted) == new


def test_another_order_altogether_is_none() -> None:
    assert steps(list(range(100)), list(range(100))[::-1]) is None


def test_whatever_the_steps_are_they_lead_there() -> None:
    rng = random.Random(1)
    for _ in range(2000):
        old, new = (rng.sample(range(12), rng.randrange(12)) for _ in range(2))
        todo = steps(old, new)
        assert todo is None or taken(old, new, todo) == new
