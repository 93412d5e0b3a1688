"""The hand-written questions stay out of the corpus, and answers are judged as people would."""

from __future__ import annotations

import re

import pytest

from assets.demo import everyday, requests, smalltalk
from assets.demo.corpus import write_dialogue
from assets.demo.examine import (
    beyond,
    chats,
    contains,
    examine_chats,
    examine_honesty,
    examine_inside,
    inside,
)

HONEST = requests.ANSWERS[0]


def plain(text: str) -> str:
    """`text` in small letters, without marks, its numbers as one sign."""
    return re.sub(r"\W+", " ", re.sub(r"\d+", "0", text.lower())).strip()


def held_sentences() -> set[str]:
    """Every sentence of the hand-written chats, with the names blanked, and every request."""
    found = {plain(text) for text in beyond()}
    for chat in [*chats(), *chats("later")]:
        names = [value for turn in chat for value in turn.expect if not value.isdigit()]
        for turn in chat:
            text = turn.say
            for name in names:
                text = text.replace(name, "0")
            tells = turn.expect or any(name in turn.say for name in names)
            for sentence in re.split(r"(?<=[.!?]) ", text) if tells else ():
                # A few words, as in "And who am I again?", are anybody's.
                if len(sentence.split()) > 5:
                    found.add(plain(sentence))
    return found


class TestHeldOut:
    def test_sizes(self) -> None:
        assert len(beyond()) == len(set(beyond())) == 200
        assert len(chats()) == 40
        assert len(chats("later")) == 20

    def test_each_chat_asks_for_a_name_and_a_number_it_told_once(self) -> None:
        for chat in [*chats(), *chats("later")]:
            said = " ".join(turn.say for turn in chat)
            asked = [value for turn in chat for value in turn.expect]
            assert sorted(value.isdigit() for value in asked) == [False, True]
            assert all(said.count(value) == 1 for value in asked)

    def test_no_table_of_the_corpus_holds_their_sentences(self) -> None:
        held = held_sentences()
        frames = [*requests.QUESTIONS, *everyday.NAME_TOLD, *everyday.NAME_ASKED]
        frames += [text for thing in everyday.THINGS for text in thing["told"] + thing["asked"]]
        frames += [text for exchange in smalltalk.SMALL_TALK for text in exchange.said]
        assert not held & {plain(text.replace("{v}", "0")) for text in frames}

    def test_no_conversation_of_the_corpus_holds_their_sentences(self) -> None:
        held = held_sentences()
        for index in range(3_000):
            dialogue, _ = write_dialogue(2, index, (1, 7))
            for message in dialogue.messages:
                if message["role"] == "user":
                    text = message["content"]
                    for value in dialogue.values:
                        text = text.replace(value, "0")
                    parts = [text, *re.split(r"(?<=[.!?]) ", text)]
                    assert not held & {plain(part) for part in parts}, text


class TestJudgement:
    def test_honest_answers_are_one_sentence_and_known_as_honest(self) -> None:
        for answer in requests.ANSWERS:
            assert requests.is_honest(answer)
            assert re.search(r"[.!?] ", answer) is None

    @pytest.mark.parametrize(
        "answer", ["The number is 42.", "I am a small demo model.", "Open model…", ""]
    )
    def test_other_answers_are_not_honest(self, answer: str) -> None:
        assert not requests.is_honest(answer)

    def test_values_count_as_whole_words(self) -> None:
        assert contains("It is 42.", "42")
        assert contains("you are THEO!", "Theo")
        assert not contains("It is 142.", "42")

    def test_marks_follow_the_answers(self) -> None:
        assert all(mark.right for mark in examine_honesty(lambda lines: HONEST))
        assert not any(mark.right for mark in examine_honesty(lambda lines: "The number is 42."))
        assert not any(mark.right for mark in examine_chats(lambda lines: HONEST))
        answers = dict(inside())
        assert all(mark.right for mark in examine_inside(lambda lines: answers[lines[0]][0]))

    def test_a_chat_is_right_only_with_both_values(self) -> None:
        def parrot(lines: list[str]) -> str:
            return " ".join(lines[::2])

        assert all(mark.right for mark in examine_chats(parrot))
        assert not any(
            mark.right for mark in examine_chats(lambda lines: re.sub(r"\d", "", parrot(lines)))
        )
