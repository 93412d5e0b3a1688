"""The tree by keyboard, its overview, and one conversation of several in full."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.cache.canvas import KEY_LINES, TreeCanvas
from tests.app.cache.talk import NEXT, STUMP, SYSTEM, TALK
from tests.app.samples import node, random_tree, snapshot
from tests.present import present


@pytest.fixture
def canvas(qtbot: QtBot) -> TreeCanvas:
    made = TreeCanvas()
    qtbot.addWidget(made)
    made.resize(640, 320)
    made.show()
    return made


class TestKeys:
    def test_every_key_that_the_help_lists_is_known(self) -> None:
        told = {key.strip() for line in KEY_LINES for key in line.shown.split(", ")}
        assert {"F", "End", "T", "C", "Z", "W", "S", "A", "D", "Page Up", "P", "Enter"} <= told

    def test_checkpoints_are_walked_from_left_to_right(
        self, canvas: TreeCanvas, qtbot: QtBot
    ) -> None:
        canvas.show_snapshot(snapshot(*TALK))
        seen = []
        for _ in range(3):
            qtbot.keyClick(canvas, Qt.Key.Key_Period)
            seen.append(canvas.selected)
        assert seen == [SYSTEM.id, NEXT.id, NEXT.id]
        qtbot.keyClick(canvas, Qt.Key.Key_Comma)
        assert canvas.selected == SYSTEM.id

    def test_the_newest_is_followed_and_all_is_shown(
        self, canvas: TreeCanvas, qtbot: QtBot
    ) -> None:
        chain = [replace(node(1, 0, 0, 40, "prefill"), speech=SYSTEM.speech[:1])]
        for number in range(2, 30):
            start = chain[-1].end
            said = replace(SYSTEM.speech[2], start=start)
            one = node(number, number - 1, start, start + 40, "prefill")
            chain.append(replace(one, speech=(said,), created=float(number)))
        canvas.show_snapshot(snapshot(*chain))
        made = present(canvas.model.layout)
        end = canvas.viewport.x(made.extent)
        assert 0 < end < canvas.width()
        assert canvas.viewport.px_per_unit == made.readable
        qtbot.keyClick(canvas, Qt.Key.Key_F)
        assert canvas.viewport.shows(made.extent, made.lanes)
        qtbot.keyClick(canvas, Qt.Key.Key_End)
        assert canvas.viewport.x(made.extent) == end

    def test_control_and_a_letter_are_left_to_the_menus(
        self, canvas: TreeCanvas, qtbot: QtBot
    ) -> None:
        canvas.show_snapshot(snapshot(*TALK))
        before = canvas.viewport
        qtbot.keyClick(canvas, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
        assert canvas.viewport == before


class TestFocus:
    def test_c_folds_the_other_conversations_and_shows_them_again(
        self, canvas: TreeCanvas, qtbot: QtBot
    ) -> None:
        shared = replace(SYSTEM, owners=(1, 2))
        nodes = (shared, replace(NEXT, owners=(1,)), replace(STUMP, owners=(2,)))
        canvas.show_snapshot(snapshot(*nodes))
        canvas.show_chats({1: "One", 2: "Two"}.__getitem__, 1)
        assert canvas.model.folding.chats.focus is None
        qtbot.keyClick(canvas, Qt.Key.Key_C)
        chips = present(canvas.model.layout).folded.chips.values()
        assert [chip.title for chip in chips] == ["Two"]
        qtbot.keyClick(canvas, Qt.Key.Key_C)
        assert canvas.model.folding.chats.focus is None

    def test_a_conversation_alone_is_not_focused(self, canvas: TreeCanvas) -> None:
        canvas.set_focused(True)
        canvas.show_snapshot(snapshot(replace(SYSTEM, owners=(1,))))
        canvas.show_chats(str, 1)
        assert canvas.model.folding.chats.focus is None


class TestMinimap:
    def test_it_is_there_while_not_all_is_on_screen(self, canvas: TreeCanvas, qtbot: QtBot) -> None:
        canvas.show_snapshot(snapshot(*random_tree(8)))
        canvas.fit()
        assert not canvas.minimap.isVisible()
        canvas.zoom(6)
        assert canvas.minimap.isVisible()
        canvas.minimap.always = True
        canvas.fit()
        assert canvas.minimap.isVisible()

    def test_dragging_its_frame_moves_the_view(self, canvas: TreeCanvas, qtbot: QtBot) -> None:
        canvas.show_snapshot(snapshot(*random_tree(60)))
        canvas.set_folded(False)
        canvas.zoom(12)
        small = canvas.minimap
        where = []
        for x in (6, small.width() - 6):
            at = QPoint(x, 8)
            qtbot.mouseClick(small, Qt.MouseButton.LeftButton, pos=at)
            where.append(canvas.viewport.left)
            assert small.rect().contains(small.frame().toRect())
        assert where[0] < where[1]
