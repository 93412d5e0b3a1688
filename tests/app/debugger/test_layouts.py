"""Layouts of the debugger: those that come with it, and the user's own, by name."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.debugger.desk import Desk as DeskOfPanels
from app.debugger.layouts import LayoutDialog
from app.debugger.logic.layouts import name_remark
from tests.app.conftest import Desk
from tests.present import present


class Laid:
    """The window with the debugger in it, and its menu of layouts."""

    def __init__(self, desk: Desk) -> None:
        self.window, self.qtbot = desk.window, desk.qtbot
        self.layouts = self.window.debugger.layouts
        self.menu: QMenu = self.window.menus.menu["layouts"]
        self.window.menus.debugger.setChecked(True)
        self.panels: DeskOfPanels = present(self.window.debugger.desk)

    def entry(self, text: str) -> QAction:
        return next(one for one in self.menu.actions() if one.text() == text)

    @property
    def names(self) -> list[str]:
        return [one.text() for one in self.menu.actions() if one.text() and one.menu() is None]

    def in_front(self) -> set[str]:
        docks = self.panels.docks
        return {name for name, dock in docks.items() if not dock.visibleRegion().isEmpty()}

    def save(self, name: str) -> LayoutDialog:
        dialog = self.layouts.ask_name()
        self.qtbot.keyClicks(dialog.name, name)
        self.qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
        return dialog


@pytest.fixture
def laid(desk: Desk) -> Laid:
    return Laid(desk)


class TestBuiltIn:
    @pytest.mark.parametrize(
        ("name", "front"),
        [
            ("Default", {"planes", "timeline"}),
            ("Evictions", {"node", "evictions"}),
            ("Requests", {"why", "requests"}),
        ],
    )
    def test_each_brings_its_panels_to_the_front(
        self, laid: Laid, name: str, front: set[str], qtbot: QtBot
    ) -> None:
        laid.panels.show_panel("audits")
        laid.panels.docks["planes"].close()
        laid.entry(name).trigger()
        qtbot.waitUntil(lambda: laid.in_front() == front)
        assert not laid.panels.docks["planes"].isHidden()

    def test_choosing_one_opens_the_debugger(self, laid: Laid) -> None:
        laid.window.menus.debugger.setChecked(False)
        laid.entry("Evictions").trigger()
        assert laid.window.debugger.on_screen


class TestOwn:
    def test_one_is_saved_by_name_and_comes_back(self, laid: Laid, qtbot: QtBot) -> None:
        laid.panels.show_panel("audits")
        laid.panels.docks["planes"].close()
        laid.save("Mine & yours")
        assert laid.names == ["Default", "Evictions", "Requests", "Mine && yours", "Save layout…"]
        laid.entry("Default").trigger()
        qtbot.waitUntil(lambda: laid.in_front() == {"planes", "timeline"})
        laid.entry("Mine && yours").trigger()
        qtbot.waitUntil(lambda: "audits" in laid.in_front())
        assert laid.panels.docks["planes"].isHidden()

    def test_it_is_there_at_the_next_start(self, laid: Laid) -> None:
        laid.save("Mine")
        state = laid.window.layout_controller.state()
        assert list(state.desks) == ["Mine"]
        laid.layouts.put({})
        assert "Mine" not in laid.names
        laid.window.layout_controller.restore(state)
        assert "Mine" in laid.names

    def test_one_is_deleted(self, laid: Laid) -> None:
        laid.save("Mine")
        laid.save("Other")
        gone = present(laid.entry("Delete layout").menu())
        assert isinstance(gone, QMenu)
        next(one for one in gone.actions() if one.text() == "Mine").trigger()
        assert list(laid.layouts.saved) == ["Other"]
        assert "Mine" not in laid.names

    def test_there_is_nothing_to_delete_at_first(self, laid: Laid) -> None:
        assert not laid.entry("Delete layout").isEnabled()

    def test_a_name_of_the_programs_own_is_refused_in_a_sentence(self, laid: Laid) -> None:
        dialog = laid.save("Requests")
        assert dialog.isVisible()
        assert dialog.sentence.text() == "“Requests” comes with the program: choose another name."
        assert not laid.layouts.saved
        dialog.close()


@pytest.mark.parametrize(
    ("name", "sentence", "usable"),
    [
        ("", "", False),
        ("   ", "", False),
        ("Default", "“Default” comes with the program: choose another name.", False),
        (" Mine ", "“Mine” is replaced.", True),
        ("Yours", "", True),
    ],
)
def test_what_is_said_of_a_name(name: str, sentence: str, usable: bool) -> None:
    assert name_remark(name, {"Mine"}) == (sentence, usable)
