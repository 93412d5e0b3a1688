"""What is followed keeps its surroundings: no blank lanes, and nothing over the newest."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.cache.canvas import TreeCanvas
from app.cache.logic.name_tags import outside
from app.cache.tree_painter import RULER_PX
from engine.snapshot import NodeView
from tests.app.cache.talk import said
from tests.app.samples import node, snapshot
from tests.present import present

TITLES = {1: "The long one", 2: "Bread", 3: "Lighthouses"}


def turns(first: int, owner: int, count: int) -> list[NodeView]:
    """A conversation: a question and an answer, again and again."""
    made: list[NodeView] = []
    for number in range(count):
        start, above = 40 * number, first + number - 1 if number else 0
        one = said(
            node(first + number, above, start, start + 40, "prefill"),
            (start, "user", f"What about {number}?"),
            (start + 10, "assistant", f"It is {number}."),
        )
        made.append(replace(one, owners=(owner,), created=float(1000 * (4 - owner) + number)))
    return made


@pytest.fixture
def canvas(qtbot: QtBot) -> TreeCanvas:
    """As in the narrow pane: a long conversation that was used last, and two short ones."""
    made = TreeCanvas()
    qtbot.addWidget(made)
    made.resize(446, 200)
    made.set_folded(False)
    made.show()
    made.show_snapshot(snapshot(*turns(1, 1, 20), *turns(100, 2, 2), *turns(200, 3, 1)))
    made.show_chats(TITLES.__getitem__, 1)
    made.follow()
    return made


def named(canvas: TreeCanvas) -> dict[str, int]:
    chats = canvas.model.folding.chats
    found = outside(present(canvas.model.layout), canvas.viewport, chats)
    return {one.words: one.lane for one in found}


class TestNames:
    def test_lanes_that_ended_to_the_left_are_named(self, canvas: TreeCanvas) -> None:
        assert canvas.viewport.left > 0
        assert set(named(canvas)) == {"Bread", "Lighthouses"}

    @pytest.mark.parametrize("focused", [False, True])
    def test_no_lane_on_screen_is_blank_that_has_something(
        self, canvas: TreeCanvas, focused: bool
    ) -> None:
        canvas.set_focused(focused)
        canvas.follow()
        made, view = present(canvas.model.layout), canvas.viewport
        lanes = range(view.lane(0), min(made.lanes, view.lane(view.height - 1) + 1))
        assert len(lanes) == 3
        named_lanes = set(named(canvas).values())
        for lane in lanes:
            assert lane in named_lanes or len(made.visible(view.left, view.right, lane, lane))

    def test_where_something_is_seen_no_name_is_needed(self, canvas: TreeCanvas) -> None:
        canvas.pan(10_000, 0)
        assert named(canvas) == {}

    def test_in_one_conversation_a_branch_is_named_by_what_it_says(
        self, canvas: TreeCanvas
    ) -> None:
        branch = said(replace(node(300, 1, 40, 60), owners=(1,)), (40, "user", "Go back"))
        canvas.show_snapshot(snapshot(*turns(1, 1, 20), branch))
        assert set(named(canvas)) == {"Go back"}

    def test_a_click_on_a_name_goes_there(self, canvas: TreeCanvas) -> None:
        lane = named(canvas)["Bread"]
        y = round(canvas.viewport.y(lane + 0.5)) + RULER_PX
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(30, y))
        assert canvas.selected == 101
        row = present(canvas.model.selected_row)
        made, view = present(canvas.model.layout), canvas.viewport
        assert made.scale.right[row] > view.left
        assert made.scale.left[row] < view.right


class TestMinimap:
    @pytest.mark.parametrize("last", [False, True], ids=["newest above", "newest below"])
    def test_it_does_not_lie_over_the_newest(self, canvas: TreeCanvas, last: bool) -> None:
        canvas.show_snapshot(None)
        canvas.resize(446, 24 + 3 * 42)
        short = [*turns(100, 2, 2), *turns(200, 3, 1)]
        if last:
            # Who comes later gets the lane below.
            canvas.show_snapshot(snapshot(*short))
        canvas.show_snapshot(snapshot(*short, *turns(1, 1, 20)))
        canvas.follow()
        row = present(canvas.model.layout).row_of(20)
        assert present(canvas.model.layout).lane[row] == (2 if last else 0)
        where = canvas.minimap.geometry()
        assert canvas.minimap.isVisible()
        assert (where.top() < canvas.height() / 2) == last
        top = where.top() - RULER_PX
        assert not canvas.model.covers(where.left(), top, where.right(), top + where.height())
