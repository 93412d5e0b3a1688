"""A sentence is its English text, and keeps what it is made of."""

from __future__ import annotations

import json
import pickle

import pytest

from engine.errors import CacheError, PromptTooLong
from engine.sentence import Sentence, as_data, from_data, in_turn, say


def test_it_is_its_text() -> None:
    said = say("Ran {count:,} tokens.", count=1204)
    assert said == "Ran 1,204 tokens."
    assert json.dumps([said]) == '["Ran 1,204 tokens."]'


def test_it_keeps_its_template_and_its_fields() -> None:
    said = say("Ran {what}, {count:,}.", what=say("a prompt"), count=1204)
    assert said.template == "Ran {what}, {count:,}."
    assert said.fields == {"what": "a prompt", "count": 1204}
    assert isinstance(said.fields["what"], Sentence)


def test_what_is_neither_a_text_nor_a_number_is_kept_as_a_text() -> None:
    assert say("{error} {shape}", error=ValueError("no"), shape=[2, 3]).fields == {
        "error": "no",
        "shape": "[2, 3]",
    }


def test_an_error_says_its_sentence() -> None:
    said = str(CacheError("{budget} is too little.", budget=say("no room")))
    assert isinstance(said, Sentence)
    assert said == "no room is too little."
    assert isinstance(str(PromptTooLong(12, 8)), Sentence)


def test_a_text_without_fields_is_no_template() -> None:
    assert str(CacheError("A brace {stays}.")) == "A brace {stays}."


def test_another_process_gets_it_whole() -> None:
    said = say("Ran {count:,} tokens.", count=1204)
    again = pickle.loads(pickle.dumps(said))
    assert (again, again.template, again.fields) == (said, said.template, said.fields)


def test_other_fields_are_told_however_deep_they_are() -> None:
    inner = say("the cache has {cached}", cached=say('"{text}"', text="a secret"))
    said = in_turn(say("{inner}.", inner=inner), "It differs.")
    assert isinstance(said, Sentence)
    assert said.retold(cached=say("another text")) == "the cache has another text. It differs."


def test_of_two_sentences_one_may_be_empty() -> None:
    assert in_turn("One.", "Two.") == "One. Two."
    assert in_turn("One.", "") == "One."
    assert in_turn("", "Two.") == "Two."


def test_json_holds_it_whole() -> None:
    said = in_turn(say("Ran {count:,} tokens.", count=1204), "It differs.")
    again = from_data(json.loads(json.dumps(as_data(said))))
    assert isinstance(again, Sentence)
    assert (again, as_data(again)) == (said, as_data(said))
    assert from_data(as_data("A text.")) == "A text."


DEEP: dict[str, object] = {"text": "", "template": "", "fields": {}}
for _ in range(9):
    DEEP = {"text": "", "template": "", "fields": {"deeper": DEEP}}


@pytest.mark.parametrize("data", [None, 5, [], {"text": "a"}, DEEP], ids=str)
def test_what_is_no_sentence_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="no sentence"):
        from_data(data)
