"""The list on screen: headings, and pinning from its menu."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QMenu

from app.core.session.records import Conversation
from tests.app.conftest import Desk
from tests.stopwatch import times_s


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


class TestManyConversations:
    @pytest.fixture
    def many(self, desk: Desk) -> Desk:
        desk.say("One")
        now = desk.session.current.updated
        found = [
            Conversation(id, f"c{id}", named=True, updated=now - 600.0 * (id - 9999))
            for id in range(10_000, 20_000)
        ]
        desk.bridge.perform(desk.session.adopt(found, None))
        return desk

    def test_a_change_costs_less_than_a_frame(self, many: Desk) -> None:
        chats, session = many.window.chats, many.session
        names = (f"Name {number}" for number in range(9))

        def change() -> None:
            session.touch(session.conversations[3000])
            session.rename(session.current.id, next(names))
            chats.refresh()
            chats.list.doItemsLayout()

        spent = times_s(change, 9)
        print(f"a change of one of 10,000 conversations: {1e3 * spent[4]:.1f} ms")
        # Without pages it takes 400 ms.
        assert spent[4] < 0.033

    def test_the_end_key_and_the_wheel_bring_more(self, many: Desk) -> None:
        chats = many.window.chats
        chats.list.setFocus()
        bar = chats.list.verticalScrollBar()
        rows = chats.list.model().rowCount
        many.until(lambda: bar.maximum() > 0)
        bar.setValue(bar.maximum())
        many.until(lambda: rows() == 200)
        many.qtbot.keyClick(chats.list, Qt.Key.Key_End)
        many.until(lambda: rows() == 300)
        # What is on screen stays where it is while the list changes.
        before = chats.list.indexAt(QPoint(40, 40)).data()
        many.bridge.perform(many.session.rename(many.session.current.id, "Another name"))
        assert chats.list.indexAt(QPoint(40, 40)).data() == before

    def test_deleting_one_chooses_only_the_one_in_its_place(self, many: Desk) -> None:
        chosen: list[int] = []
        many.window.chats.chosen.connect(chosen.append)
        before = [one.id for one in many.session.conversations]
        at = before.index(many.session.current.id)
        many.window.menus.delete.trigger()
        assert many.session.current.id == before[at + 1]
        assert chosen == []
        shown = many.window.chats.list.currentIndex()
        assert shown.data() == many.session.current.title

    def test_one_far_below_can_be_renamed_and_deleted(self, many: Desk) -> None:
        far = many.session.conversations[4000].id
        many.window.drafts.select(far)
        assert not many.window.chats.list.currentIndex().isValid()
        many.window.menus.rename.trigger()
        field = many.window.chats.list.findChild(QLineEdit)
        assert field is not None
        field.setText("Found")
        many.qtbot.keyClick(field, Qt.Key.Key_Return)
        many.until(lambda: many.session.current.title == "Found")
        many.window.menus.delete.trigger()
        assert many.session.known(far) is None
