"""The engine's sentences in another language, looked up by their templates."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.core.words import language
from app.core.words.engine_words import said
from engine.errors import CacheError
from engine.sentence import Sentence, from_data, in_turn, say


@pytest.fixture
def _chinese() -> Iterator[None]:
    language.speak("zh_CN")
    yield
    language.speak(language.ENGLISH)


def test_english_stays_as_it_is() -> None:
    assert said("The engine is closed.") == "The engine is closed."


@pytest.mark.usefixtures("_chinese")
class TestChinese:
    def test_a_sentence_without_fields(self) -> None:
        assert said("The engine is closed.") == "引擎已关闭。"

    def test_a_word(self) -> None:
        assert said("kv pressure") == "KV 空间不足"

    def test_fields_keep_their_values_and_their_formats(self) -> None:
        error = CacheError("There is a state at token {end:,} already.", end=1024)
        assert said(str(error)) == "token 1,024 处已有状态。"

    def test_fields_are_translated_in_turn(self) -> None:
        place = say("At token {token:,}, in message {message}", token=1204, message=3)
        sides = say(
            'the cache continues with {cached}, the prompt with "{prompt}"',
            cached=say('"{text}"', text="a"),
            prompt="b",
        )
        sentence = say(
            "{place}, {what}: {sides}.",
            place=place,
            what=say("an earlier answer changed"),
            sides=sides,
        )
        assert said(sentence) == (
            "在第 3 条消息的 token 1,204 处，之前的回答已改变：缓存接续的是“a”，提示词是“b”。"
        )

    def test_a_count_in_a_sentence(self) -> None:
        new = say("{count:,} tokens", count=1057)
        sentence = say("The prompt extends what was cached by {new}.", new=new)
        assert said(sentence) == "提示词在已缓存内容之上增加了 1,057 个 token。"

    def test_sentences_after_one_another(self) -> None:
        sentence = in_turn("The engine is closed.", "It was pinned already.")
        assert said(sentence) == "引擎已关闭。它已经固定。"

    def test_what_is_not_the_engines_stays(self) -> None:
        for text in ("A title of somebody's chat", "", "x" * 5000, "你好"):
            assert said(text) == text

    def test_a_template_without_a_translation_stays(self) -> None:
        assert said(Sentence.of("Nobody says {this}.", {"this": "that"})) == "Nobody says that."

    def test_a_sentence_of_another_version_with_other_fields_stays(self) -> None:
        for fields in ({}, {"end": "many"}):
            data = {
                "text": "There is one already.",
                "template": "There is a state at token {end:,} already.",
                "fields": fields,
            }
            assert said(from_data(data)) == "There is one already."
