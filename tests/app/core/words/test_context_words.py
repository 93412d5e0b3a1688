"""What is said of the context, and of its end."""

from __future__ import annotations

import pytest

from app.core.words.context_words import context_detail, context_warning


class TestDetail:
    def test_every_figure_is_there(self) -> None:
        assert context_detail(4_873, 4_790, 32_768, 1_024).splitlines() == [
            "4,873 of 32,768 tokens of context used",
            "4,790 warm: the next prompt reuses them",
            "83 cold: the next prompt has to run them",
            "27,895 left; an answer takes at most 1,024",
        ]

    def test_what_is_not_known_is_not_said(self) -> None:
        assert "warm" not in context_detail(100, None, 1000, 50)
        assert "cold" not in context_detail(100, 100, 1000, 50)

    def test_near_the_end_an_answer_has_what_is_left(self) -> None:
        assert context_detail(980, 0, 1000, 50).endswith("20 left; an answer takes at most 20")


class TestWarning:
    def test_it_says_how_much_is_left_and_what_happens_then(self) -> None:
        said = context_warning(30_012, 32_768)
        assert said.startswith("About 2,750 of 32,768 tokens of context are left.")
        assert "An answer stops where they end" in said
        assert "nothing said before is ever left out" in said

    def test_it_stands_still_while_an_answer_streams(self) -> None:
        assert len({context_warning(used, 32_768) for used in range(30_000, 30_100)}) <= 3

    def test_the_last_ones_are_counted(self) -> None:
        assert context_warning(960, 1000).startswith("Only 40 of 1,000 tokens of context are left.")

    @pytest.mark.parametrize("used", [990, 1000, 1200])
    def test_the_end(self, used: int) -> None:
        assert context_warning(used, 1000).startswith("The context is full. Nothing said so far")
