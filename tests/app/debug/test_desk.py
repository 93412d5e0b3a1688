"""The debugger takes the chat's place, follows the engine, and its panels stay where they were."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.debug.chosen import Chosen
from tests.app.conftest import Desk
from tests.present import present


class TestDebugger:
    def test_by_key(self, desk: Desk, qtbot: QtBot) -> None:
        window = desk.window
        window.activateWindow()
        qtbot.keyClick(window, Qt.Key.Key_F11)
        debugger = present(window.debugger.desk)
        assert debugger.isVisible()
        assert not window.splitter.isVisible()
        qtbot.keyClick(window, Qt.Key.Key_F11)
        assert window.splitter.isVisible()
        assert not debugger.isVisible()

    def test_it_follows_the_engine(self, desk: Desk, qtbot: QtBot) -> None:
        desk.window.menus.debugger.trigger()
        state = present(desk.window.debugger.desk).state
        desk.say("Hello.")
        qtbot.waitUntil(lambda: state.moment.snapshot is desk.session.snapshot)
        before = len(present(state.moment.snapshot).nodes)
        desk.say("And another one.")
        qtbot.waitUntil(lambda: len(present(state.moment.snapshot).nodes) > before)

    def test_a_node_is_chosen_in_all_panels(self, desk: Desk, qtbot: QtBot) -> None:
        desk.window.menus.debugger.trigger()
        state = present(desk.window.debugger.desk).state
        desk.say("Hello.")
        qtbot.waitUntil(lambda: state.moment.snapshot is not None)
        node = present(state.moment.snapshot).nodes[-1].id
        state.choose(Chosen(node=node, request=3))
        state.choose_node(None)
        assert state.chosen == Chosen(request=3)

    def test_places_are_remembered(self, desk: Desk) -> None:
        window = desk.window
        window.menus.debugger.trigger()
        debugger = present(window.debugger.desk)
        dock = debugger.docks["planes"]
        dock.close()
        state = window.standing()
        assert state.debugger
        dock.show()
        window.stand(replace(state, debugger=False))
        assert not dock.isVisible()
        assert window.splitter.isVisible()
        window.stand(replace(state, desk="nonsense"))
        assert debugger.isVisible()

    def test_a_closed_panel_comes_back(self, desk: Desk) -> None:
        window = desk.window
        window.menus.debugger.trigger()
        debugger = present(window.debugger.desk)
        dock = debugger.docks["planes"]
        dock.close()
        entry = next(one for one in window.menus.panels.actions() if one.text() == "Memory")
        assert not entry.isChecked()
        entry.trigger()
        assert dock.isVisible()
        dock.close()
        window.menus.reset_desk.trigger()
        assert dock.isVisible()

    @pytest.mark.qt_log_ignore("This plugin does not support")
    def test_a_floating_panel_stays_and_follows(self, desk: Desk, qtbot: QtBot) -> None:
        window = desk.window
        window.menus.debugger.trigger()
        debugger = present(window.debugger.desk)
        debugger.docks["planes"].setFloating(True)
        window.menus.debugger.trigger()
        assert debugger.docks["planes"].isVisible()
        desk.say("Hello.")
        qtbot.waitUntil(lambda: debugger.state.moment.snapshot is desk.session.snapshot)

    def test_a_tab_needs_no_title_beside_it(self, desk: Desk, qtbot: QtBot) -> None:
        desk.window.menus.debugger.trigger()
        debugger = present(desk.window.debugger.desk)
        timeline, evictions = debugger.docks["timeline"], debugger.docks["evictions"]
        others = [d for d in debugger.tabifiedDockWidgets(timeline) if d is not evictions]
        qtbot.waitUntil(lambda: timeline.titleBarWidget() is not None)
        for dock in others:
            dock.close()
        evictions.close()
        qtbot.waitUntil(lambda: timeline.titleBarWidget() is None)
        evictions.show()
        qtbot.waitUntil(lambda: timeline.titleBarWidget() is not None)
