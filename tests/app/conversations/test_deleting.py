"""The notice after a deletion: undo it, or evict it from the cache; on a fake engine."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from engine import commands, events
from tests.app.conftest import Desk
from tests.mostly_slow import mostly_slow
from tests.present import present


def asked(desk: Desk) -> list[commands.Forget]:
    return [posted for posted in desk.loop.posted if isinstance(posted, commands.Forget)]


class TestNotice:
    def test_it_names_the_conversation_and_undoes_its_deletion(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.window.chats.delete_current()
        status = desk.window.status
        assert status.currentMessage() == "Deleted “Hello”"
        assert [button.text() for button in status.offers.values()] == ["Undo", "Evict its cache"]
        desk.qtbot.mouseClick(status.offers["restore"], Qt.MouseButton.LeftButton)
        assert desk.turns[0].text == "Hello"
        assert asked(desk) == []
        assert status.currentMessage() == "Conversation restored."
        assert status.offers == {}

    def test_it_removes_once_and_says_what_came_of_it(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.window.chats.delete_current()
        status, menus = desk.window.status, desk.window.menus
        assert menus.evict.isEnabled()
        evict = status.offers["evict"]
        evict.setFocus(Qt.FocusReason.TabFocusReason)
        desk.qtbot.keyClick(evict, Qt.Key.Key_Space)
        (command,) = asked(desk)
        assert not menus.evict.isEnabled()
        desk.loop.emit(events.Forgotten(number=command.number, bytes=123 << 20, files=4))
        desk.until(lambda: "4\u00a0files" in status.currentMessage())
        assert menus.restore.isEnabled()

    def test_always_is_a_setting_and_then_nothing_is_left_to_offer(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.window.chats.delete_current()
        desk.window.menus.always.trigger()
        assert len(asked(desk)) == 1
        desk.window.menus.new.trigger()
        desk.say("Again")
        desk.window.chats.delete_current()
        assert len(asked(desk)) == 2
        assert list(desk.window.status.offers) == ["restore"]
        assert desk.window.book.now("evict_deleted")
        desk.window.book.reset("evict_deleted")
        assert not desk.session.removals.always
        assert not desk.window.menus.always.isChecked()

    def test_an_empty_conversation_goes_without_a_word(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.window.menus.new.trigger()
        desk.window.chats.delete_current()
        assert desk.window.status.currentMessage() == ""

    @pytest.mark.parametrize("width", mostly_slow([700, 1366]))
    def test_its_buttons_stand_after_the_words_and_cover_nothing(
        self, desk: Desk, width: int
    ) -> None:
        desk.window.resize(width, 600)
        desk.say("Hello, this is the beginning of a very long message about something")
        desk.window.menus.new.trigger()
        desk.say("Another")
        desk.window.chats.deleted.emit(desk.session.conversations[1].id)
        desk.settle()
        status = desk.window.status
        box = present(status.offers["restore"].parentWidget())
        assert box.isVisible()
        assert box.x() > status.fontMetrics().horizontalAdvance(status.notice)
        assert status.rect().contains(box.geometry())
        for part in (status.rate, status.meter, status.context):
            assert not (part.isVisible() and box.geometry().intersects(part.geometry()))
