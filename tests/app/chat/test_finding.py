"""Ctrl+F: the bar, its keys and buttons, and the marks in the messages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QTextEdit

from app.chat import finding
from app.chat.user_message import UserMessage
from app.ui import theme
from app.ui.widgets import IconButton
from tests.app.conftest import Desk, MakeDesk
from tests.present import present

ANSWER = "A **river** flows.\n\n```py\nriver = 1\n```\n\nThe River ends."


@pytest.fixture
def talk(make_desk: MakeDesk) -> Iterator[Desk]:
    """Two turns with eight rivers: one asked for, three told, twice."""
    desk = make_desk(answer=lambda _: ("", ANSWER))
    desk.open()
    desk.window.resize(1100, 700)
    for _ in range(2):
        desk.say("Which river?")
    yield desk
    desk.window.chat.finding.close()


def find(desk: Desk, text: str) -> None:
    desk.window.activateWindow()
    desk.qtbot.keyClick(desk.window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    field = desk.window.chat.find_bar.field
    desk.until(field.hasFocus)
    field.clear()
    desk.qtbot.keyClicks(field, text)


def count(desk: Desk) -> str:
    return desk.window.chat.find_bar.count.text()


def marks(desk: Desk) -> list[tuple[str, bool]]:
    """The marked texts from the first message to the last, and whether each is the current one."""
    strong = theme.current().colour("accent").name()
    found = []
    for widget in desk.window.chat.view.widgets.values():
        for field in widget.fields().values():
            for mark in field.extraSelections():
                colour = mark.format.background().color()
                current = colour.name() == strong and colour.alpha() == 255
                found.append((mark.cursor.selectedText(), current))
    return found


def current(desk: Desk) -> int:
    return [now for _, now in marks(desk)].index(True)


class TestBar:
    def test_hits_are_marked_counted_and_gone_through_by_key(self, talk: Desk) -> None:
        find(talk, "river")
        assert [text.lower() for text, _ in marks(talk)] == ["river"] * 8
        assert sum(now for _, now in marks(talk)) == 1
        field = talk.window.chat.find_bar.field
        first = current(talk)
        assert count(talk) == f"{first + 1} of 8"
        for step in range(1, 9):
            talk.qtbot.keyClick(field, Qt.Key.Key_Return)
            assert current(talk) == (first + step) % 8
            assert count(talk) == f"{(first + step) % 8 + 1} of 8"
        talk.qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        assert current(talk) == (first - 1) % 8
        assert field.hasFocus()

    def test_and_by_mouse(self, talk: Desk) -> None:
        find(talk, "river")
        bar, first = talk.window.chat.find_bar, current(talk)
        talk.qtbot.mouseClick(bar.after, Qt.MouseButton.LeftButton)
        assert current(talk) == (first + 1) % 8
        talk.qtbot.mouseClick(bar.before, Qt.MouseButton.LeftButton)
        assert current(talk) == first
        close = next(b for b in bar.findChildren(IconButton) if b.accessibleName() == "Close")
        talk.qtbot.mouseClick(close, Qt.MouseButton.LeftButton)
        assert not bar.isVisible()
        assert marks(talk) == []

    def test_escape_closes_it_and_leads_back_to_the_composer(self, talk: Desk) -> None:
        find(talk, "river")
        bar = talk.window.chat.find_bar
        talk.qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
        assert not bar.isVisible()
        assert marks(talk) == []
        talk.until(lambda: talk.window.focusWidget() is not bar.field)
        assert present(talk.window.focusWidget()).accessibleName() == "Message"

    def test_escape_in_the_bar_does_not_stop_the_answer(self, make_desk: MakeDesk) -> None:
        desk = make_desk(answer=lambda _: ("", "word " * 400), steps=1)
        desk.open()
        desk.say("Go", wait=False)
        desk.until(lambda: desk.turns[-1].tokens > 5)
        find(desk, "word")
        desk.qtbot.keyClick(desk.window.chat.find_bar.field, Qt.Key.Key_Escape)
        assert not desk.window.chat.find_bar.isVisible()
        assert desk.session.busy
        desk.qtbot.keyClick(desk.window, Qt.Key.Key_Escape)
        desk.until(lambda: not desk.session.busy)

    def test_what_is_not_there_is_said(self, talk: Desk) -> None:
        find(talk, "lake")
        bar = talk.window.chat.find_bar
        assert count(talk) == "No matches"
        assert not bar.after.isEnabled()
        assert not bar.before.isEnabled()
        bar.field.clear()
        assert count(talk) == ""

    def test_there_is_nothing_to_find_in_an_empty_conversation(self, desk: Desk) -> None:
        assert not desk.window.menus.find.isEnabled()
        desk.say("Hello")
        assert desk.window.menus.find.isEnabled()

    def test_what_is_selected_is_looked_up(self, talk: Desk) -> None:
        answer = talk.window.chat.view.widgets[talk.turns[-1].id].fields()[0]
        assert isinstance(answer, QTextEdit)
        talk.window.activateWindow()
        answer.setFocus()
        cursor = answer.document().find("flows")
        answer.setTextCursor(cursor)
        talk.window.menus.find.trigger()
        assert talk.window.chat.find_bar.field.text() == "flows"
        assert count(talk).endswith(" of 2")


class TestConversation:
    def test_a_streaming_answer_is_searched_as_it_grows(self, make_desk: MakeDesk) -> None:
        desk = make_desk(answer=lambda _: ("", "river " * 30), steps=1)
        desk.open()
        desk.say("Which?", wait=False)
        desk.until(lambda: desk.turns[-1].tokens > 3)
        find(desk, "river")
        before = len(desk.window.chat.finding.hits)
        assert 0 < before < 30
        desk.until(lambda: not desk.session.busy)
        desk.qtbot.waitUntil(lambda: len(desk.window.chat.finding.hits) == 30)
        assert len(marks(desk)) == 30
        desk.window.chat.finding.close()

    def test_another_conversation_is_searched_anew(self, talk: Desk) -> None:
        find(talk, "river")
        first = talk.session.current.id
        talk.window.menus.new.trigger()
        assert count(talk) == "No matches"
        talk.window.chats.chosen.emit(first)
        talk.qtbot.waitUntil(lambda: count(talk).endswith(" of 8"))
        # What is above the screen follows a moment later.
        talk.qtbot.waitUntil(lambda: len(marks(talk)) == 8)

    def test_a_hit_far_above_is_gone_to(self, make_desk: MakeDesk) -> None:
        desk = make_desk(answer=lambda _: ("", "Some words that fill a line. " * 12))
        desk.open()
        desk.window.resize(1000, 600)
        desk.say("The needle is here")
        for _ in range(20):
            desk.say("Go on")
        desk.window.chats.new_wanted.emit()
        desk.window.chats.chosen.emit(desk.session.conversations[-1].id)
        view = desk.window.chat.view
        assert desk.turns[0].id not in view.widgets
        find(desk, "needle")
        assert count(desk) == "1 of 1"
        assert [text for text, _ in marks(desk)] == ["needle"]
        (field,) = view.widgets[desk.turns[0].id].fields().values()
        selections = field.extraSelections()

        def seen() -> bool:
            spot = field.viewport().mapTo(view, field.cursorRect(selections[0].cursor).center())
            return view.viewport().rect().contains(QPoint(10, spot.y()))

        desk.qtbot.waitUntil(seen)
        # It stays there once everything has its height.
        desk.qtbot.wait(400)
        assert seen()
        desk.window.chat.finding.close()

    def test_a_hit_in_a_shortened_message_unfolds_it(self, desk: Desk) -> None:
        desk.say("\n".join(f"line {number}" for number in range(60)) + "\nneedle")
        widget = desk.window.chat.view.widgets[desk.turns[0].id]
        assert isinstance(widget, UserMessage)
        assert widget.fields() == {}
        find(desk, "needle")
        # Once asked for, once said back.
        assert count(desk).endswith(" of 2")
        field = desk.window.chat.find_bar.field
        for _ in range(2):
            desk.qtbot.keyClick(field, Qt.Key.Key_Return)
        assert len(widget.fields()) == 1
        assert len(marks(desk)) == 2
        desk.window.chat.finding.close()

    def test_a_long_conversation_is_searched_over_several_frames(
        self, talk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(finding, "_SLICE_S", 0.0)
        find(talk, "river")
        # Each turn is a slice now.
        talk.qtbot.waitUntil(lambda: count(talk).endswith(" of 8"))
        talk.qtbot.waitUntil(lambda: len(marks(talk)) == 8)
        first = current(talk)
        assert count(talk) == f"{first + 1} of 8"
        # The last slice may be one that finds nothing more.
        talk.qtbot.waitUntil(lambda: not talk.window.chat.finding.searching)

    def test_one_stays_where_one_stood_while_the_conversation_grows(self, talk: Desk) -> None:
        find(talk, "river")
        field = talk.window.chat.find_bar.field
        while count(talk) != "3 of 8":
            talk.qtbot.keyClick(field, Qt.Key.Key_Return)
        talk.say("Which river?")
        talk.qtbot.waitUntil(lambda: count(talk) == "3 of 12")
        assert current(talk) == 2
