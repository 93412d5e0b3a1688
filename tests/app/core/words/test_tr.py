"""Texts in the language that is set."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.core.words.tr import english, set_texts, tr


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    yield
    set_texts({})


def test_a_text_with_a_translation_is_translated() -> None:
    set_texts({"New conversation": "新对话"})

    assert tr("New conversation") == "新对话"


def test_a_text_without_one_stays_as_it_is() -> None:
    set_texts({"New conversation": "新对话"})

    assert tr("Quit") == "Quit"


def test_another_language_leaves_nothing_of_the_first() -> None:
    set_texts({"Quit": "退出"})
    set_texts({"New conversation": "新对话"})

    assert tr("Quit") == "Quit"


def test_the_english_of_what_was_said_is_known_and_of_nothing_else() -> None:
    set_texts({"Quit": "退出", "Copy\x04a column": "副本"})

    assert (english("退出"), english("副本"), english("Greta")) == ("Quit", "Copy", "")
    set_texts({})
    assert english("退出") == ""
