"""Heights of a column: sums, estimates that become measurements, and what is where."""

from __future__ import annotations

import random

import pytest

from app.chat.logic.body_text import BodyText, Heights, estimate


def test_it_agrees_with_plain_sums_whatever_happens() -> None:
    rng = random.Random(5)
    made = Heights()
    plain: list[list[int]] = []
    for _ in range(600):
        act = rng.randrange(6)
        if act < 2 or not plain:
            plain.append([rng.randrange(1, 90), rng.randrange(0, 9)])
            made.put(len(made), plain[-1][0], gap=plain[-1][1], measured=False)
        elif act < 4:
            index = rng.randrange(len(plain))
            plain[index][0] = rng.randrange(1, 90)
            made.put(index, plain[index][0], measured=True)
            assert made.measured(index)
        elif act == 4:
            index = rng.randrange(len(plain))
            plain[index][1] = rng.randrange(0, 9)
            made.put(index, plain[index][0], gap=plain[index][1], measured=False)
        elif rng.random() < 0.2:
            del plain[rng.randrange(len(plain)) :]
            made.cut(len(plain))
        tops, y = [], 0
        for height, gap in plain:
            y += gap
            tops.append(y)
            y += height
        assert [made.top(index) for index in range(len(plain))] == tops
        assert made.total == y
        if plain:
            spot = rng.randrange(-20, y + 20)
            assert made.at(spot) == max(0, sum(top <= spot for top in tops) - 1)


def test_another_width_makes_estimates_of_measurements() -> None:
    made = Heights()
    made.put(0, 100, gap=0, measured=True)
    made.put(1, 50, gap=10, measured=True)
    made.rescale(2.0)
    assert (made.height(0), made.height(1), made.top(1)) == (200, 100, 210)
    assert not made.measured(0)


@pytest.mark.parametrize("width", [300, 700])
def test_a_text_twice_as_long_is_about_twice_as_tall(width: int) -> None:
    words = "some words " * 300
    assert 1.8 < estimate(words * 2, width) / estimate(words, width) < 2.2
    assert estimate("x\n" * 100, width, code=True) > 100 * 12


def test_a_text_that_grows_changes_only_its_last_parts() -> None:
    made = BodyText()
    made.lay_out(600)
    text = "A paragraph of words. " * 200 + "\n\n```py\nx = 1\n```\n\nThen"
    made.write(text, finished=False)
    for index in range(len(made.blocks)):
        made.heights.put(index, 10, measured=True)
    known = len(made.blocks)
    first = made.write(text + " more of them", finished=False)
    assert first >= known - 2
    assert all(made.heights.measured(index) for index in range(first))
    assert not made.heights.measured(len(made.blocks) - 1)
    assert made.write("Another text", finished=True) == 0
    assert len(made.heights) == len(made.blocks) == 1
