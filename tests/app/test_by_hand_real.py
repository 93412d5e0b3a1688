"""Checkpoints inside nodes and warmed prompts, by mouse and keys on the real engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.cache.canvas import TreeCanvas
from app.cache.checkpoint_dialog import CheckpointDialog, NodeMenu
from app.cache.tree_painter import RULER_PX
from app.cache.warming import WarmDialog
from app.debugger.node_panel import NodePanel
from app.debugger.tree_panel import TreePanel
from engine.config import EngineConfig
from engine.snapshot import CacheSnapshot, NodeView
from tests.app.test_settings_real import Program
from tests.mostly_slow import mostly_slow
from tests.present import present

CONFIG = EngineConfig(cache_bytes=32 << 20, threads=1)
_Key = Qt.Key


@pytest.fixture
def program(qtbot: QtBot, tmp_path: Path) -> Iterator[Program]:
    made = Program(qtbot, tmp_path / "data", CONFIG)
    yield made
    for menu in made.window.findChildren(QMenu):
        menu.close()
    made.close()


def snapshot_of(program: Program) -> CacheSnapshot:
    return present(program.session.cache.snapshot)


def longest(program: Program) -> NodeView:
    nodes = [node for node in snapshot_of(program).nodes if node.parent is not None]
    return max(nodes, key=lambda node: node.end - node.start)


def spot(canvas: TreeCanvas, node: NodeView, share: float) -> QPoint:
    """A point of a node's bar."""
    layout = present(canvas.model.layout)
    row = present(layout.row_of(node.id))
    left, right = float(layout.scale.left[row]), float(layout.scale.right[row])
    x = canvas.viewport.x(left + share * (right - left))
    y = RULER_PX + canvas.viewport.y(int(layout.lane[row])) + canvas.viewport.lane_px / 2
    return QPoint(round(x), round(y))


def ask(widget: QWidget, at: QPoint) -> None:
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))


def choose(menu: QMenu, name: str) -> None:
    next(action for action in menu.actions() if action.text() == name).trigger()
    menu.close()


class TestCheckpoint:
    @pytest.mark.parametrize("view", mostly_slow(["cells", "tokens", "memory"]))
    def test_at_the_token_under_the_pointer(self, program: Program, view: str) -> None:
        program.ask("word " * 60)
        program.window.menus.debugger.trigger()
        desk = present(program.window.debugger.desk)
        tree = desk.panels["tree"]
        assert isinstance(tree, TreePanel)
        program.until(lambda: tree.canvas.model.layout is not None)
        tree.canvas.show_view(view)
        tree.canvas.fit()
        node = longest(program)
        ask(tree.canvas, spot(tree.canvas, node, 0.5))
        choose(present(desk.findChild(NodeMenu)), "Checkpoint here…")
        dialog = present(desk.findChild(CheckpointDialog))
        position = dialog.position.value()
        assert node.start < position < node.end
        if view != "cells":
            assert position == pytest.approx((node.start + node.end) / 2, abs=4)
        dialog.store.click()
        program.until(
            lambda: any(
                one.end == position and one.checkpoint is not None
                for one in snapshot_of(program).nodes
            )
        )
        made = next(one for one in snapshot_of(program).nodes if one.end == position)
        assert present(made.checkpoint).why == "asked for"
        stored = f"Stored the state at token {position:,}"
        program.until(lambda: stored in program.window.status.notice)

    def test_at_a_typed_position_and_back(self, program: Program) -> None:
        program.ask("word " * 60)
        program.window.menus.debugger.trigger()
        desk = present(program.window.debugger.desk)
        desk.show_panel("node")
        panel = desk.panels["node"]
        assert isinstance(panel, NodePanel)
        node = longest(program)
        program.until(lambda: panel.state.moment.snapshot is not None)
        panel.state.choose_node(node.id)
        panel.deeds.buttons["Checkpoint here…"].click()
        dialog = present(desk.findChild(CheckpointDialog))
        wanted = node.start + 7
        dialog.position.selectAll()
        program.qtbot.keyClicks(dialog.position, str(wanted))
        assert (
            f"Runs {wanted} tokens" in dialog.cost.text() or "from the state" in dialog.cost.text()
        )
        program.qtbot.keyClick(dialog.position, _Key.Key_Return)
        program.until(lambda: "Stored the state" in panel.deeds.result.text())
        assert any(one.end == wanted for one in snapshot_of(program).nodes)
        panel.deeds.undo.click()
        program.until(lambda: "Dropped the state" in panel.deeds.result.text())

    def test_from_the_cache_pane(self, program: Program) -> None:
        program.window.resize(1440, 900)
        program.ask("word " * 60)
        pane = program.window.cache
        program.until(lambda: pane.canvas.model.layout is not None)
        node = longest(program)
        ask(pane.canvas, spot(pane.canvas, node, 0.5))
        choose(present(program.window.findChild(NodeMenu)), "Checkpoint here…")
        dialog = present(pane.findChild(CheckpointDialog))
        position = dialog.position.value()
        program.qtbot.keyClick(dialog.position, _Key.Key_Return)
        program.until(lambda: any(one.end == position for one in snapshot_of(program).nodes))


def test_after_evicting_a_node_the_one_above_is_chosen_in_every_panel(program: Program) -> None:
    program.ask("word " * 60)
    program.window.menus.debugger.trigger()
    desk = present(program.window.debugger.desk)
    desk.show_panel("node")
    panel, tree = desk.panels["node"], desk.panels["tree"]
    assert isinstance(panel, NodePanel)
    assert isinstance(tree, TreePanel)
    program.until(lambda: tree.canvas.model.layout is not None)
    leaf = max(snapshot_of(program).nodes, key=lambda node: node.end)
    assert leaf.parent
    panel.state.choose_node(leaf.id)
    panel.deeds.buttons["Evict"].click()
    for box in panel.findChildren(QMessageBox):
        next(one for one in box.buttons() if one.text() == "Evict").click()
    program.until(lambda: "Evicted from every tier" in panel.deeds.result.text())
    program.until(lambda: panel.state.chosen.node != leaf.id)
    chosen = present(panel.state.chosen.node)
    assert any(one.id == chosen for one in snapshot_of(program).nodes)
    assert tree.canvas.selected == chosen
    assert not panel.empty.isVisible()


class TestWarmPrompt:
    def dialog(self, program: Program) -> WarmDialog:
        program.window.activateWindow()
        program.until(lambda: QApplication.activeWindow() is program.window)
        target = present(program.window.focusWidget())
        program.qtbot.keySequence(target, "Ctrl+Shift+W")
        dialog = present(program.window.warming.dialog)
        program.until(lambda: QApplication.activeWindow() is dialog)
        return dialog

    def test_what_was_warmed_is_not_read_again(self, program: Program) -> None:
        system = "You are a pilot. " * 12
        dialog = self.dialog(program)
        program.qtbot.keyClicks(dialog.text, f"system: {system}")
        program.qtbot.keyClick(dialog.text, _Key.Key_Return)
        program.qtbot.keyClicks(dialog.text, "user: Hello.")
        program.qtbot.keyClick(dialog.text, _Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        program.until(lambda: dialog.said.text().startswith("Warm:"))
        assert dialog.warm.isEnabled()
        program.until(lambda: "were computed" in program.window.status.notice)
        dialog.close()
        program.bridge.perform(program.session.set_system(system.strip()))
        turn = program.ask("Who are you?")
        plan = present(turn.plan)
        assert plan.reused + plan.replayed > plan.total // 2

    def test_it_can_be_stopped_by_button_and_by_escape_in_the_window(
        self, program: Program
    ) -> None:
        for stop in ("button", "key"):
            dialog = self.dialog(program)
            dialog.text.setPlainText(f"{stop} " + "word " * 7_900)
            dialog.warm.click()
            assert dialog.stop.isEnabled()
            if stop == "button":
                dialog.stop.click()
            else:
                dialog.close()
                program.window.menus.stop.trigger()
            program.until(lambda: not program.session.acts.waiting)
            assert "Stopped before it was finished" in program.session.acts.sentence

    def test_bad_input_is_said_and_kept(self, program: Program) -> None:
        dialog = self.dialog(program)
        dialog.text.setPlainText("user: Hello.\nsystem: Fly.")
        dialog.warm.click()
        assert "must be the first message" in dialog.said.text()
        assert not program.session.acts.waiting
        dialog.close()
        QApplication.processEvents()
        assert self.dialog(program).text.toPlainText() == "user: Hello.\nsystem: Fly."
