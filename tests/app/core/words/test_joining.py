"""What is put together of several texts, in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.core.words import joining, language


@pytest.fixture(params=["en", "zh_CN"])
def chinese(request: pytest.FixtureRequest) -> Iterator[bool]:
    language.speak(request.param)
    yield request.param == "zh_CN"
    language.speak(language.ENGLISH)


def test_a_list_leaves_out_what_is_empty(chinese: bool) -> None:
    assert joining.listed(("A", "", "B")) == ("A，B" if chinese else "A, B")
    assert not joining.listed(())


def test_more_of_nothing_is_nothing(chinese: bool) -> None:
    assert joining.more("3") == ("，3" if chinese else ", 3")
    assert not joining.more("")


def test_a_name_and_what_is_told_of_it(chinese: bool) -> None:
    assert joining.titled("A", "3") == ("A：3" if chinese else "A: 3")


def test_a_sentence_ends(chinese: bool) -> None:
    assert joining.sentence("A") == ("A。" if chinese else "A.")


def test_chinese_sentences_have_no_space_between_them(chinese: bool) -> None:
    first, second = joining.sentence("A"), joining.sentence("B")
    assert joining.in_turn(first, "", second) == ("A。B。" if chinese else "A. B.")
