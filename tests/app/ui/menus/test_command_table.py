"""The table of commands: nothing in it is double, and everything can be found."""

from __future__ import annotations

from collections import Counter
from keyword import iskeyword
from typing import get_type_hints

from app.ui.menus.command_table import COMMANDS, MENUS, MenuTable
from app.ui.menus.menus import Menus


class TestTheTable:
    def test_each_command_is_there_once(self) -> None:
        ids = [command.id for menu in MENUS for command in menu.commands()]
        assert len(ids) == len(set(ids)) == len(COMMANDS)

    def test_no_key_does_two_things(self) -> None:
        keys = Counter(key for command in COMMANDS.values() for key in command.keys)
        assert [key for key, times in keys.items() if times > 1] == []

    def test_the_letter_of_a_menu_is_no_part_of_its_name(self) -> None:
        assert [MenuTable("a", title, ()).name for title in ("C&ache", "文件(&F)")] == [
            "Cache",
            "文件",
        ]

    def test_each_menu_has_its_own_letter(self) -> None:
        letters = [menu.title[menu.title.index("&") + 1].lower() for menu in MENUS]
        assert len(letters) == len(set(letters))

    def test_each_command_is_an_attribute_of_the_menus(self) -> None:
        """So that a misspelt one is found before it is used."""
        hints = get_type_hints(Menus)
        assert {f"{id}_" if iskeyword(id) else id for id in COMMANDS} <= hints.keys()
        named = {name.removesuffix("_") for name in hints if not name.startswith("_")}
        assert named <= COMMANDS.keys()
