"""What can be done with a node, by the right button and by the menu key."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.cache.checkpoint_dialog import NodeMenu
from app.cache.tree_painter import RULER_PX
from engine import commands
from engine.journal.merged_views import LAYER_IDS
from tests.app.conftest import Desk
from tests.present import present

Reason = QContextMenuEvent.Reason


@pytest.fixture
def grown(desk: Desk) -> Iterator[Desk]:
    desk.say("word " * 500)
    yield desk
    for menu in desk.window.findChildren(QMenu):
        menu.close()


def spot(desk: Desk) -> QPoint:
    """The middle of a node with a checkpoint, on the canvas."""
    view = desk.window.cache.canvas.viewport
    return QPoint(round(view.x(300)), round(RULER_PX + view.y(0) + view.lane_px / 2))


def ask(widget: QWidget, at: QPoint, reason: Reason = Reason.Mouse) -> None:
    QApplication.sendEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))


def entries(menu: QMenu) -> dict[str, bool]:
    return {action.text(): action.isEnabled() for action in menu.actions()}


def choose(menu: QMenu, name: str) -> None:
    next(action for action in menu.actions() if action.text() == name).trigger()
    menu.close()


class TestTree:
    def test_the_right_button_asks_and_chooses_nothing(self, grown: Desk) -> None:
        canvas = grown.window.cache.canvas
        grown.qtbot.mouseClick(canvas, Qt.MouseButton.RightButton, pos=spot(grown))
        assert canvas.selected is None
        ask(canvas, spot(grown))
        menu = present(grown.window.findChild(NodeMenu))
        assert menu.isVisible()
        told = [name for name in entries(menu) if name]
        assert told[:5] == [
            "Show details",
            "Show in chat",
            "Copy text",
            "Copy link",
            "Verify checkpoint",
        ]
        assert told[-2:] == ["Evict", "Warm a prompt…"]
        assert len(told) == 12
        choose(menu, "Show details")
        assert canvas.selected is not None
        assert grown.window.cache.drawer.isVisible()

    def test_beside_the_tree_there_is_no_menu(self, grown: Desk) -> None:
        canvas = grown.window.cache.canvas
        ask(canvas, QPoint(canvas.width() - 2, canvas.height() - 2))
        ask(canvas, QPoint(2, 2), Reason.Keyboard)
        assert grown.window.findChild(NodeMenu) is None

    def test_the_menu_key_asks_for_the_chosen_node(self, grown: Desk) -> None:
        canvas = grown.window.cache.canvas
        nodes = [
            node
            for node in present(grown.session.cache.snapshot).nodes
            if node.checkpoint is not None
        ]
        canvas.select(nodes[-1].id)
        ask(canvas, QPoint(2, 2), Reason.Keyboard)
        menu = present(grown.window.findChild(NodeMenu))
        assert entries(menu)["Verify checkpoint"]
        choose(menu, "Verify checkpoint")
        assert grown.loop.posted[-1] == commands.VerifyNode(nodes[-1].id)

    def test_an_action_goes_to_the_engine(self, grown: Desk) -> None:
        canvas = grown.window.cache.canvas
        nodes = [
            node
            for node in present(grown.session.cache.snapshot).nodes
            if node.checkpoint is not None
        ]
        canvas.select(nodes[-1].id)
        ask(canvas, QPoint(2, 2), Reason.Keyboard)
        choose(present(grown.window.findChild(NodeMenu)), "Pin")
        assert grown.loop.posted[-1] == commands.Act(1, "pin", nodes[-1].id)

    def test_shift_and_f10_is_the_menu_key(self, grown: Desk) -> None:
        canvas = grown.window.cache.canvas
        canvas.select(present(grown.session.cache.snapshot).nodes[-1].id)
        grown.window.activateWindow()
        canvas.setFocus()
        grown.qtbot.waitUntil(canvas.hasFocus)
        shift = Qt.KeyboardModifier.ShiftModifier
        grown.qtbot.keyClick(canvas, Qt.Key.Key_F10, shift)
        assert present(grown.window.findChild(NodeMenu)).isVisible()

    def test_a_node_without_a_state_cannot_be_verified(self, grown: Desk) -> None:
        bare = next(
            node
            for node in present(grown.session.cache.snapshot).nodes
            if node.checkpoint is None and node.parent is not None
        )
        grown.window.cache.canvas.select(bare.id)
        ask(grown.window.cache.canvas, QPoint(2, 2), Reason.Keyboard)
        assert not entries(present(grown.window.findChild(NodeMenu)))["Verify checkpoint"]

    def test_the_text_of_a_node_goes_to_the_clipboard(self, grown: Desk) -> None:
        QGuiApplication.clipboard().clear()
        ask(grown.window.cache.canvas, spot(grown))
        choose(present(grown.window.findChild(NodeMenu)), "Copy text")
        asked = grown.loop.posted[-1]
        assert isinstance(asked, commands.DescribeNode)
        grown.until(lambda: "Copied" in grown.window.status.currentMessage())
        node = present(grown.window.cache.canvas.node(asked.node))
        assert QGuiApplication.clipboard().text().count("word") > 100
        told = f"Copied the text of tokens {node.start:,} to {node.end:,}."
        assert grown.window.status.currentMessage() == told


class TestConversations:
    def test_the_menu_key_asks_for_the_chosen_row(self, grown: Desk) -> None:
        chats = grown.window.chats.list
        ask(chats.viewport(), chats.rect().center(), Reason.Keyboard)
        menu = next(m for m in grown.window.chats.findChildren(QMenu) if m.isVisible())
        assert [name for name in entries(menu) if name] == [
            *("Rename", "Pinned", "Fork to a new conversation"),
            *("Export conversation…", "Evict conversation from cache", "Delete"),
        ]
        row = chats.visualRect(chats.currentIndex())
        assert chats.viewport().mapToGlobal(row.center()) == menu.pos()


class TestBelowTheDevice:
    """Nodes of host and disk have ids that no C int holds."""

    def test_they_have_details_and_a_menu_like_any_other(self, grown: Desk) -> None:
        seen = present(grown.session.cache.snapshot)
        below = tuple(
            replace(
                node,
                id=LAYER_IDS + node.id if node.id else 0,
                parent=LAYER_IDS + node.parent if node.parent else node.parent,
                tier="disk" if node.id else node.tier,
            )
            for node in seen.nodes
        )
        grown.bridge.perform(grown.session.cache.see(replace(seen, nodes=below, live=None)))
        grown.until(lambda: present(grown.session.cache.snapshot).nodes == below)
        canvas = grown.window.cache.canvas
        ask(canvas, spot(grown))
        menu = present(grown.window.findChild(NodeMenu))
        assert not entries(menu)["Verify checkpoint"]
        choose(menu, "Show details")
        assert canvas.selected is not None
        assert canvas.selected > LAYER_IDS
        assert commands.DescribeNode(canvas.selected) in grown.loop.posted
        assert grown.window.cache.drawer.isVisible()
