"""The views of the canvas: the same nodes in each, chips that open, and keys for all of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.cache.canvas import TreeCanvas
from app.cache.logic.axis import TOKENS
from app.cache.logic.folding import Folding
from app.cache.logic.layout import Layout
from app.cache.logic.table import LIVE_ID
from app.cache.logic.topology_arrangement import TopologyArrangement
from app.cache.tree_painter import RULER_PX
from app.cache.views import IcicleArrangement, LaneArrangement
from app.ui import theme
from engine.snapshot import CacheSnapshot, LiveView, NodeView
from tests.app.samples import node, random_tree, snapshot
from tests.present import present

NAMES = ("cells", "tokens", "memory", "topology")
# A trunk, a chain of ten, and a fan of twenty.
CHAIN = tuple(node(n, n - 1, (n - 1) * 40, n * 40, "prefill", text="On") for n in range(1, 12))
FAN = tuple(node(50 + n, 11, 440, 500 + 10 * n, "decode", text="Leaf") for n in range(20))
TREE = (*CHAIN, *FAN)


@pytest.fixture
def canvas(qtbot: QtBot) -> Iterator[TreeCanvas]:
    theme.keeper().set_mode("light")
    made = TreeCanvas()
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    yield made
    theme.keeper().set_mode("system")


def shown(canvas: TreeCanvas) -> Layout:
    return present(canvas.model.layout)


def middle(canvas: TreeCanvas, row: int) -> QPoint:
    """The middle of a row's box in the canvas' pixels."""
    layout, view = shown(canvas), canvas.viewport
    x = view.x((layout.scale.left[row] + layout.scale.right[row]) / 2)
    return QPoint(round(x), round(view.y(int(layout.lane[row])) + view.lane_px / 2) + RULER_PX + 2)


def chip_row(canvas: TreeCanvas, kind: str) -> int:
    return next(row for row, chip in shown(canvas).folded.chips.items() if chip.kind == kind)


def arrangements() -> list[LaneArrangement | IcicleArrangement | TopologyArrangement]:
    folding = Folding()
    return [
        LaneArrangement(TOKENS, folding),
        IcicleArrangement(folding),
        TopologyArrangement(folding),
    ]


class TestArrangements:
    @pytest.mark.parametrize("number", range(3), ids=["lanes", "memory", "topology"])
    @pytest.mark.parametrize("seed", range(4))
    def test_no_two_boxes_of_a_lane_overlap(self, number: int, seed: int) -> None:
        made = arrangements()[number].lay_out(snapshot(*random_tree(500, seed)))
        for lane in range(made.lanes):
            rows = np.flatnonzero((made.lane == lane) & (made.scale.right > made.scale.left))
            rows = rows[np.argsort(made.scale.left[rows], kind="stable")]
            assert (made.scale.right[rows[:-1]] <= made.scale.left[rows[1:]] + 1e-6).all()

    @pytest.mark.parametrize("number", range(3), ids=["lanes", "memory", "topology"])
    def test_advancing_is_what_laying_out_again_gives(self, number: int) -> None:
        at = LiveView(5, 60, 700, 590, 0, 720)
        before = snapshot(*TREE, live=at)
        after = snapshot(*TREE, live=replace(at, position=760))
        arrangement = arrangements()[number]
        fast = present(arrangement.advance(arrangement.lay_out(before), after))
        whole = arrangements()[number].lay_out(after)
        assert fast.table.ids.tolist() == whole.table.ids.tolist()
        assert fast.table.end.tolist() == whole.table.end.tolist()
        row = present(fast.row_of(LIVE_ID))
        inside = fast.scale.left[row] < fast.scale.x(row, 750) < fast.scale.right[row]
        assert inside
        assert arrangement.advance(fast, snapshot(*TREE, live=at, version=2)) is None

    def test_a_memory_chip_weighs_what_its_nodes_do(self) -> None:
        folding = Folding()
        arrangement = IcicleArrangement(folding)
        folded = arrangement.lay_out(snapshot(*TREE))
        total = present(arrangement.icicle).total
        for row, chip in folded.folded.chips.items():
            kv = present(arrangement.icicle).weights.kv[row]
            assert kv == chip.tokens * 10
        folding.on = False
        arrangement.lay_out(snapshot(*TREE))
        assert present(arrangement.icicle).total == total


@pytest.mark.parametrize("name", NAMES)
class TestEveryView:
    def test_each_node_is_under_the_pointer_where_it_is_drawn(
        self, canvas: TreeCanvas, name: str
    ) -> None:
        canvas.set_folded(False)
        canvas.show_view(name)
        canvas.show_snapshot(snapshot(*CHAIN, *FAN[:3]))
        canvas.fit()
        layout = shown(canvas)
        wide = (layout.scale.right - layout.scale.left) * canvas.viewport.px_per_unit > 14
        for row in np.flatnonzero(wide & (layout.table.parent >= 0)).tolist():
            spot = middle(canvas, row)
            assert canvas.row_at(spot.toPointF()) == row

    def test_it_draws_something(self, canvas: TreeCanvas, name: str) -> None:
        canvas.show_view(name)
        empty = pixels(canvas.grab().toImage())
        canvas.show_snapshot(snapshot(*TREE, live=LiveView(5, 60, 700, 590, 20, 720)))
        assert (pixels(canvas.grab().toImage()) != empty).mean() > 0.01

    def test_a_double_click_opens_a_chip(self, canvas: TreeCanvas, qtbot: QtBot, name: str) -> None:
        canvas.show_view(name)
        canvas.show_snapshot(snapshot(*TREE))
        canvas.fit()
        row = chip_row(canvas, "chain")
        chip = shown(canvas).folded.chips[row]
        assert not set(chip.ids) & set(shown(canvas).table.ids.tolist())
        qtbot.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=middle(canvas, row))
        assert set(chip.ids) <= set(shown(canvas).table.ids.tolist())
        assert canvas.selected == chip.ids[0]

    def test_replay_in_progress_is_drawn_on_the_path_of_the_request(
        self, canvas: TreeCanvas, name: str
    ) -> None:
        canvas.show_view(name)
        still = LiveView(5, 11, 440, 440, 0, 600)
        counted = []
        for live in (still, replace(still, reused=200, replayed=240, position=300)):
            canvas.show_snapshot(snapshot(*CHAIN, live=live))
            canvas.fit()
            counted.append(like(canvas.grab().toImage(), theme.current().colour("replayed")))
        assert counted[0] == 0
        assert counted[1] > 20


class TestChips:
    def given(self, canvas: TreeCanvas, *nodes: NodeView) -> CacheSnapshot:
        made = snapshot(*(nodes or TREE))
        canvas.show_snapshot(made)
        return made

    def test_keys_choose_the_view(self, canvas: TreeCanvas, qtbot: QtBot) -> None:
        for key, name in (("3", "memory"), ("4", "topology"), ("2", "tokens"), ("1", "cells")):
            qtbot.keyClicks(canvas, key)
            assert canvas.view.name == name

    def test_z_shows_every_node_and_folds_them_again(
        self, canvas: TreeCanvas, qtbot: QtBot
    ) -> None:
        given = self.given(canvas)
        folded = len(shown(canvas).table)
        assert folded < len(given.nodes)
        qtbot.keyClick(canvas, Qt.Key.Key_Z)
        assert len(shown(canvas).table) == len(given.nodes)
        qtbot.keyClick(canvas, Qt.Key.Key_Z)
        assert len(shown(canvas).table) == folded

    def test_a_chip_is_reached_and_opened_by_keys(self, canvas: TreeCanvas, qtbot: QtBot) -> None:
        self.given(canvas)
        canvas.select(1)
        told: list[object] = []
        canvas.chosen.connect(told.append)
        qtbot.keyClick(canvas, Qt.Key.Key_Right)
        assert present(canvas.selected) < LIVE_ID
        assert told == [None]
        # The panel answers a choice of nothing with nothing.
        canvas.reveal(None)
        qtbot.keyClick(canvas, Qt.Key.Key_Return)
        assert canvas.selected == 2
        assert told == [None, 2]
        assert set(range(2, 12)) <= set(shown(canvas).table.ids.tolist())

    def test_a_node_chosen_elsewhere_comes_out_of_its_chip(self, canvas: TreeCanvas) -> None:
        self.given(canvas)
        assert 6 not in shown(canvas).table.ids
        canvas.reveal(6)
        assert 6 in shown(canvas).table.ids
        assert canvas.selected == 6
        # And it stays when something else is chosen.
        canvas.reveal(1)
        assert 6 in shown(canvas).table.ids

    def test_what_a_search_found_comes_out(self, canvas: TreeCanvas) -> None:
        self.given(canvas)
        canvas.model.find(frozenset({5, 51}))
        assert {5, 51} <= set(shown(canvas).table.ids.tolist())

    def test_small_trees_are_not_folded(self, canvas: TreeCanvas) -> None:
        self.given(canvas, *CHAIN)
        assert not shown(canvas).folded.chips

    def test_hovering_says_what_a_chip_stands_for(self, canvas: TreeCanvas) -> None:
        self.given(canvas)
        canvas.fit()
        row = chip_row(canvas, "fan")
        text = canvas.tooltip_at(middle(canvas, row).toPointF())
        assert text.startswith("16 branches of 16 nodes\n")
        assert "Double-click or press Enter" in text


def pixels(image: QImage) -> np.ndarray:
    made = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(made.constBits(), np.uint32).reshape(made.height(), made.width()).copy()


def like(image: QImage, colour: QColor) -> int:
    """Pixels of about a colour."""
    flat = pixels(image)
    off = [
        np.abs((flat >> shift & 255).astype(int) - part)
        for shift, part in ((16, colour.red()), (8, colour.green()), (0, colour.blue()))
    ]
    return int((np.maximum.reduce(off) < 12).sum())
