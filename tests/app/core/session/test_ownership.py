"""Whose a cached prefix is: from a position in a prompt to the message there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.session.ownership import Beginning, claim, kin, message_at, owned_message, prompts
from app.core.session.records import Conversation, MessageTree, Turn
from engine.events import NodeOwner
from tests.app.samples import plan, report

ASKED, SAID, AGAIN, LATER = 1, 2, 3, 4


def answered(number: int, parent: int, prompt: int, generated: int, thinking: int = 0) -> Turn:
    """An answer whose prompt had that many tokens."""
    made = replace(report(plan(0, 0, prompt)), generated=generated)
    return Turn(
        number,
        "assistant",
        f"Answer {number}",
        request=number + 100,
        tokens=generated,
        thinking_tokens=thinking,
        report=made,
        parent=parent,
    )


def branch() -> list[Turn]:
    """A prompt of 40, an answer of 100 of which 80 are thinking; then 75 and 10."""
    return [
        Turn(ASKED, "user", "One"),
        answered(SAID, ASKED, 40, 100, thinking=80),
        Turn(AGAIN, "user", "Two", parent=SAID),
        answered(LATER, AGAIN, 75, 10),
    ]


class TestMessageAt:
    @pytest.mark.parametrize(
        ("tokens", "message"),
        [(1, ASKED), (40, ASKED), (41, SAID), (60, SAID), (61, AGAIN), (75, AGAIN), (76, LATER)],
    )
    def test_an_earlier_answer_stands_in_the_prompt_without_its_thinking(
        self, tokens: int, message: int
    ) -> None:
        assert message_at(branch(), tokens) == message

    def test_the_last_answer_has_its_thinking(self) -> None:
        assert [message_at(branch()[:2], at) for at in (40, 41, 140)] == [ASKED, SAID, SAID]

    def test_beyond_all_it_is_the_last(self) -> None:
        assert message_at(branch(), 9999) == LATER

    def test_without_reports_it_is_the_last(self) -> None:
        turns = [replace(turn, report=None) for turn in branch()]
        assert message_at(turns, 5) == LATER
        assert message_at([], 5) is None

    def test_a_continued_answer_begins_where_it_began_first(self) -> None:
        """Its second request had the first 30 tokens of it in its prompt."""
        turns = branch()[:2]
        made = replace(report(plan(0, 0, 70)), generated=20)
        turns[1] = replace(turns[1], tokens=50, carried=30, report=made, thinking_tokens=0)
        assert [message_at(turns, at) for at in (40, 41, 70, 90)] == [ASKED, SAID, SAID, SAID]


class TestOwnedMessage:
    def test_the_branch_is_that_of_the_request(self) -> None:
        other = answered(6, ASKED, 40, 30)
        tree = MessageTree.of([*branch(), other])
        at = 60
        assert owned_message(tree, LATER, NodeOwner(1, at, SAID + 100)) == SAID
        assert owned_message(tree, LATER, NodeOwner(1, at, 106)) == 6
        assert owned_message(tree, LATER, NodeOwner(1, 62, LATER + 100)) == AGAIN

    def test_a_claimed_sequence_names_its_message(self) -> None:
        tree = MessageTree.of(branch())
        assert owned_message(tree, LATER, NodeOwner(1, 120, SAID)) == SAID
        assert owned_message(tree, LATER, NodeOwner(1, 62, LATER)) == AGAIN

    def test_of_an_unknown_one_it_is_the_branch_on_screen(self) -> None:
        tree = MessageTree.of(branch())
        assert owned_message(tree, SAID, NodeOwner(1, 120, 0)) == SAID


class TestKin:
    MINE = Beginning(1, "Be kind. Be brief.", ("How are you?",))

    def test_the_same_system_text_comes_before_a_similar_one(self) -> None:
        others = [
            Beginning(2, "Be rude.", ("How are you?",)),
            Beginning(3, "Be kind. Be brief.", ("Where is it?",)),
            Beginning(4, "Be kind. Be loud.", ("How are you?",)),
            Beginning(5, "Be kind. Be brief.", ("Nothing", "How are they?")),
        ]
        assert kin(self.MINE, others) == [5, 3, 4, 2]

    def test_no_more_than_asked_for(self) -> None:
        others = [Beginning(n, "", ("Hello",)) for n in range(2, 50)]
        assert kin(self.MINE, others, 3) == [2, 3, 4]
        assert kin(Beginning(1, "", ("Hello",)), others, 2) == [2, 3]


class TestPrompts:
    def test_each_end_of_the_tree_is_one(self) -> None:
        one = Conversation(9, system="Be kind.")
        tree = MessageTree.of([*branch(), answered(6, ASKED, 40, 30)])
        texts = [[m.content for m in prompt] for prompt in prompts(one, tree, "")]
        assert texts == [
            ["Be kind.", "One", "Answer 6"],
            ["Be kind.", "One", "Answer 2", "Two", "Answer 4"],
        ]

    def test_a_claim_marks_each_message(self) -> None:
        one = Conversation(9, system="Be kind.", thinking=True)
        tree = MessageTree.of(branch())
        made = claim(one, tree, LATER, "")
        assert made is not None
        assert (made.owner, made.marks) == (9, (0, ASKED, SAID, AGAIN, LATER))
        assert made.options.thinking
        assert len(made.prompt) == len(made.marks)
        assert claim(one, tree, ASKED, "") is None
