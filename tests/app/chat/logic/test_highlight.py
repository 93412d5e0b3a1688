"""Colours of code."""

from __future__ import annotations

from app.chat.logic import highlight


class TestSpans:
    def test_roles_lie_where_the_words_are(self) -> None:
        code = 'def f():\n    return "x"  # why'
        found = {
            code[s.start : s.start + s.length]: s.role for s in highlight.spans(code, "python")
        }
        assert found["def"] == "keyword"
        assert found["f"] == "function"
        assert found["# why"] == "comment"

    def test_an_unknown_language_stays_plain(self) -> None:
        assert highlight.spans("x", "no-such-language") == []
        assert highlight.spans("x", "") == []

    def test_a_huge_block_stays_plain(self) -> None:
        assert highlight.spans("x = 1\n" * 20_000, "python") == []
