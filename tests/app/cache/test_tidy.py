"""The tidy tree: no overlaps, parents in the middle, subtrees alike, linear time."""

from __future__ import annotations

import random

import numpy as np
import pytest

from app.cache.logic.icicle import standing
from app.cache.logic.table import NodeTable, build_table
from app.cache.logic.topology_arrangement import GAP, Topology, lengths, spread, tidy
from tests.app.samples import node, random_tree, snapshot
from tests.stopwatch import Stopwatch

Sizes = tuple[list[list[int]], list[float], list[float]]


def made_up(count: int, seed: int) -> Sizes:
    """A random tree of boxes of random sizes."""
    rng = random.Random(seed)
    children: list[list[int]] = [[] for _ in range(count)]
    for number in range(1, count):
        near = rng.random() < 0.6
        children[
            rng.randrange(max(0, number - 6), number) if near else rng.randrange(number)
        ].append(number)
    length = [rng.choice((1.0, 2.0, 9.0, 40.0)) for _ in range(count)]
    return children, length, [rng.choice((1.0, 3.0, 10.0)) for _ in range(count)]


def overlaps(
    along: list[float], across: list[float], length: list[float], breadth: list[float]
) -> list[tuple[int, int]]:
    """Pairs of boxes that share more than an edge, by a sweep across."""
    order = sorted(range(len(along)), key=across.__getitem__)
    found, open_now = [], list[int]()
    for one in order:
        open_now = [o for o in open_now if across[o] + breadth[o] > across[one] + 1e-6]
        found += [
            (o, one)
            for o in open_now
            if along[o] + length[o] > along[one] + 1e-6
            and along[one] + length[one] > along[o] + 1e-6
        ]
        open_now.append(one)
    return found


@pytest.mark.parametrize("seed", range(25))
class TestTidy:
    def test_no_two_boxes_overlap(self, seed: int) -> None:
        children, length, breadth = made_up(180, seed)
        along, across = tidy(children, length, breadth)
        assert overlaps(along, across, length, breadth) == []

    def test_children_begin_where_their_parent_ends_and_it_stands_in_their_middle(
        self, seed: int
    ) -> None:
        children, length, breadth = made_up(180, seed)
        along, across = tidy(children, length, breadth)
        for parent, kids in enumerate(children):
            assert all(along[kid] == along[parent] + length[parent] for kid in kids)
            assert [across[kid] for kid in kids] == sorted(across[kid] for kid in kids)
            if kids:
                reach = across[kids[0]] + across[kids[-1]] + breadth[kids[-1]]
                assert across[parent] + breadth[parent] / 2 == pytest.approx(reach / 2)
        assert min(across) == 0

    def test_a_subtree_is_drawn_alike_wherever_it_stands(self, seed: int) -> None:
        children, length, breadth = made_up(40, seed)
        _, alone = tidy(children, length, breadth)
        size = len(children)
        moved = [[k + 2 for k in kids] for kids in children]
        beside = [[1, 2], [], *moved]
        _, both = tidy(beside, [1.0, 5.0, *length], [1.0, 4.0, *breadth])
        shift = both[2] - alone[0]
        assert both[2 : size + 2] == pytest.approx([a + shift for a in alone])


class TestEdges:
    def test_nothing_and_one(self) -> None:
        assert tidy([], [], []) == ([], [])
        assert tidy([[]], [3.0], [2.0]) == ([0.0], [0.0])

    def test_a_chain_as_deep_as_it_is_long(self) -> None:
        size = 5000
        chain = [[n + 1] if n + 1 < size else [] for n in range(size)]
        along, across = tidy(chain, [2.0] * size, [1.0] * size)
        assert along[-1] == 2.0 * (size - 1)
        assert set(across) == {0.0}

    def test_a_long_node_leaves_room_for_short_branches_above_it(self) -> None:
        """A layered tree cannot: a short branch's children stand above a long one."""
        children = [[1, 2], [3], [], []]
        _, across = tidy(children, [1.0, 1.0, 8.0, 1.0], [1.0, 1.0, 1.0, 1.0])
        assert across[2] - across[1] == 1.0


def spread_out(count: int, seed: int = 7) -> tuple[NodeTable, Topology]:
    given = snapshot(*random_tree(count, seed))
    table = build_table(given)
    return table, spread(table, standing(table))


def overlapping(made: Topology) -> int:
    """Pairs of neighbours in a lane that overlap."""
    order = np.lexsort((made.left, made.lane))
    same = np.diff(made.lane[order]) == 0
    return int((same & (made.right[order][:-1] > made.left[order][1:])).sum())


class TestTopology:
    @pytest.mark.parametrize("seed", range(6))
    def test_no_two_boxes_of_a_lane_overlap(self, seed: int) -> None:
        table, made = spread_out(2000, seed)
        assert overlapping(made) == 0
        assert made.lane.min() == 0
        above = table.parent[1:]
        assert np.allclose(made.left[1:] - made.right[above], GAP)

    @pytest.mark.slow
    def test_fifty_thousand_nodes(self) -> None:
        watch = Stopwatch()
        _, made = spread_out(50_000)
        took = watch.spent_s()
        assert overlapping(made) == 0
        # Generous: idle it takes half a second, of which the tidy tree is a third.
        assert took < 10.0

    def test_a_parent_stands_in_the_middle_of_its_children(self) -> None:
        table, made = spread_out(1000)
        for row, kids in enumerate(table.children):
            if kids:
                lanes = made.lane[list(kids)]
                assert abs(made.lane[row] - (lanes.min() + lanes.max()) / 2) <= 1

    def test_more_tokens_are_longer(self) -> None:
        table = build_table(snapshot(node(1, 0, 0, 10), node(2, 0, 0, 10_000)))
        made = dict(zip(table.ids.tolist(), lengths(table).tolist(), strict=True))
        assert made[0] < made[1] < made[2] < 3 * made[1]

    def test_an_empty_cache_is_a_root(self) -> None:
        table = build_table(snapshot())
        made = spread(table, np.zeros(1, dtype=np.int64))
        assert (made.lanes, made.lane.tolist()) == (1, [0])
