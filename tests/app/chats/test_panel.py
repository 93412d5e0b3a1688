"""The list on screen: headings, and pinning from its menu."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from tests.app.conftest import Desk

# The offscreen platform has no menus of its own.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def menu_of(desk: Desk, row: int) -> QMenu:
    chats = desk.window.chats
    index = chats.list.model().index(row, 0)
    chats._menu(index, chats.list.mapToGlobal(chats.list.visualRect(index).center()))
    return chats.findChildren(QMenu)[-1]


class TestPinning:
    def test_from_the_menu_and_back(self, desk: Desk) -> None:
        desk.say("One")
        desk.window.menus.new.trigger()
        desk.say("Two")
        menu = menu_of(desk, 1)
        (pin,) = (action for action in menu.actions() if action.text() == "Pin")
        pin.trigger()
        menu.close()
        assert [c.title for c in desk.session.conversations] == ["One", "Two"]
        assert desk.window.menus.pin.isChecked()
        desk.window.menus.pin.trigger()
        assert [c.title for c in desk.session.conversations] == ["Two", "One"]
        assert not desk.window.menus.pin.isChecked()


class TestRows:
    def test_a_row_under_a_heading_is_taller_and_can_be_clicked(self, desk: Desk) -> None:
        for text in ("One", "Two"):
            desk.window.menus.new.trigger()
            desk.say(text)
        chats = desk.window.chats.list
        first, second = (chats.visualRect(chats.model().index(row, 0)) for row in range(2))
        assert first.height() > second.height() + 20
        spot = second.center()
        desk.qtbot.mouseClick(chats.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        assert desk.session.current.title == "One"
