"""Where a text occurs in a conversation, and on which hit one stands."""

from __future__ import annotations

from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from app.chat.hits import count_text, find_hits, occurrences
from app.chat.rendered import rendered
from app.session.records import Turn


def turns(*texts: str) -> list[Turn]:
    return [Turn(10 + i, "assistant" if i % 2 else "user", text) for i, text in enumerate(texts)]


def places(wanted: str, *texts: str) -> list[tuple[int, int, int]]:
    return [
        (h.turn, h.part, h.number)
        for found in find_hits(turns(*texts), wanted, rendered)
        for h in found
    ]


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
        assert occurrences(QTextDocument("text"), "") == []

    def test_hits_do_not_overlap(self, qtbot: QtBot) -> None:
        document = QTextDocument("aaaaa")
        found = occurrences(document, "aa")
        assert [c.selectionStart() for c in found] == [0, 2]

    def test_errors_are_not_part_of_the_conversation(self, qtbot: QtBot) -> None:
        assert rendered(Turn(1, "error", "The river is too long.")) == []

    def test_turns_without_the_words_are_not_rendered(self, qtbot: QtBot) -> None:
        asked: list[int] = []

        def documents(turn: Turn) -> list[QTextDocument]:
            asked.append(turn.id)
            return rendered(turn)

        found = list(find_hits(turns("a river", "a lake", "big River"), "river", documents))
        assert [len(hits) for hits in found] == [1, 0, 1]
        assert asked == [10, 12]


class TestCount:
    def test_the_words(self) -> None:
        assert count_text(2, 12, "x") == "3 of 12"
        assert count_text(1233, 5000, "x") == "1,234 of 5,000"
        assert count_text(-1, 0, "x") == "No matches"
        assert count_text(-1, 0, "") == ""
