"""Wide windows: lines stay readable, figures near their names, and nothing is lost in a corner."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QWidget

from app.cache.pane import SECTIONS
from app.cache.teaching import TeachingPage
from app.debugger.source_bar import SourceBar
from app.lab.window import MemoryLab
from app.ui.widgets import MEASURE_PX
from tests.app.conftest import Desk, MakeDesk

WIDE = (2560, 1440)


def spread(desk: Desk) -> None:
    desk.window.resize(*WIDE)
    desk.until(lambda: desk.window.width() == WIDE[0])
    desk.settle()


def place(widget: QWidget, inside: QWidget) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a widget."""
    at = widget.mapTo(inside, QPoint(0, 0))
    return at.x(), at.y(), at.x() + widget.width(), at.y() + widget.height()


class TestChat:
    def test_without_a_model_the_card_is_in_the_middle_below_the_title(
        self, make_desk: MakeDesk
    ) -> None:
        desk = make_desk()
        spread(desk)
        chat, card = desk.window.chat, desk.window.card
        _, top, _, bottom = place(card, chat)
        head = place(chat.settings_button, chat)[3]
        foot = place(chat.composer, chat)[1]
        assert top - head > 300
        # The composer takes from the lower half.
        assert abs((top + bottom) / 2 - chat.height() / 2) < chat.height() / 8
        assert bottom < foot

    def test_with_the_settings_the_card_is_above_both(self, make_desk: MakeDesk) -> None:
        desk = make_desk()
        desk.window.chat.show_settings(True)
        spread(desk)
        chat, card = desk.window.chat, desk.window.card
        assert place(card, chat)[1] - place(chat.settings_button, chat)[3] < 24

    def test_a_card_beside_a_conversation_is_at_its_top(self, desk: Desk) -> None:
        desk.say("Hello")
        spread(desk)
        before = place(desk.window.chat.settings_button, desk.window)
        desk.window.card.show()
        desk.settle()
        chat = desk.window.chat
        assert place(desk.window.card, chat)[1] - place(chat.settings_button, chat)[3] < 24
        # The title does not move for it.
        assert place(chat.settings_button, desk.window) == before


class TestCachePane:
    def test_figures_are_near_their_names_and_sentences_have_lines(self, desk: Desk) -> None:
        desk.say("word " * 200)
        spread(desk)
        pane = desk.window.cache
        pane.show_figures(SECTIONS)
        desk.settle()
        assert pane.width() > 900
        assert pane.planes._bytes["weights"].width() < 640
        assert pane.planes.bar.width() > 900
        assert pane.match.reason.width() <= MEASURE_PX
        assert place(pane.match.reason, pane)[0] == place(pane.planes.bar, pane)[0]


class TestTeaching:
    @pytest.mark.parametrize("width", [320, 960])
    def test_it_is_in_the_middle_and_no_wider_than_can_be_read(
        self, make_desk: MakeDesk, width: int
    ) -> None:
        page = TeachingPage()
        make_desk().qtbot.addWidget(page)
        page.resize(width, 700)
        page.show()
        texts = [one for one in page.findChildren(QLabel) if one.wordWrap() and one.isVisible()]
        left, _, right, _ = place(texts[0], page)
        assert right - left <= 480
        assert abs(left - (width - right)) <= 1


class TestDebugger:
    def test_buttons_stand_beside_what_they_are_about(self, make_desk: MakeDesk) -> None:
        bar = SourceBar()
        make_desk().qtbot.addWidget(bar)
        bar.show_live(empty=True)
        bar.resize(2400, 40)
        bar.show()
        text = bar.line.fontMetrics().horizontalAdvance(bar.line.text())
        assert bar.line.whole
        assert place(bar.demo, bar)[0] - (place(bar.line, bar)[0] + text) < 40

    def test_a_narrow_line_is_shortened_before_a_button_is(self, make_desk: MakeDesk) -> None:
        bar = SourceBar()
        make_desk().qtbot.addWidget(bar)
        bar.show_live(empty=True)
        bar.resize(420, 40)
        bar.show()
        assert not bar.line.whole
        assert place(bar.open, bar)[2] <= 420


def test_the_lab_is_in_the_middle(make_desk: MakeDesk) -> None:
    window = MemoryLab()
    make_desk().qtbot.addWidget(window)
    window.resize(*WIDE)
    window.show()
    left, _, right, _ = place(window.memory, window)
    assert right - left == 1600
    assert abs(left - (WIDE[0] - right)) <= 1
