"""Where a text occurs in a conversation, and on which hit one stands."""

from __future__ import annotations

from bisect import bisect_left

import pytest
from PySide6.QtGui import QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from app.chat.find_bar import Hit, Hits, Likely, count_text, find_hits, occurrences
from app.chat.rendered import block_text, turn_blocks
from app.core.session.records import Turn


def turns(*texts: str) -> list[Turn]:
    return [Turn(10 + i, "assistant" if i % 2 else "user", text) for i, text in enumerate(texts)]


def places(wanted: str, *texts: str) -> list[tuple[int, int, int]]:
    return [(h.turn, h.part, h.number) for h in hits(wanted, *texts)]


def hits(wanted: str, *texts: str) -> Hits:
    made = Hits()
    for found in find_hits(turns(*texts), wanted, lambda turn, _likely: rendered(turn)):
        if found is not None:
            made.add(found)
    return made


def rendered(turn: Turn) -> list[str]:
    return [block_text(block, markdown=turn.is_answer) for block in turn_blocks(turn)]


def cut(text: str, wanted: str) -> list[str]:
    """What a document of that text has selected at the hits."""
    document, made = QTextDocument(text), []
    for start, end in occurrences(document.toPlainText(), wanted):
        cursor = QTextCursor(document)
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        made.append(cursor.selectedText())
    return made


class TestFinding:
    def test_in_reading_order_whatever_the_case(self, qtbot: QtBot) -> None:
        found = places("river", "River by river", "The RIVER.", "none")
        assert found == [(10, 0, 0), (10, 0, 1), (11, 0, 0)]

    def test_an_answer_is_searched_as_it_is_read(self, qtbot: QtBot) -> None:
        answer = "A **bold** word.\n\n```py\nbold = 1\n```\n\nAfter [bold](http://x)."
        assert places("a bold word", "q", answer) == [(11, 0, 0)]
        assert places("bold", "q", answer) == [(11, 0, 0), (11, 1, 0), (11, 2, 0)]
        assert places("**", "q", answer) == []
        assert places("http", "q", answer) == []

    def test_what_the_user_wrote_is_taken_as_it_is(self, qtbot: QtBot) -> None:
        assert places("**bold**", "A **bold** word", "Yes") == [(10, 0, 0)]

    def test_signs_and_letters_beyond_the_first_plane(self, qtbot: QtBot) -> None:
        assert places("x == 1", "if x == 1:", "") == [(10, 0, 0)]
        assert places("naïve", "NAÏVE 🙂 naïve", "") == [(10, 0, 0), (10, 0, 1)]

    def test_nothing_is_found_of_nothing(self, qtbot: QtBot) -> None:
        assert places("", "text") == []
        assert list(occurrences("text", "")) == []

    def test_hits_do_not_overlap(self) -> None:
        assert list(occurrences("aaaaa", "aa")) == [(0, 2), (2, 4)]

    def test_of_several_texts_each_counts_and_the_longer_first(self) -> None:
        text = "a riverbank, a River and a bank"
        found = [text[start:end] for start, end in occurrences(text, ("river", "riverbank", ""))]
        assert found == ["riverbank", "River"]
        assert list(occurrences(text, ())) == list(occurrences(text, ("", ""))) == []

    def test_places_are_those_of_a_document(self, qtbot: QtBot) -> None:
        text = "🙂 one\u00a0two\nOne 🙂🙂 ONE (one)"
        assert cut(text, "one") == ["one", "One", "ONE", "one"]
        assert cut(text, "one two") == ["one\u00a0two"]
        assert cut(text, "(one)") == ["(one)"]
        assert cut(text, "🙂 o") == ["🙂 o", "🙂 O"]

    def test_errors_are_not_part_of_the_conversation(self, qtbot: QtBot) -> None:
        assert rendered(Turn(1, "error", "The river is too long.")) == []

    def test_turns_without_the_words_are_not_rendered(self, qtbot: QtBot) -> None:
        asked: list[int] = []

        def texts(turn: Turn, likely: Likely) -> list[str]:
            assert likely("The Rivers")
            assert not likely("A lake")
            asked.append(turn.id)
            return rendered(turn)

        found = list(find_hits(turns("a river", "a lake", "big River"), "river", texts))
        assert [one.count if one is not None else 0 for one in found] == [1, 0, 1]
        assert asked == [10, 12]

    def test_all_of_them_are_there_by_number(self) -> None:
        made = hits("a", "a b a", "b", "aaa", "b")
        assert len(made) == 5
        assert [made[at] for at in range(5)] == sorted(made)
        assert [(h.turn, h.number) for h in made] == [(10, 0), (10, 1), (12, 0), (12, 1), (12, 2)]
        for goal in (Hit(0, -1, 0, 0), Hit(0, 10, 0, 1), Hit(1, 11, 0, 0), Hit(2, 12, 0, 2)):
            assert made.first_from(goal) == bisect_left(list(made), goal)
        assert made.first_from(Hit(9, 0, 0, 0)) == 5
        with pytest.raises(IndexError):
            made[5]


class TestCount:
    def test_the_words(self) -> None:
        assert count_text(2, 12, "x") == "3 of 12"
        assert count_text(1233, 5000, "x") == "1,234 of 5,000"
        assert count_text(-1, 0, "x") == "No matches"
        assert count_text(-1, 0, "") == ""
