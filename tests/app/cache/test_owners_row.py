"""The links to the conversations of a cached prefix."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.cache.drawer import OwnersRow, TitledOwner
from engine.events import NodeOwner
from tests.present import present


def owners(*titles: str) -> list[TitledOwner]:
    return [TitledOwner(NodeOwner(at, 10 * at), title) for at, title in enumerate(titles, 1)]


@pytest.fixture
def row(qtbot: QtBot) -> OwnersRow:
    made = OwnersRow()
    made.resize(400, 60)
    qtbot.addWidget(made)
    return made


class TestOwnersRow:
    def test_without_owners_it_is_hidden(self, row: OwnersRow) -> None:
        row.show_owners(owners("One"))
        assert row.isVisible()
        row.show_owners([])
        assert not row.isVisible()

    def test_a_long_title_is_cut_and_whole_in_the_tip(self, row: OwnersRow) -> None:
        title = "How do I & everybody else keep the cache of a very long title?"
        row.show_owners(owners(title))
        assert len(row.links[0].text()) < 36
        assert "&&" in row.links[0].text()
        assert row.links[0].toolTip().startswith(title)

    def test_a_link_is_pressed_by_keyboard(self, row: OwnersRow, qtbot: QtBot) -> None:
        row.show_owners(owners("One", "Two"))
        with qtbot.waitSignal(row.opened) as caught:
            qtbot.keyClick(row.links[1], Qt.Key.Key_Space)
        assert caught.args == [NodeOwner(2, 20)]

    def test_beyond_three_they_are_in_a_menu(self, row: OwnersRow, qtbot: QtBot) -> None:
        row.show_owners(owners("One", "Two", "Three", "Four", "Five"))
        assert [link.text() for link in row.links] == ["One", "Two", "Three", "and 2 more"]
        row.links[3].click()
        menu = present(row.findChild(QMenu))
        assert [action.text() for action in menu.actions()] == ["Four", "Five"]
        with qtbot.waitSignal(row.opened) as caught:
            menu.actions()[1].trigger()
        assert caught.args == [NodeOwner(5, 50)]
        menu.close()
