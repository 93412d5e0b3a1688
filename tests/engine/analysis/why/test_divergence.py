"""Two sequences side by side, and dates in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engine.analysis.why.divergence import Sides, sides_of, times_of


def letters(tokens: Sequence[int]) -> str:
    return "".join(map(chr, tokens))


def sides(cached: str, prompt: str, *, hashed: bool = False) -> Sides:
    one, other = (np.array([ord(c) for c in text], np.int64) for text in (cached, prompt))
    at = next(n for n, (a, b) in enumerate(zip(cached, prompt, strict=False)) if a != b)
    return sides_of(other, one, at, letters, hashed=hashed)


class TestSides:
    def test_both_begin_before_the_difference(self) -> None:
        both = sides("the quick brown fox jumps", "the quick green fox jumps")
        assert both.at == 10
        assert both.cached[0].position == both.prompt[0].position == 0
        assert "".join(t.text for t in both.prompt) == "the quick green fox jumps"

    def test_only_what_differs_is_marked(self) -> None:
        both = sides("abc-one-the same again", "abc-two-the same again")
        marked = "".join(t.text for t in both.prompt if t.differs)
        assert marked == "two"[: len(marked)] or set(marked) <= set("two")
        assert not any(t.differs for t in both.prompt if t.position < both.at)
        assert not any(t.differs for t in both.prompt[-10:])

    def test_it_says_where_the_text_is_the_same_again(self) -> None:
        rest = "rest of it, which is one long text that never comes to the same place twice"
        both = sides("abc 1 " + rest, "abc 22 " + rest)
        assert (both.cached_to, both.prompt_to) == (5, 6)
        assert both.same_after == len(rest) + 1

    def test_another_text_is_not_the_same_again(self) -> None:
        both = sides("abc " + "x" * 50, "abc " + "y" * 50)
        assert (both.cached_to, both.prompt_to, both.same_after) == (None, None, 0)
        assert all(t.differs for t in both.prompt if t.position >= both.at)

    def test_hashes_have_positions_and_no_text(self) -> None:
        both = sides("abc-one", "abc-two", hashed=True)
        assert not both.known
        assert all(t.text == "" for t in (*both.cached, *both.prompt))
        assert both.prompt[-1].position == 6


class TestTimes:
    @pytest.mark.parametrize(
        ("cached", "prompt", "times"),
        [
            ("It is 2026-11-21.", "It is 2026-11-22.", ("2026-11-21", "2026-11-22")),
            ("Now 09:15, so", "Now 09:47, so", ("09:15", "09:47")),
            ("on 3 Nov 2026 we", "on 4 Nov 2026 we", ("3 Nov 2026", "4 Nov 2026")),
            ("on Nov 3, 2026 we", "on Dec 3, 2026 we", ("Nov 3, 2026", "Dec 3, 2026")),
            ("a Monday it was", "a Sunday it was", ("Monday", "Sunday")),
        ],
    )
    def test_a_date_that_changed(self, cached: str, prompt: str, times: tuple[str, str]) -> None:
        assert times_of(sides(cached, prompt)) == times

    @pytest.mark.parametrize(
        ("cached", "prompt"),
        [
            ("My name is Ada", "My name is Eve"),
            ("I have 3 cats", "I have 4 cats"),
            ("on 2026-11-21 Ada", "on 2026-11-21 Eve"),
            ("It is 2026-11-21 here", "It is nowhere near"),
        ],
    )
    def test_anything_else_is_none(self, cached: str, prompt: str) -> None:
        assert times_of(sides(cached, prompt)) is None

    def test_hashes_have_no_dates(self) -> None:
        assert times_of(sides("Now 09:15", "Now 09:47", hashed=True)) is None
