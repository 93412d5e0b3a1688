"""The menus show the table of commands, with the shortcuts that are bound."""

from __future__ import annotations

from PySide6.QtWidgets import QMenuBar
from pytestqt.qtbot import QtBot

from app.ui.menus.command_table import COMMANDS, MENUS, Command
from app.ui.menus.menus import Menus


def made(qtbot: QtBot) -> tuple[QMenuBar, Menus]:
    bar = QMenuBar()
    qtbot.addWidget(bar)
    return bar, Menus(bar)


class TestMenus:
    def test_each_menu_lists_its_commands_in_order(self, qtbot: QtBot) -> None:
        bar, menus = made(qtbot)
        assert [action.text() for action in bar.actions()] == [menu.title for menu in MENUS]
        for table in MENUS:
            shown = [action for action in menus.menu[table.id].actions() if not action.menu()]
            titles = [action.text() for action in shown if not action.isSeparator()]
            wanted = [item.title for item in table.items if isinstance(item, Command)]
            assert titles == wanted

    def test_a_command_has_the_keys_of_the_table(self, qtbot: QtBot) -> None:
        _, menus = made(qtbot)
        bound = menus.bound()
        assert bound == {id: one.keys for id, one in COMMANDS.items() if one.keys}

    def test_other_keys_take_the_place_of_its_own(self, qtbot: QtBot) -> None:
        _, menus = made(qtbot)
        with qtbot.waitSignal(menus.rebound):
            menus.bind({"new": ("Ctrl+Y",), "quit": ()})
        assert menus.bound()["new"] == ("Ctrl+Y",)
        assert "quit" not in menus.bound()
        assert menus.find.shortcut().toString() == "Ctrl+F"
        menus.bind({})
        assert menus.bound()["new"] == ("Ctrl+N",)

    def test_one_theme_is_marked(self, qtbot: QtBot) -> None:
        _, menus = made(qtbot)
        assert sum(action.isChecked() for action in menus.themes.values()) == 1
        menus.themes["dark"].setChecked(True)
        assert [mode for mode, one in menus.themes.items() if one.isChecked()] == ["dark"]
