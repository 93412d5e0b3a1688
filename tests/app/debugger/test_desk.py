"""The debugger takes the chat's place, follows the engine, and its panels stay where they were."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QTabBar
from pytestqt.qtbot import QtBot

from app.debugger.desk import Desk as DeskOfPanels
from app.debugger.logic.chosen import Chosen
from app.debugger.logic.layouts import DEFAULT
from app.debugger.timeline.panel import TimelinePanel
from app.debugger.tree_panel import TreePanel
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
        qtbot.waitUntil(lambda: state.moment.snapshot is desk.session.cache.snapshot)
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

    def test_what_was_chosen_in_one_source_is_not_in_the_next(self, desk: Desk) -> None:
        desk.window.menus.debugger.trigger()
        debugger = present(desk.window.debugger.desk)
        timeline = debugger.panels["timeline"]
        assert isinstance(timeline, TimelinePanel)
        debugger.state.choose(Chosen(request=3))
        assert timeline.view.shown_choice == Chosen(request=3)
        debugger.state.show_source(present(debugger.state.source))
        assert timeline.view.shown_choice == Chosen()

    def test_no_row_of_tabs_is_left_under_the_tree(self, desk: Desk, qtbot: QtBot) -> None:
        desk.window.menus.debugger.trigger()
        debugger = present(desk.window.debugger.desk)
        direct = Qt.FindChildOption.FindDirectChildrenOnly

        def rows() -> list[int]:
            bars = debugger.findChildren(QTabBar, options=direct)
            return sorted(bar.count() for bar in bars if bar.isVisible())

        qtbot.waitUntil(lambda: rows() == [4, 9])
        # As Qt makes one while the panels are docked one after another.
        left = QTabBar(debugger)
        for title in ("Timeline", "Requests"):
            left.addTab(title)
        left.show()
        assert rows() == [2, 4, 9]
        debugger.show_panel("requests")
        qtbot.waitUntil(lambda: rows() == [4, 9])
        # A row that lost a panel is none that is left.
        debugger.docks["clients"].hide()
        qtbot.waitUntil(lambda: rows() == [4, 8])

    def test_places_are_remembered(self, desk: Desk) -> None:
        window = desk.window
        window.menus.debugger.trigger()
        debugger = present(window.debugger.desk)
        dock = debugger.docks["planes"]
        dock.close()
        state = window.layout_controller.state()
        assert state.debugger
        dock.show()
        window.layout_controller.restore(replace(state, debugger=False))
        assert not dock.isVisible()
        assert window.splitter.isVisible()
        window.layout_controller.restore(replace(state, desk="nonsense"))
        assert debugger.isVisible()

    def test_a_closed_panel_comes_back(self, desk: Desk) -> None:
        window = desk.window
        window.menus.debugger.trigger()
        debugger = present(window.debugger.desk)
        dock = debugger.docks["planes"]
        dock.close()
        entry = next(one for one in window.menus.menu["panels"].actions() if one.text() == "Planes")
        assert not entry.isChecked()
        entry.trigger()
        assert dock.isVisible()
        dock.close()
        window.menus.reset_desk.trigger()
        assert dock.isVisible()

    def test_a_floating_panel_stays_and_follows(self, desk: Desk, qtbot: QtBot) -> None:
        window = desk.window
        window.menus.debugger.trigger()
        debugger = present(window.debugger.desk)
        debugger.docks["planes"].setFloating(True)
        window.menus.debugger.trigger()
        assert debugger.docks["planes"].isVisible()
        desk.say("Hello.")
        qtbot.waitUntil(lambda: debugger.state.moment.snapshot is desk.session.cache.snapshot)

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


class TestShares:
    def shown(self, desk: Desk, qtbot: QtBot, size: tuple[int, int]) -> DeskOfPanels:
        desk.window.resize(*size)
        desk.window.debugger.show(True)
        debugger = present(desk.window.debugger.desk)
        self.settle(qtbot)
        return debugger

    def settle(self, qtbot: QtBot) -> None:
        """Sizes travel from the window to its docks in several turns of the event loop."""
        for _ in range(4):
            qtbot.wait(1)

    def test_panels_grow_with_the_window(self, desk: Desk, qtbot: QtBot) -> None:
        small = self.shown(desk, qtbot, (1366, 768)).docks
        narrow, low = small["planes"].width(), small["timeline"].height()
        large = self.shown(desk, qtbot, (2560, 1440)).docks
        assert large["planes"].width() > 1.5 * narrow
        assert large["timeline"].height() > 1.5 * low
        again = self.shown(desk, qtbot, (1366, 768)).docks
        assert (again["planes"].width(), again["timeline"].height()) == (narrow, low)

    def test_in_a_small_window_everything_has_room(self, desk: Desk, qtbot: QtBot) -> None:
        debugger = self.shown(desk, qtbot, (1000, 640))
        tree = debugger.panels["tree"]
        assert isinstance(tree, TreePanel)
        for name in (*debugger.docks, "timeline"):
            assert debugger.show_panel(name)
            self.settle(qtbot)
            dock = debugger.docks[name]
            assert dock.widget().height() >= dock.widget().minimumSizeHint().height()
            assert tree.canvas.height() >= 140
            assert debugger.rect().contains(dock.geometry())
        assert not tree.marks.isVisible()

    def test_a_legend_that_was_asked_for_stays(self, desk: Desk, qtbot: QtBot) -> None:
        tree = self.shown(desk, qtbot, (1000, 640)).panels["tree"]
        assert isinstance(tree, TreePanel)
        qtbot.mouseClick(tree._legend, Qt.MouseButton.LeftButton)
        self.shown(desk, qtbot, (1000, 660))
        assert tree.marks.isVisible()

    def test_an_edge_that_was_dragged_stays_there(self, desk: Desk, qtbot: QtBot) -> None:
        debugger = self.shown(desk, qtbot, (1400, 900))
        dock = debugger.docks["planes"]
        before = dock.width()
        edge = QPoint(dock.x() - 2, dock.y() + 200)
        qtbot.mousePress(debugger, Qt.MouseButton.LeftButton, pos=edge)
        qtbot.mouseMove(debugger, edge - QPoint(140, 0))
        self.settle(qtbot)
        qtbot.mouseRelease(debugger, Qt.MouseButton.LeftButton, pos=edge - QPoint(140, 0))
        self.settle(qtbot)
        wide = dock.width()
        assert wide == pytest.approx(before + 140, abs=4)
        self.shown(desk, qtbot, (1600, 900))
        assert dock.width() == pytest.approx(wide * 1600 / 1400, abs=4)
        self.shown(desk, qtbot, (1400, 900))
        desk.window.menus.reset_desk.trigger()
        self.settle(qtbot)
        assert dock.width() == before

    @pytest.mark.parametrize("wanted", [560, 345])
    def test_restored_places_keep_their_shares(self, desk: Desk, qtbot: QtBot, wanted: int) -> None:
        debugger = self.shown(desk, qtbot, (1400, 900))
        dock = debugger.docks["planes"]
        debugger.resizeDocks([dock], [wanted], Qt.Orientation.Horizontal)
        places = debugger.saved()
        debugger.arrange(DEFAULT)
        self.settle(qtbot)
        assert dock.width() == 350
        debugger.restore(places)
        self.settle(qtbot)
        self.shown(desk, qtbot, (1750, 900))
        assert dock.width() == pytest.approx(wanted * 1750 / 1400, abs=2)
