"""What of the tree is on screen, without a window."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from app.cache.logic.axis import CELLS, TOKENS, Axis
from app.cache.logic.tree_model import TreeModel
from app.cache.views import LaneArrangement
from engine.snapshot import NodeView
from tests.app.cache.talk import TALK
from tests.app.samples import node, random_tree, snapshot
from tests.present import present


def model(*nodes: NodeView, axis: Axis = CELLS) -> TreeModel:
    made = TreeModel(LaneArrangement(axis))
    made.resize(600, 300)
    made.show(snapshot(*nodes), (), 0.0)
    return made


def seen(of: TreeModel) -> int:
    """How many rows are on screen."""
    view = of.viewport
    top, bottom = view.lane(0), view.lane(view.height - 1)
    return len(present(of.layout).visible(view.left, view.right, top, bottom))


class TestNeverLost:
    @pytest.mark.parametrize("axis", [TOKENS, CELLS], ids=lambda axis: axis.name)
    @pytest.mark.parametrize("seed", range(6))
    def test_something_stays_on_screen_whatever_the_user_does(self, axis: Axis, seed: int) -> None:
        chance = random.Random(seed)
        long = node(1, 0, 0, 6_000, "prefill")
        short = [node(n, 0, 0, 20) for n in range(2, 40)]
        made = model(*(TALK if seed % 2 else (long, *short)), axis=axis)
        for _ in range(200):
            if chance.random() < 0.5:
                at = chance.uniform(0, 600), chance.uniform(0, 300)
                made.zoom(chance.choice([0.2, 0.8, 1.2, 6.0]), *at)
            else:
                made.pan(chance.uniform(-2e3, 2e3), chance.uniform(-2e3, 2e3))
            assert seen(made) > 0

    def test_a_pan_that_shows_something_is_not_corrected(self) -> None:
        made = model(*random_tree(200), axis=TOKENS)
        made.zoom(3, 300, 20)
        before = made.viewport
        made.pan(-40, 0)
        assert made.viewport.left == pytest.approx(before.left + 40 / before.px_per_unit)


class TestSelection:
    def test_a_node_stays_selected_where_only_its_number_is_another(self) -> None:
        trunk, leaf = node(1, 0, 0, 500, "prefill"), node(2, 1, 500, 600)
        made = model(trunk, replace(leaf, key="77aa"))
        made.select(2)
        made.show(snapshot(trunk, replace(leaf, id=9, key="77aa"), version=2), (), 1.0)
        assert made.selected == 9
        made.show(snapshot(trunk, version=3), (), 2.0)
        assert made.selected is None


class TestViews:
    def test_another_arrangement_keeps_the_selection_and_shows_all(self) -> None:
        made = model(*TALK)
        made.selected = 3
        made.zoom(4, 0, 0)
        made.arrange(LaneArrangement(TOKENS))
        assert made.selected == 3
        assert made.viewport.shows(made.extent, made.lanes)
        assert present(made.layout).extent == 345

    def test_without_speakers_messages_give_way_to_tokens(self) -> None:
        made = model(node(1, 0, 0, 500, "prefill"))
        assert present(made.layout).extent == 500
        made.show(snapshot(*TALK), (), 0.0)
        assert present(made.layout).extent != 345
