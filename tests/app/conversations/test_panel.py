"""The list on screen: headings, and pinning from its menu."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QMenu

from app.core.session.records import Conversation
from engine.commands import Forget
from engine.events import Forgotten
from tests.app.conftest import Desk
from tests.stopwatch import times_s


def menu_of(desk: Desk, row: int) -> QMenu:
    chats = desk.window.chats
    index = chats.list.model().index(row, 0)
    chats.list.menu_wanted.emit(
        index, chats.list.mapToGlobal(chats.list.visualRect(index).center())
    )
    (menu,) = (one for one in chats.findChildren(QMenu) if one.isVisible())
    return menu


def names(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


class TestMenu:
    def test_it_is_the_same_at_the_row_and_beside_the_title(self, desk: Desk) -> None:
        desk.say("One")
        menu = menu_of(desk, 0)
        beside = desk.window.chat.menu_button.menu()
        assert menu.actions() != []
        assert names(menu) == names(beside)
        assert names(menu) == [
            "Rename",
            "Pinned",
            "Fork to a new conversation",
            "Export conversation…",
            "Evict conversation from cache",
            "Delete",
        ]
        menu.close()

    def test_it_is_about_the_row_that_was_pointed_at(self, desk: Desk) -> None:
        desk.say("One")
        desk.window.menus.new.trigger()
        desk.say("Two")
        menu_of(desk, 1).close()
        assert desk.session.current.title == "One"

    def test_evicting_keeps_the_messages_and_says_what_was_freed(self, desk: Desk) -> None:
        evict = desk.window.menus.evict_current
        assert not evict.isEnabled()
        desk.say("One")
        evict.trigger()
        (asked,) = [one for one in desk.loop.posted if isinstance(one, Forget)]
        assert asked.owner == desk.session.current.id
        assert [len(prompt) for prompt in asked.gone] == [2]
        desk.loop.emit(Forgotten(number=asked.number, bytes=3 << 20, files=2))
        desk.until(lambda: desk.window.status.currentMessage() != "")
        said = desk.window.status.currentMessage().replace("\u00a0", " ")
        assert said == "Evicted from the cache: 3.00 MiB, 2 files."
        assert [turn.text for turn in desk.turns] == ["One", "You said **One**."]

    def test_an_answer_that_is_being_written_is_not_evicted(self, desk: Desk) -> None:
        desk.loop.steps = 1
        desk.say("word " * 400, wait=False)
        assert not desk.window.menus.evict_current.isEnabled()


class TestPinning:
    def test_from_the_menu_and_back(self, desk: Desk) -> None:
        desk.say("One")
        desk.window.menus.new.trigger()
        desk.say("Two")
        menu = menu_of(desk, 1)
        (pin,) = (action for action in menu.actions() if action.text() == "Pinned")
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
