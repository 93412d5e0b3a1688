"""What is typed finds what is meant."""

from __future__ import annotations

import pytest

from app.ui.palette.entries import match


def score(query: str, text: str, also: str = "") -> float:
    found = match(query, text, also)
    return -1.0 if found is None else found.score


class TestMatch:
    @pytest.mark.parametrize(
        ("query", "text"),
        [
            ("new", "New conversation"),
            ("conv new", "New conversation"),
            ("nc", "New conversation"),
            ("regen", "Regenerate"),
            ("CAFÉ", "The cafe"),
            ("cafe", "Un Café"),
            ("对话", "新建对话"),
            ("", "anything"),
        ],
    )
    def test_what_is_found(self, query: str, text: str) -> None:
        assert match(query, text) is not None

    @pytest.mark.parametrize(
        ("query", "text"), [("xyz", "New conversation"), ("new zebra", "New conversation")]
    )
    def test_what_is_not(self, query: str, text: str) -> None:
        assert match(query, text) is None

    def test_other_words_find_it_but_mark_nothing(self) -> None:
        found = match("dark", "Night theme", "dark appearance")
        assert found is not None
        assert found.spans == ()

    def test_the_marks_are_the_letters_that_match(self) -> None:
        found = match("con new", "New conversation")
        assert found is not None
        assert found.spans == ((0, 3), (4, 7))

    def test_better_matches_score_higher(self) -> None:
        order = [
            score("cache", "Cache"),
            score("cache", "Cache and more"),
            score("cache", "Clear cache"),
            score("cache", "Autocached"),
            score("ch", "Clear history"),
            score("cache", "Planes", "cache"),
        ]
        assert order == sorted(order, reverse=True)
        assert len(set(order)) == len(order)
