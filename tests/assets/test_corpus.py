"""The corpus is deterministic and keeps its evaluation set to itself."""

from __future__ import annotations

import re
from random import Random

from assets.demo import words
from assets.demo.corpus import sample, write_dialogue
from assets.demo.knowledge import TOPICS
from assets.demo.recall import recall_conversations


def test_equal_seeds_give_equal_text() -> None:
    assert [sample(3, i) for i in range(50)] == [sample(3, i) for i in range(50)]


def test_seeds_and_indices_differ() -> None:
    texts = {sample(seed, i, (3, 6)).text for seed in (1, 2) for i in range(50)}
    assert len(texts) == 100


def test_only_the_last_answer_has_a_think_block() -> None:
    for index in range(200):
        text = sample(1, index).text
        assert text.count("<think>") == 1
        assert text.rindex("<|im_start|>assistant\n<think>\n") == text.rindex("<|im_start|>")


def test_weights_cover_answers_only() -> None:
    for index in range(100):
        item = sample(1, index)
        learned = "".join(
            item.text[start:end] for start, end, weight in item.weighted if weight == 1
        )
        assert "<|im_start|>" not in learned
        assert learned.count("<|im_end|>") == item.text.count("<|im_start|>assistant")
        assert "\n\n</think>" not in learned


def test_questions_are_answered_with_what_was_told() -> None:
    asked = 0
    for index in range(300):
        dialogue, _ = write_dialogue(5, index, (4, 12))
        heard = ""
        for message in dialogue.messages:
            if message["role"] == "user":
                heard += message["content"] + "\n"
            elif found := re.match(r"Your name is (\w+)", message["content"]):
                asked += 1
                assert re.search(rf"\b{found[1]}\b", heard, re.IGNORECASE)
    assert asked > 50


class TestEvaluationSet:
    def test_training_never_names_it(self) -> None:
        random = Random(0)
        assert not any(words.held_out(words.person_name(random)) for _ in range(500))
        assert not any(words.held_out(words.number(random)) for _ in range(500))

    def test_conversations_use_it_alone(self) -> None:
        for talk in recall_conversations(7, 50):
            assert all(words.held_out(value) for value in talk.expected)
            assert all(value in talk.user_turns[talk.fact_turn] for value in talk.expected)
            assert len(talk.user_turns) - 1 - talk.fact_turn == 6

    def test_they_are_deterministic(self) -> None:
        assert list(recall_conversations(7, 20)) == list(recall_conversations(7, 20))


def test_every_topic_can_be_asked_for() -> None:
    assert all((topic.term or topic.asked) and topic.answers for topic in TOPICS)
