"""The bar after a deletion, in the window on a fake engine."""

from __future__ import annotations

from PySide6.QtCore import Qt

from engine import commands, events
from tests.app.conftest import Desk


def asked(desk: Desk) -> list[commands.Forget]:
    return [posted for posted in desk.loop.posted if isinstance(posted, commands.Forget)]


class TestBar:
    def test_it_is_there_from_a_deletion_to_its_undoing(self, desk: Desk) -> None:
        desk.say("Hello")
        bar = desk.window.chats.deleted_bar
        assert not bar.isVisible()
        desk.window.chats.delete_current()
        assert bar.isVisible()
        assert not bar.told.isVisible()
        bar.undo.click()
        assert not bar.isVisible()
        assert desk.turns[0].text == "Hello"
        assert asked(desk) == []

    def test_it_removes_once_and_says_what_came_of_it(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.window.chats.delete_current()
        bar, menus = desk.window.chats.deleted_bar, desk.window.menus
        assert menus.evict.isEnabled()
        bar.evict.setFocus(Qt.FocusReason.TabFocusReason)
        desk.qtbot.keyClick(bar.evict, Qt.Key.Key_Space)
        (command,) = asked(desk)
        assert bar.told.text() == "Evicting it from the cache…"
        assert not bar.evict.isVisible()
        assert not menus.evict.isEnabled()
        desk.loop.emit(events.Forgotten(number=command.number, bytes=123 << 20, files=4))
        desk.until(lambda: "4\u00a0files" in bar.told.text())
        assert bar.undo.isVisible()
        bar.dismissed.emit()
        assert not bar.isVisible()
        assert menus.restore.isEnabled()

    def test_always_is_a_setting(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.window.chats.delete_current()
        bar = desk.window.chats.deleted_bar
        bar.always.click()
        assert len(asked(desk)) == 1
        assert desk.window.menus.always.isChecked()
        desk.window.menus.new.trigger()
        desk.say("Again")
        desk.window.chats.delete_current()
        assert len(asked(desk)) == 2
        assert desk.window.book.now("evict_deleted")
        desk.window.book.reset("evict_deleted")
        assert not desk.session.removals.always
        assert not desk.window.menus.always.isChecked()

    def test_the_menu_does_the_same(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.window.menus.delete.trigger()
        desk.window.menus.evict.trigger()
        assert len(asked(desk)) == 1
        desk.window.menus.always.trigger()
        assert desk.window.chats.deleted_bar.always.isChecked()

    def test_every_control_has_a_name(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.window.chats.delete_current()
        bar = desk.window.chats.deleted_bar
        for control in (bar.undo, bar.evict, bar.always):
            assert control.accessibleName() or control.text()
            assert control.focusPolicy() & Qt.FocusPolicy.TabFocus
