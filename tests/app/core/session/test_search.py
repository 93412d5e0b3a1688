"""What a search found, by conversation, and the words that are emphasised."""

from __future__ import annotations

import pytest

from app.core.session.records import Conversation
from app.core.session.search import Marked, emphasised, grouped, marked, summary
from app.core.store.search import CLOSE, GAP, MOST_HITS, OPEN, Hit
from app.core.store.searcher import Answer


def snippet(text: str) -> str:
    return text.replace("<", OPEN).replace(">", CLOSE)


class TestMarked:
    @pytest.mark.parametrize(
        ("given", "text", "words"),
        [
            ("a <wing> here", "a wing here", ("wing",)),
            ("<Wings> and\n\n  <lift>.", "Wings and lift.", ("Wings", "lift")),
            ("<wing> <wing>", "wing wing", ("wing",)),
            ("no mark", "no mark", ()),
            ("open <wing", "open wing", ()),
            ("close> only", "close only", ()),
            ("<>", "", ()),
        ],
        ids=repr,
    )
    def test_marks_become_stretches(self, given: str, text: str, words: tuple[str, ...]) -> None:
        found = marked(snippet(given))
        assert found.text == text
        assert found.words == words

    def test_the_match_is_near_the_beginning(self) -> None:
        found = marked(snippet("word " * 20 + "<wing> after"))
        assert found.text == GAP + "word word word word wing after"
        assert found.words == ("wing",)
        unspaced = marked(snippet("翼" * 60 + "<空気>"))
        assert len(unspaced.text) == 1 + 24 + 2


class TestEmphasised:
    @pytest.mark.parametrize(
        ("title", "query", "words"),
        [
            ("Wings and Lift", "wing LIFT", ("Wings", "Lift")),
            ("Über Flügel", "uber flug", ("Über", "Flügel")),
            ("unwinged", "wing", ()),
            ("Lift, drag", "lift-drag", ("Lift", "drag")),
            ("anything", "-- *", ()),
            ("anything", "", ()),
        ],
    )
    def test_words_that_begin_so(self, title: str, query: str, words: tuple[str, ...]) -> None:
        assert emphasised(title, query.split()).words == words


def hit(conversation: int, message: int | None, created: float) -> Hit:
    return Hit(conversation, message, snippet("a <wing>"), created)


class TestGrouped:
    def test_titles_first_then_the_newest_message_without_what_is_gone(self) -> None:
        there = [Conversation(id, f"c{id} wing", updated=1.0) for id in (1, 2, 3)]
        hits = (hit(3, None, 5), hit(9, None, 9), hit(1, 11, 1), hit(2, 22, 2), hit(1, 13, 3))
        found = grouped(Answer("wing", hits), there)
        assert [(one.id, one.titled, [m.id for m in one.messages]) for one in found] == [
            (3, True, []),
            (1, False, [13, 11]),
            (2, False, [22]),
        ]
        assert found[0].title == Marked("c3 wing", ((3, 7),))
        assert summary(Answer("wing", hits), found) == "4 matches in 3 conversations"

    def test_the_line_below(self) -> None:
        one = Conversation(1, "x", updated=1.0)
        assert summary(Answer("w"), []) == "No conversation has this word."
        assert summary(Answer("w x"), []) == "No conversation has all these words."
        assert summary(Answer("w", sentence="It failed."), []) == "It failed."
        single = Answer("w", (hit(1, 5, 1),))
        assert summary(single, grouped(single, [one])) == "1 match in 1 conversation"
        many = Answer("w", tuple(hit(1, id, 1) for id in range(MOST_HITS)))
        wanted = "The newest 100 matches. Another word finds fewer."
        assert summary(many, grouped(many, [one])) == wanted
