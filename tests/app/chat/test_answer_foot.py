"""What stands under the messages of a conversation: at rest, pointed at, focused, and told once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QImage
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.chat.answer_message import AnswerMessage
from app.chat.remark import Remark
from app.chat.user_message import UserMessage
from app.core.preferences.book import Book
from app.core.session.records import Turn
from engine.reuse import Reason, ReuseReport
from tests.app.buttons import button, choose
from tests.app.conftest import Desk
from tests.app.samples import plan, report
from tests.present import present

MARGIN_PX = 24
LEFT = Qt.MouseButton.LeftButton
MISSED = report(plan(16, 0, 4300, reason=Reason.SYSTEM_TEXT_CHANGED, again=4210), prefill_ms=2000.0)


@pytest.fixture
def talk(desk: Desk) -> Desk:
    """Two questions, answered; the keyboard is in the composer."""
    desk.window.activateWindow()
    desk.say("One")
    desk.say("Two")
    desk.window.chat.composer.focus()
    desk.settle()
    return desk


def messages(desk: Desk) -> list[UserMessage | AnswerMessage]:
    shown = desk.window.chat.view.widgets.values()
    return [widget for widget in shown if isinstance(widget, UserMessage | AnswerMessage)]


def answer(desk: Desk, nth: int) -> AnswerMessage:
    return [widget for widget in messages(desk) if isinstance(widget, AnswerMessage)][nth]


def point(widget: QWidget, on: bool) -> None:
    """The pointer comes or goes."""
    at = QPointF(widget.rect().center())
    event = QEnterEvent(at, at, at) if on else QEvent(QEvent.Type.Leave)
    QApplication.sendEvent(widget, event)


def blank(image: QImage) -> bool:
    colours = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
    return len(colours) == 1


def seen(message: UserMessage | AnswerMessage) -> list[str]:
    """The names of the buttons that are painted below a message."""
    below = message.menu.mapTo(message, message.menu.rect().topLeft()).y()
    found = []
    for tool in message.findChildren(QWidget):
        spot = tool.rect().translated(tool.mapTo(message, tool.rect().topLeft()))
        row = tool.accessibleName() and abs(spot.y() - below) < 4 and tool.isVisible()
        stop = tool.focusPolicy() & Qt.FocusPolicy.TabFocus
        if row and stop and not blank(message.grab(spot).toImage()):
            found.append(tool.accessibleName())
    return found


def plain(words: str) -> str:
    return words.replace("\u00a0", " ").replace("\u2060", "")


def finish(desk: Desk, told: ReuseReport) -> Turn:
    """The last answer ends with this report."""
    turn = desk.turns[-1]
    turn.report, turn.plan = told, told.plan
    desk.window.chat.show_turn(turn)
    QApplication.processEvents()
    return turn


def resize(desk: Desk, width: int) -> None:
    """Give the messages so many pixels."""
    window = desk.window
    window.setMinimumSize(1, 1)
    window.show_cache(False)
    window.show_chats(False)
    beside = window.chat.view.width() - window.chat.view.viewport().width() + 2 * MARGIN_PX
    window.resize(width + beside, 700)
    desk.settle()
    assert messages(desk)[0].width() == width


ANSWERED = ["Copy answer", "Regenerate", "Edit as a new version", "More actions"]
ASKED = ["Edit and send as a new version", "Copy message", "More actions"]


class TestAtRest:
    def test_only_the_last_message_has_actions(self, talk: Desk) -> None:
        assert [seen(message) for message in messages(talk)] == [[], [], [], ANSWERED]

    def test_an_answer_has_two_figures(self, talk: Desk) -> None:
        told = report(plan(0, 0, 20), first_token_s=0.1, decode_tok_s=67.0)
        finish(talk, told)
        assert plain(answer(talk, -1).stats.text()) == "0.1 s · 67 tok/s"
        whole = "0.1 s · 67 tok/s · reused 0 · replayed 0 · new 20"
        # A screen reader tells them all.
        assert plain(answer(talk, -1).stats.accessibleName()) == whole

    def test_all_actions_are_stops_of_the_tab_key(self, talk: Desk) -> None:
        for message, names in zip(messages(talk), (ASKED, ANSWERED) * 2, strict=True):
            tools = [button(message, name) for name in names]
            assert all(tool.focusPolicy() & Qt.FocusPolicy.TabFocus for tool in tools)
            assert all(tool.isVisible() for tool in tools)


class TestPointedAt:
    def test_actions_and_figures_show(self, talk: Desk) -> None:
        question, first, *_ = messages(talk)
        assert isinstance(first, AnswerMessage)
        for message, names in ((question, ASKED), (first, ANSWERED)):
            height = message.height()
            point(message, True)
            QApplication.processEvents()
            assert seen(message) == names
            assert message.height() == height
            point(message, False)
            assert seen(message) == []
        point(first, True)
        assert " · reused " in plain(first.stats.text())
        point(first, False)
        assert " · reused " not in plain(first.stats.text())

    def test_they_stay_while_the_menu_is_open(self, talk: Desk) -> None:
        first = messages(talk)[1]
        point(first, True)
        first.menu.click()
        point(first, False)
        assert seen(first) == ANSWERED
        menu = present(QApplication.activePopupWidget())
        menu.close()
        assert seen(first) == []


class TestFocused:
    def test_tab_reaches_hidden_actions_and_shows_them(self, talk: Desk) -> None:
        first = messages(talk)[1]
        tool = button(first, "Copy answer")
        tool.setFocus(Qt.FocusReason.TabFocusReason)
        assert seen(first) == ANSWERED
        assert " · reused " in plain(answer(talk, 0).stats.text())
        talk.qtbot.keyClick(tool, Qt.Key.Key_Tab)
        assert button(first, "Regenerate").hasFocus()
        assert seen(first) == ANSWERED
        talk.window.chat.composer.focus()
        talk.until(lambda: seen(first) == [])

    def test_a_click_on_the_text_shows_them(self, talk: Desk) -> None:
        first = messages(talk)[1]
        (field,) = first.fields().values()
        talk.qtbot.mouseClick(field.viewport(), LEFT)
        assert seen(first) == ANSWERED


class TestShowFigures:
    def test_they_show_at_rest(self, talk: Desk, tmp_path: Path) -> None:
        book = talk.window.book
        book.path = tmp_path / "settings.json"
        talk.window.preferences.set("show_figures", True)
        for nth in (0, 1):
            assert " · reused " in plain(answer(talk, nth).stats.text())
        # They are not the actions.
        assert seen(messages(talk)[1]) == []
        assert Book(book.path).now("show_figures")
        talk.say("Three")
        assert " · reused " in plain(answer(talk, -1).stats.text())
        talk.window.preferences.set("show_figures", False)
        assert " · reused " not in plain(answer(talk, 0).stats.text())

    def test_in_a_narrow_column_they_wrap(self, talk: Desk) -> None:
        resize(talk, 320)
        before = answer(talk, -1).height()
        talk.window.preferences.set("show_figures", True)
        talk.settle()
        assert answer(talk, -1).height() > before
        stats = answer(talk, -1).stats
        assert stats.height() >= stats.heightForWidth(stats.width())


class TestMiss:
    def test_it_says_so_in_words_and_leads_to_the_explanation(self, talk: Desk) -> None:
        turn = finish(talk, MISSED)
        miss = present(answer(talk, -1).miss)
        assert miss.isVisible()
        assert miss.words.text() == "read 4,210 tokens again: the system prompt changed"
        asked: list[int] = []
        talk.window.chat.view.explained.disconnect()
        talk.window.chat.view.explained.connect(asked.append)
        talk.qtbot.mouseClick(miss.link, LEFT)
        assert asked == [turn.request]

    def test_an_ordinary_answer_has_none(self, talk: Desk) -> None:
        assert [widget.miss for widget in messages(talk) if isinstance(widget, AnswerMessage)] == [
            None,
            None,
        ]

    def test_it_is_gone_with_the_answer_it_was_about(self, talk: Desk) -> None:
        finish(talk, MISSED)
        miss = present(answer(talk, -1).miss)
        finish(talk, replace(MISSED, prefill_ms=100.0))
        assert not miss.isVisible()

    def test_after_a_restart_nothing_is_left_to_explain(self, talk: Desk) -> None:
        talk.turns[-1].request = None
        finish(talk, MISSED)
        miss = present(answer(talk, -1).miss)
        assert miss.isVisible()
        assert not miss.link.isVisible()

    @pytest.mark.parametrize("width", [600, 320])
    def test_it_fits_into_any_column(self, talk: Desk, width: int) -> None:
        finish(talk, MISSED)
        resize(talk, width)
        fits(present(answer(talk, -1).miss))


def fits(remark: Remark) -> None:
    """Nothing is cut off, and nothing is on top of another."""
    assert remark.rect().contains(remark.words.geometry())
    words, link = remark.words, remark.link
    needed = words.heightForWidth(words.width()) if words.wordWrap() else words.sizeHint().height()
    assert words.height() >= needed
    assert words.wordWrap() or words.width() >= words.sizeHint().width()
    spot = link.rect().translated(link.mapTo(remark, link.rect().topLeft()))
    assert not spot.intersects(words.geometry())
    assert remark.rect().contains(spot)


class TestFirstSaving:
    """What the cache does is told once."""

    def test_under_the_first_answer_that_saves_enough(self, desk: Desk) -> None:
        told: list[bool] = []
        desk.window.chat.first_saving.was_told.connect(lambda: told.append(True))
        desk.say("One")
        assert told == []
        self.talk_until_told(desk)
        assert told == [True]
        note = present(answer(desk, -1).note)
        assert note.isVisible()
        assert note.words.text().endswith("not read again")
        fits(note)
        desk.say("And on")
        assert told == [True]
        notes = [one.note for one in messages(desk) if isinstance(one, AnswerMessage) and one.note]
        assert notes == [note]

    def test_it_can_be_closed(self, desk: Desk) -> None:
        self.talk_until_told(desk)
        widget = answer(desk, -1)
        note, height = present(widget.note), widget.height()
        talk_on = [one for one in note.findChildren(QWidget) if one.accessibleName() == "Close"]
        desk.qtbot.mouseClick(talk_on[0], LEFT)
        desk.settle()
        assert not note.isVisible()
        assert widget.height() < height

    def test_see_how_leads_to_the_cache_even_if_that_is_hidden(self, desk: Desk) -> None:
        window = desk.window
        window.resize(1366, 768)
        window.show_cache(False)
        self.talk_until_told(desk)
        note = present(answer(desk, -1).note)
        assert not window.cache.isVisible()
        link = button(note, "See how")
        assert isinstance(link, QPushButton)
        desk.qtbot.mouseClick(link, LEFT)
        desk.settle()
        assert window.cache.isVisible()
        assert not note.isVisible()

    def test_whoever_was_told_before_is_not_told_again(self, desk: Desk) -> None:
        desk.window.chat.first_saving.told = True
        for _ in range(4):
            desk.say("One two three four five six seven eight nine ten " * 2)
        assert all(one.note is None for one in messages(desk) if isinstance(one, AnswerMessage))

    def talk_until_told(self, desk: Desk) -> None:
        for _ in range(4):
            desk.say("One two three four five six seven eight nine ten " * 2)
            if desk.window.chat.first_saving.told:
                return
        raise AssertionError("nothing was told")


def test_the_menu_of_an_answer_has_the_less_common_actions(talk: Desk) -> None:
    chosen: list[str] = []
    view = talk.window.chat.view
    for signal, name in ((view.explained, "why"), (view.located, "where"), (view.forked, "fork")):
        signal.disconnect()
        signal.connect(lambda _, name=name: chosen.append(name))
    for entry in ("Why? Explain these figures", "Show in cache", "Fork to a new conversation"):
        choose(messages(talk)[1], entry)
    choose(messages(talk)[0], "Show in cache")
    assert chosen == ["why", "where", "fork", "where"]
