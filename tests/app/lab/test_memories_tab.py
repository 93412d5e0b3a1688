"""The tab "Two memories": stepping, playing, layers and heads, and what is painted."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.core.session.lab import LabAnswers, MemoryQuestion
from app.lab.logic.memory_words import NO_ENTRIES, NO_STATE
from app.lab.memories_tab import MemoriesTab
from app.ui import theme
from tests.app.fake_loop import MODEL
from tests.app.lab.readings import memory
from tests.app.settle import settle
from tests.app.sight import cut_labels


@pytest.fixture
def tab(mode: theme.Mode, qtbot: QtBot) -> MemoriesTab:
    made = MemoriesTab()
    qtbot.addWidget(made)
    made.resize(1060, 680)
    made.show_shape(MODEL.cache_shape)
    made.show_answers(LabAnswers(memory=memory()))
    made.show()
    made.activateWindow()
    settle()
    return made


class TestStepping:
    def test_from_the_end_back_and_on(self, tab: MemoriesTab, qtbot: QtBot) -> None:
        assert tab.token.text() == 'Token 10 of 10: " yes"'
        assert not tab.transport.forward.isEnabled()
        qtbot.mouseClick(tab.transport.back, Qt.MouseButton.LeftButton)
        assert tab.token.text() == 'Token 9 of 10: "?"'
        assert "Token 9 appended" in tab.entries_words.text()
        assert tab.entries.at == tab.readback.at == tab.changes.at == 8
        tab.transport.slider.setFocus()
        qtbot.keyClick(tab.transport.slider, Qt.Key.Key_Home)
        assert tab.token.text() == 'Token 1 of 10: "Hello"'
        assert not tab.transport.back.isEnabled()

    def test_by_pressing_a_column(self, tab: MemoriesTab, qtbot: QtBot) -> None:
        place = tab.readback.column(3).center().toPoint()
        qtbot.mouseClick(tab.readback, Qt.MouseButton.LeftButton, pos=place)
        assert tab.token.text() == 'Token 4 of 10: " name"'

    def test_playing_ends_at_the_last_token(self, tab: MemoriesTab, qtbot: QtBot) -> None:
        tab.transport._timer.setInterval(5)
        tab.transport.toggle()
        assert tab.transport.playing
        assert tab.transport.play.accessibleName() == "Pause"
        qtbot.waitUntil(lambda: not tab.transport.playing)
        assert tab.transport.at == 9
        assert tab.transport.play.accessibleName() == "Play"

    def test_playing_pauses_when_it_is_not_seen(self, tab: MemoriesTab) -> None:
        tab.transport.toggle()
        tab.hide()
        assert not tab.transport.playing

    def test_another_layer_of_the_same_tokens_leaves_the_reader_there(
        self, tab: MemoriesTab
    ) -> None:
        tab.transport.go(4)
        tab.show_answers(LabAnswers(memory=memory(full=7)))
        assert tab.transport.at == 4
        tab.show_answers(LabAnswers(memory=memory(start=20)))
        assert tab.token.text().startswith("Token 25 of 30")


class TestAsking:
    def test_layers_are_asked_for_and_heads_are_there(self, tab: MemoriesTab, qtbot: QtBot) -> None:
        asked: list[MemoryQuestion] = []
        tab.wanted.connect(asked.append)
        tab.full.setCurrentText("Layer 11")
        tab.linear.setCurrentText("Layer 22")
        assert asked == [MemoryQuestion("", 11, 0), MemoryQuestion("", 11, 22)]
        tab.head.setCurrentIndex(3)
        assert len(asked) == 2
        assert tab.figures[0][1].text() == "12"
        qtbot.mouseClick(tab.source.button, Qt.MouseButton.LeftButton)
        assert asked[-1] == asked[1]

    def test_the_language_does_not_matter(
        self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.core.words.tr._texts", {"Layer {at}": "第 {at} 层"})
        tab = MemoriesTab()
        qtbot.addWidget(tab)
        tab.show_shape(MODEL.cache_shape)
        asked: list[MemoryQuestion] = []
        tab.wanted.connect(asked.append)
        tab.full.setCurrentText("第 11 层")
        assert asked == [MemoryQuestion("", 11, 0)]

    def test_a_text_of_ones_own(self, tab: MemoriesTab, qtbot: QtBot) -> None:
        asked: list[MemoryQuestion] = []
        tab.wanted.connect(asked.append)
        tab.source.source.setCurrentIndex(1)
        qtbot.mouseClick(tab.source.button, Qt.MouseButton.LeftButton)
        assert asked == []
        qtbot.keyClicks(tab.source.text, "one two")
        qtbot.keyClick(tab.source.text, Qt.Key.Key_Return)
        assert asked == [MemoryQuestion("one two", 3, 0)]

    def test_a_running_question_can_be_stopped(self, tab: MemoriesTab, qtbot: QtBot) -> None:
        stops: list[bool] = []
        tab.stopped.connect(lambda: stops.append(True))
        tab.show_answers(LabAnswers(open=MemoryQuestion(), done=64, total=2000))
        assert tab.source.status.text() == "Reading: 64 of 2,000 tokens have run."
        qtbot.mouseClick(tab.source.button, Qt.MouseButton.LeftButton)
        assert stops == [True]

    def test_a_refusal_is_said(self, tab: MemoriesTab) -> None:
        tab.show_answers(LabAnswers(memory=memory(), refused="It is too long."))
        assert tab.source.status.text() == "It is too long."


class TestPictures:
    def test_the_state_is_its_cells(self, tab: MemoriesTab) -> None:
        tab.transport.go(7)
        image, look = tab.state.image(), theme.current()
        assert (image.width(), image.height()) == (2, 2)
        assert image.pixelColor(0, 0) == look.colour("state_free")
        assert image.pixelColor(1, 0) == look.colour("state_live")
        assert image.pixelIndex(0, 1) == 7

    def test_columns_stand_in_line_and_to_scale(self, tab: MemoriesTab) -> None:
        for strip in (tab.changes, tab.readback):
            assert strip.column(4).left() == tab.entries.column(4).left()
        high, low = tab.readback.bar(9).height(), tab.readback.bar(4).height()
        assert low / high == pytest.approx(0.5, abs=0.03)

    def test_tokens_not_fed_yet_are_empty(self, tab: MemoriesTab) -> None:
        tab.transport.go(2)
        seen, look = tab.entries.grab().toImage(), theme.current()
        fed, later = (tab.entries.column(i).center() for i in (1, 8))
        y = round(fed.y()) - 3
        assert seen.pixelColor(round(fed.x()), y) == look.colour("kv_locked")
        assert seen.pixelColor(round(later.x()), y) != look.colour("kv_locked")

    def test_a_model_without_one_of_the_kinds(self, tab: MemoriesTab) -> None:
        tab.show_answers(LabAnswers(memory=memory(full=None)))
        assert tab.entries_words.text() == NO_ENTRIES
        tab.show_answers(LabAnswers(memory=memory(linear=None)))
        assert tab.state_words.text() == NO_STATE
        tab.show_answers(LabAnswers())
        assert (tab.token.text(), tab.state_words.text()) == ("", "")
        tab.grab()

    def test_nothing_is_cut(self, tab: MemoriesTab) -> None:
        assert cut_labels(tab._content) == []
