"""The tab "Recall": choosing a needle and a query by mouse and keys, and what is painted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.core.session.lab import LabAnswers, RecallQuestion
from app.lab.logic.recall_words import CHOOSE
from app.lab.recall_tab import RecallTab
from app.ui import theme
from tests.app.lab.readings import recall
from tests.app.settle import settle
from tests.app.sight import cut_labels


@pytest.fixture
def tab(mode: theme.Mode, qtbot: QtBot) -> RecallTab:
    made = RecallTab()
    qtbot.addWidget(made)
    made.resize(1060, 1000)
    made.show_answers(LabAnswers(recall=recall()))
    made.show()
    made.activateWindow()
    settle()
    return made


@pytest.fixture
def asked(tab: RecallTab) -> list[RecallQuestion]:
    questions: list[RecallQuestion] = []
    tab.wanted.connect(questions.append)
    return questions


def place(tab: RecallTab, token: int) -> QPoint:
    return tab.tokens.rect_of(token).center().toPoint()


class TestNeedle:
    def test_by_mouse(self, tab: RecallTab, asked: list[RecallQuestion], qtbot: QtBot) -> None:
        left = Qt.MouseButton.LeftButton
        qtbot.mouseClick(tab.tokens, left, pos=place(tab, 3))
        assert asked == [RecallQuestion("", (3, 4), None)]
        assert tab.tokens.needle == (3, 4)
        shift = Qt.KeyboardModifier.ShiftModifier
        qtbot.mouseClick(tab.tokens, left, shift, place(tab, 5))
        assert asked[-1] == RecallQuestion("", (3, 6), None)

    def test_a_query_that_was_chosen_stays_for_another_needle(
        self, tab: RecallTab, asked: list[RecallQuestion], qtbot: QtBot
    ) -> None:
        qtbot.mouseClick(tab.transport.back, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(tab.tokens, Qt.MouseButton.LeftButton, pos=place(tab, 3))
        assert asked == [RecallQuestion("", (3, 4), 8)]

    def test_without_one_it_asks_for_a_likely_one(
        self, tab: RecallTab, asked: list[RecallQuestion]
    ) -> None:
        tab.show_answers(LabAnswers(recall=recall(None)))
        assert asked == [RecallQuestion("", (5, 6), None)]

    def test_by_keys(self, tab: RecallTab, asked: list[RecallQuestion], qtbot: QtBot) -> None:
        tab.tokens.setFocus()
        qtbot.keyClick(tab.tokens, Qt.Key.Key_Home)
        qtbot.keyClick(tab.tokens, Qt.Key.Key_Right)
        qtbot.keyClick(tab.tokens, Qt.Key.Key_Right)
        qtbot.keyClick(tab.tokens, Qt.Key.Key_Return)
        assert asked[-1].needle == (2, 3)
        qtbot.keyClick(tab.tokens, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        assert asked[-1].needle == (2, 4)
        qtbot.keyClick(tab.tokens, Qt.Key.Key_Down)
        assert tab.tokens.caret > 6
        qtbot.keyClick(tab.tokens, Qt.Key.Key_Up)
        assert tab.tokens.caret <= 6

    def test_by_finding_it(self, tab: RecallTab, asked: list[RecallQuestion], qtbot: QtBot) -> None:
        qtbot.keyClicks(tab.finder, "name")
        qtbot.keyClick(tab.finder, Qt.Key.Key_Return)
        assert asked[-1].needle == (3, 4)
        assert tab.tokens.caret == 3
        tab.finder.setText("nowhere")
        qtbot.keyClick(tab.finder, Qt.Key.Key_Return)
        assert tab.summary.text() == '"nowhere" is not among these tokens.'
        assert len(asked) == 1

    def test_it_must_still_be_there(self, tab: RecallTab, qtbot: QtBot) -> None:
        qtbot.mouseClick(tab.tokens, Qt.MouseButton.LeftButton, pos=place(tab, 5))
        texts = ("Hi", ",", " my", " name", " is", " Bob", "\n", " so", "?", " yes")
        tab.show_answers(LabAnswers(recall=replace(recall(), texts=texts)))
        assert tab.summary.text() == CHOOSE
        assert tab.bars.layers == ()


class TestMoments:
    def test_it_opens_where_the_needle_is_read_most_and_steps_to_the_next_best(
        self, tab: RecallTab, asked: list[RecallQuestion], qtbot: QtBot
    ) -> None:
        tab.show_answers(LabAnswers(recall=replace(recall(), moments=(0.1, 0.7, 0.2, 0.4))))
        seen = [tab.tokens.query]
        assert tab.moment.text() == "Moment 1 of 4: 70%"
        assert not tab.earlier.isEnabled()
        while tab.later.isEnabled():
            qtbot.mouseClick(tab.later, Qt.MouseButton.LeftButton)
            seen.append(tab.tokens.query)
        assert seen == [7, 9, 8, 6]
        assert tab.moment.text() == "Moment 4 of 4: 10%"
        qtbot.mouseClick(tab.earlier, Qt.MouseButton.LeftButton)
        assert (tab.tokens.query, asked) == (8, [])

    def test_elsewhere_the_best_one_is_named_and_is_a_step_away(
        self, tab: RecallTab, qtbot: QtBot
    ) -> None:
        tab.show_answers(LabAnswers(recall=replace(recall(), moments=(0.1, 0.4, 0.2, 0.7))))
        tab.transport.go(0)
        tab.show_answers(LabAnswers(recall=replace(recall(), moments=())))
        best = (5, 6), ((9, 0.7), (7, 0.4))
        assert tab.tokens.needle == best[0]
        tab.transport.go(2)
        assert tab.moment.text() == "Moment 3 of 4: 20%"
        qtbot.mouseClick(tab.earlier, Qt.MouseButton.LeftButton)
        assert tab.tokens.query == best[1][1][0]

    def test_one_outside_of_the_reading_is_asked_for(
        self, tab: RecallTab, asked: list[RecallQuestion], qtbot: QtBot
    ) -> None:
        far = replace(recall(queries=2), moments=(0.1, 0.2, 0.7, 0.4))
        tab.show_answers(LabAnswers(recall=replace(far, moments=(0.6, 0.2, 0.7, 0.4))))
        assert tab.tokens.query == 8
        qtbot.mouseClick(tab.later, Qt.MouseButton.LeftButton)
        assert asked == [RecallQuestion("", (5, 6), 6)]


class TestQuery:
    def test_the_slider_moves_it(self, tab: RecallTab, qtbot: QtBot) -> None:
        assert tab.query_words.text().startswith("Token 10 of 10")
        assert "80%" in tab.summary.text()
        qtbot.mouseClick(tab.transport.back, Qt.MouseButton.LeftButton)
        assert tab.query_words.text().startswith("Token 9 of 10")
        assert "60%" in tab.summary.text()
        assert (tab.tokens.query, tab.bars.query) == (8, 2)

    def test_it_is_scrolled_to(self, tab: RecallTab) -> None:
        texts = tuple(f" word{n % 97}" for n in range(2000))
        far = replace(recall(), total=2000, texts=texts, first_query=1996)
        tab.show_answers(LabAnswers(recall=far))
        settle()
        tab.transport.go(1)
        place = tab.tokens.rect_of(1997).center().toPoint()
        assert tab.tokens.visibleRegion().contains(place)

    def test_a_token_does_so_too(
        self, tab: RecallTab, asked: list[RecallQuestion], qtbot: QtBot
    ) -> None:
        held = Qt.KeyboardModifier.ControlModifier
        qtbot.mouseClick(tab.tokens, Qt.MouseButton.LeftButton, held, place(tab, 7))
        assert tab.query_words.text().startswith("Token 8 of 10")
        assert asked == []
        # Before the first one of the reading: another one is needed.
        tab.tokens.setFocus()
        tab.tokens.move_caret(5)
        qtbot.keyClick(tab.tokens, Qt.Key.Key_Q)
        assert asked == [RecallQuestion("", (5, 6), 5)]

    def test_a_needle_after_the_query_is_asked_for_from_the_end(
        self, tab: RecallTab, asked: list[RecallQuestion], qtbot: QtBot
    ) -> None:
        tab.transport.go(0)
        qtbot.mouseClick(tab.tokens, Qt.MouseButton.LeftButton, pos=place(tab, 8))
        assert asked == [RecallQuestion("", (8, 9), None)]


class TestLayers:
    def test_one_is_looked_at(self, tab: RecallTab, qtbot: QtBot) -> None:
        assert tab.bars.chosen == 23
        tab.bars.setFocus()
        qtbot.keyClick(tab.bars, Qt.Key.Key_Home)
        assert tab.heads.text().startswith("Layer 0, linear: head 0")
        at = tab.bars.row(3).center().toPoint()
        qtbot.mouseClick(tab.bars, Qt.MouseButton.LeftButton, pos=at)
        assert tab.heads.text().startswith("Layer 3, full: head 0")

    def test_bars_are_to_scale(self, tab: RecallTab) -> None:
        seen, look = tab.bars.grab().toImage(), theme.current()
        room = tab.bars.share_bar(3)
        y = round(room.center().y())
        wanted = look.colour("kv_locked").name()
        filled = sum(seen.pixelColor(x, y).name() == wanted for x in range(round(room.right())))
        assert filled / room.width() == pytest.approx(0.8, abs=0.01)

    def test_before_there_is_a_needle(self, tab: RecallTab) -> None:
        tab.show_answers(LabAnswers(recall=recall(None)))
        assert tab.summary.text() == CHOOSE
        assert not tab.transport.isEnabled()
        tab.show_answers(LabAnswers())
        assert tab.summary.text() == ""
        tab.grab()

    def test_nothing_is_cut(self, tab: RecallTab) -> None:
        assert cut_labels(tab) == []


class TestTokens:
    def test_the_needle_is_painted(self, tab: RecallTab) -> None:
        seen, look = tab.tokens.grab().toImage(), theme.current()
        inside = tab.tokens.rect_of(5)
        corner = seen.pixelColor(round(inside.left()) + 1, round(inside.top()) + 1)
        assert corner == look.colour("accent")

    def test_thousands(self, tab: RecallTab) -> None:
        texts = tuple(f" word{n % 97}" for n in range(4096))
        tab.show_answers(LabAnswers(recall=replace(recall(None), total=4096, texts=texts)))
        settle()
        assert tab.tokens.height() > 1000
        tab.tokens.move_caret(2000)
        tab.tokens.grab()
