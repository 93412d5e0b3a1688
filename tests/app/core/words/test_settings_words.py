"""Settings in words: numbers that fields show and read, stop strings, marks and costs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.session.settings import NAMES
from app.core.words import language
from app.core.words import settings_words as words
from tests.app.samples import plan


class TestNumbers:
    @pytest.mark.parametrize(
        ("text", "whole", "value"),
        [
            ("0.7", False, 0.7),
            ("0,7", False, 0.7),
            (" .5 ", False, 0.5),
            ("1", False, 1.0),
            ("1,024", True, 1024),
            ("-3", True, -3),
            ("1.5", True, "1.5"),
            ("warm", False, "warm"),
            ("9" * 5_000, True, "9" * 5_000),
        ],
    )
    def test_what_a_text_means(self, text: str, whole: bool, value: object) -> None:
        assert words.number_of(text, whole=whole) == value

    @pytest.mark.parametrize("value", [0.0, 0.7, 1e-7, 0.1 + 0.2, 123456.789, 100.0])
    def test_a_number_is_read_back_as_it_was(self, value: float) -> None:
        assert words.number_of(words.number_text(value), whole=False) == value

    def test_no_more_digits_than_needed(self) -> None:
        assert [words.number_text(v) for v in (0.7, 1.0, 20)] == ["0.7", "1", "20"]


class TestStopStrings:
    @pytest.mark.parametrize(
        "stop",
        [(), ("END",), ("\n\n", " a "), ("\\n", "\\"), ("\t", "a\\\nb"), ("\\t\\",)],
        ids=repr,
    )
    def test_they_are_read_back_as_they_were(self, stop: tuple[str, ...]) -> None:
        assert words.stop_strings(words.stop_lines(stop)) == stop

    def test_empty_lines_are_none_and_other_backslashes_stay(self) -> None:
        assert words.stop_strings("\n\nA\n\\d\n") == ("A", "\\d")


class TestMarks:
    def test_which_settings_differ(self) -> None:
        assert words.mark_text((), system=False, draft=False) == "Settings"
        assert (
            words.mark_text(("top_k", "seed"), system=True, draft=True)
            == "Settings: Top-k, Seed, System text changed; a system text is not applied yet"
        )

    def test_a_default_and_its_source(self) -> None:
        assert words.default_tip(None, "start option") == "Reset to random (start option)"
        assert words.default_tip(("\n", "A"), "x") == 'Reset to "\\n", "A" (x)'
        assert words.default_tip((), "x") == "Reset to none (x)"

    def test_every_setting_has_a_label_and_an_explanation(self) -> None:
        assert set(words.WORDS) == set(NAMES)
        for name in NAMES:
            assert words.field_tip(name, 1, "x").endswith("\nDefault: 1 (x).")


class TestCost:
    now = replace(plan(4_088, 0, 12), predicted_seconds=0.1)
    then = replace(plan(3, 20, 4_100), predicted_seconds=1.2)

    def test_it_is_compared_with_the_text_as_it_is(self) -> None:
        assert words.cost_text(123, self.now, self.then) == (
            "123 tokens. Applying it re-reads 4,120 tokens instead of 12, about 1.20 s."
        )

    def test_as_much_as_is_known(self) -> None:
        assert words.cost_text(None, None, None) == ""
        assert words.cost_text(1, self.now, None) == "1 token."
        unmeasured = replace(self.then, predicted_seconds=None)
        assert words.cost_text(None, self.now, unmeasured) == (
            "Applying it re-reads 4,120 tokens instead of 12."
        )


def test_in_chinese_a_cost_ends_as_chinese_sentences_do() -> None:
    language.speak("zh_CN")
    try:
        assert words.cost_text(5, None, None) == "5 个 token。"
    finally:
        language.speak(language.ENGLISH)
