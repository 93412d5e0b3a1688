"""The settings in words, and what the intervals cost."""

from __future__ import annotations

import pytest

from app.core.preferences.table import SPECS
from app.core.preferences.words import EFFECTS, WORDS, decode_cost, interval_cost, value_words
from app.core.words.kinds import Choice


class TestWords:
    @pytest.mark.parametrize("name", SPECS)
    def test_each_setting_has_them(self, name: str) -> None:
        words, kind = WORDS[name], SPECS[name].kind
        assert words.title
        assert words.hint.endswith(".")
        assert SPECS[name].effect in {"live", *EFFECTS}
        if isinstance(kind, Choice):
            assert words.choices.keys() == set(kind.values)

    def test_no_two_are_called_the_same(self) -> None:
        assert len({words.title for words in WORDS.values()}) == len(WORDS)

    def test_values_are_said_as_they_are_meant(self) -> None:
        assert value_words("threads", 0) == "all cores"
        assert value_words("disk_bytes", 4 << 30).startswith("4")
        assert value_words("state_share", 0.25) == "25%"
        assert value_words("theme", "dark") == "Dark"
        assert value_words("background_audit", False) == "off"


class TestCost:
    def test_of_an_interval(self) -> None:
        text = interval_cost(1024, 1 << 20, 512.0, 8192)
        assert "at most 1,024 tokens, 512 on average, about 1.00 s here" in text
        assert "at most 8 in a full context" in text

    def test_without_a_measured_speed_no_time_is_said(self) -> None:
        assert "here" not in interval_cost(1024, 1 << 20, None, 8192)

    def test_of_none(self) -> None:
        assert "No checkpoints" in interval_cost(0, 1 << 20, None, 8192)
        assert "No checkpoints" in decode_cost(0, 1 << 20)

    def test_of_an_interval_while_writing(self) -> None:
        assert "at most 256 tokens" in decode_cost(256, 1 << 20)
        assert "leaves 3 checkpoints" in decode_cost(256, 1 << 20)
