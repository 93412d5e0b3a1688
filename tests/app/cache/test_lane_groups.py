"""Lanes of several engines: a group each, under a heading, that stays where it is."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.cache.canvas import TreeCanvas
from app.cache.logic.axis import TOKENS, Viewport
from app.cache.logic.folding import LEAST_NODES, Folding
from app.cache.logic.geometry import Geometry
from app.cache.logic.lanes import STEP_LANES, GroupedLaneAssigner, LaneAssigner
from app.cache.logic.layout import Layout, lay_out
from app.cache.views import LaneArrangement, headings
from engine.snapshot import CacheSnapshot, NodeView
from tests.app.samples import node, snapshot
from tests.present import present


def engine(number: int, branches: int, first: int) -> list[NodeView]:
    """An engine's tree: a trunk and some branches, all of one owner."""
    made = [
        replace(node(number, 0, 0, 0), lane=f"engine {number}"),
        node(first, number, 0, 100),
        *(node(first + n, first, 100, 200 + n) for n in range(1, branches + 1)),
    ]
    return [replace(one, owners=(number,)) for one in made]


def fleet(*branches: int) -> CacheSnapshot:
    nodes = [engine(n, count, 1000 * n) for n, count in enumerate(branches, 1)]
    return snapshot(*(one for tree in nodes for one in tree))


def lanes_of(made: Layout, number: int) -> set[int]:
    """The lanes in which an engine has tokens."""
    table = made.table
    own = (table.owner == number) & (table.end > table.start)
    return set(made.lane[own].tolist())


class TestGroups:
    def test_no_lane_of_one_engine_is_between_those_of_another(self) -> None:
        made = lay_out(fleet(3, 5, 1), GroupedLaneAssigner())
        assert [group.title for group in made.groups] == ["engine 1", "engine 2", "engine 3"]
        for group in made.groups:
            inside = set(range(group.first + 1, group.first + group.count))
            assert lanes_of(made, group.node) <= inside
        # One below the other, without a lane between them.
        ends = [group.first + group.count for group in made.groups]
        assert [group.first for group in made.groups] == [0, *ends[:-1]]

    @pytest.mark.parametrize("seed", range(5))
    def test_random_fleets(self, seed: int) -> None:
        rng = random.Random(seed)
        book, counts = GroupedLaneAssigner(), [rng.randint(0, 12) for _ in range(rng.randint(2, 9))]
        for _ in range(6):
            counts[rng.randrange(len(counts))] += rng.randint(0, 6)
            made = lay_out(fleet(*counts), book)
            found = [lanes_of(made, n) for n in range(1, len(counts) + 1)]
            for mine, theirs in pairwise(found):
                assert max(mine) < min(theirs)

    def test_within_a_group_lanes_are_as_if_it_were_alone(self) -> None:
        made = lay_out(fleet(2, 4), GroupedLaneAssigner())
        alone = lay_out(snapshot(*engine(2, 4, 2000)[1:]), LaneAssigner())
        first = made.groups[1].first + 1
        table = made.table
        own = (table.owner == 2) & (table.end > table.start)
        wanted = {int(n): int(lane) for n, lane in zip(alone.table.ids, alone.lane, strict=True)}
        ids, lanes = table.ids[own].tolist(), made.lane[own].tolist()
        assert {n: lane - first for n, lane in zip(ids, lanes, strict=True)} == {
            n: wanted[n] for n in ids
        }

    def test_one_engine_has_no_groups(self) -> None:
        nodes = engine(1, 4, 1000)[1:]
        made = lay_out(snapshot(*nodes), GroupedLaneAssigner())
        assert made.groups == ()
        assert np.array_equal(made.lane, lay_out(snapshot(*nodes), LaneAssigner()).lane)

    def test_what_is_below_moves_by_steps_only(self) -> None:
        book = GroupedLaneAssigner()
        firsts = [
            lay_out(fleet(count, 2), book).groups[1].first for count in range(STEP_LANES + 1, 20)
        ]
        assert len(set(firsts)) <= 1 + (20 - STEP_LANES) // STEP_LANES
        # Nor does anything come back up when branches go, until the user tidies up.
        assert lay_out(fleet(1, 2), book).groups[1].first == firsts[-1]
        book.forget()
        assert lay_out(fleet(1, 2), book).groups[1].first < firsts[-1]

    def test_an_engine_that_goes_leaves_no_hole(self) -> None:
        book = GroupedLaneAssigner()
        lay_out(fleet(3, 3, 3), book)
        nodes = [*engine(1, 3, 1000), *engine(3, 3, 3000)]
        made = lay_out(snapshot(*nodes), book)
        assert [group.node for group in made.groups] == [1, 3]
        assert made.groups[1].first == made.groups[0].count

    def test_engines_are_not_folded_into_one_another(self) -> None:
        counts = [2] * (LEAST_NODES // 2)
        made = lay_out(fleet(*counts), GroupedLaneAssigner(), (), TOKENS, Folding())
        assert len(made.groups) == len(counts)

    def test_what_fades_keeps_its_lane(self) -> None:
        book = GroupedLaneAssigner()
        made = lay_out(fleet(2, 2), book)
        group = made.groups[1]
        held = (group.first + 2, 100.0, 400.0)
        again = lay_out(fleet(2, 6), book, [held])
        assert again.groups[1].first == group.first
        lanes = again.lane[(again.scale.left < 400) & (again.scale.right > 100)]
        assert (lanes == held[0]).sum() <= (made.lane == held[0]).sum()


class TestHeadings:
    def frame(self, view: Viewport) -> Geometry:
        made = LaneArrangement(TOKENS).lay_out(fleet(3, 3, 3))
        return Geometry.of(view, made)

    def test_each_group_has_its_name_at_its_top(self) -> None:
        frame = self.frame(Viewport(width=800, height=800, lane_px=20))
        groups = frame.layout.groups
        assert headings(frame) == [(one.title, one.first * 20.0) for one in groups]

    def test_a_group_that_begins_further_up_has_it_at_the_edge(self) -> None:
        frame = self.frame(Viewport(width=800, height=80, lane_px=20, top=30.0))
        assert headings(frame)[0] == ("engine 1", 0.0)

    def test_names_never_stand_over_one_another(self) -> None:
        frame = self.frame(Viewport(width=800, height=800, lane_px=2))
        found = headings(frame)
        assert 0 < len(found) < 3 or all(
            after - before >= 15 for (_, before), (_, after) in pairwise(found)
        )


class TestCanvas:
    def test_it_is_painted_and_a_card_says_where_else(self, qtbot: QtBot) -> None:
        canvas = TreeCanvas()
        qtbot.addWidget(canvas)
        canvas.resize(700, 400)
        canvas.model.also = lambda number: f"also on engine {number}"
        canvas.show()
        canvas.show_view("tokens")
        canvas.show_snapshot(fleet(3, 3))
        groups = present(canvas.model.layout).groups
        assert [group.title for group in groups] == ["engine 1", "engine 2"]
        assert not canvas.grab().isNull()
        canvas.select(2000)
        canvas.pin_card()
        assert "also on engine 2000" in canvas.cards.pinned[2000].text.text()
