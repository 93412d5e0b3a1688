"""Tokens as text: lines, words, and finding one."""

from __future__ import annotations

import pytest

from app.lab.token_field import MOST_TOKENS, Span, find, flow, likely_needle, word_at

TEXTS = ("<|im_start|>", "user", "\n", "My", " name", " is", " Ad", "a", ".", " Ad", "a", "!")


class TestFlow:
    def test_lines_break_where_the_room_ends_and_where_the_text_does(self) -> None:
        places = flow(("aa", " bb", "\n", "c", " dd"), (20, 30, 8, 10, 30), 55)
        assert [(p.line, p.left) for p in places] == [(0, 0), (0, 20), (1, 0), (2, 0), (2, 10)]

    def test_what_is_wider_than_the_room_has_a_line_of_its_own(self) -> None:
        places = flow(("a", "long", "b"), (10, 500, 10), 100)
        assert [(p.line, p.width) for p in places] == [(0, 10), (1, 100), (2, 10)]

    def test_no_tokens(self) -> None:
        assert flow((), (), 100) == ()


class TestWords:
    @pytest.mark.parametrize(
        ("index", "span"),
        [(6, (6, 8)), (7, (6, 8)), (4, (4, 5)), (8, (8, 9)), (0, (0, 1)), (1, (1, 2)), (3, (3, 4))],
    )
    def test_the_word_of_a_token(self, index: int, span: Span) -> None:
        assert word_at(TEXTS, index) == span

    @pytest.mark.parametrize("index", [0, 20, 39])
    def test_an_endless_word_is_cut(self, index: int) -> None:
        first, end = word_at(("ab",) * 40, index)
        assert first <= index < end
        assert end - first <= MOST_TOKENS


class TestLikelyNeedle:
    def test_a_name_that_returns_is_its_first_mention(self) -> None:
        assert likely_needle(TEXTS) == (6, 8)

    @pytest.mark.parametrize(
        ("texts", "span"),
        [
            # Of words that return, a number or a name goes before a longer one.
            (("the", " garden", " 4711", " and", " garden", " 4711"), (2, 3)),
            # Nothing returns: a name within a sentence.
            (("Whatever", " is", " Bob", " called", "?"), (2, 3)),
            # No name, either: the longest word.
            (("It", " was", " raining", "."), (2, 3)),
            # The role after a mark of the template is no word of the text.
            (("<|im_start|>", "assistant", "\n", "One", ".", "<|im_start|>", "assistant"), (3, 4)),
            (("a", " b", "!"), None),
            ((), None),
        ],
    )
    def test_what_is_worth_asking_for(self, texts: tuple[str, ...], span: Span | None) -> None:
        assert likely_needle(texts) == span


class TestFinding:
    def test_the_next_one_and_around(self) -> None:
        assert find(TEXTS, "Ada", 0) == (6, 8)
        assert find(TEXTS, " ADA ", 6) == (9, 11)
        assert find(TEXTS, "ada", 11) == (6, 8)

    def test_across_tokens(self) -> None:
        assert find(TEXTS, "name is", 0) == (4, 6)

    def test_what_is_not_there(self) -> None:
        assert find(TEXTS, "Bob", 0) is None
        assert find(TEXTS, "  ", 0) is None
        assert find((), "x", 0) is None
        assert find(("a",) * 40, "a" * 30, 0) is None
