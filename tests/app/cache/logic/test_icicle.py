"""Memory as an icicle: widths are bytes and add up, nothing overlaps or changes places."""

from __future__ import annotations

import random

import numpy as np
import pytest
from msgspec.structs import replace

from app.cache.logic.arrays import Ints
from app.cache.logic.icicle import Boxes, Icicle, boxes, hang, own_bytes, standing
from app.cache.logic.table import build_table
from engine.snapshot import CacheSnapshot, LiveView, NodeView
from tests.app.samples import node, random_tree, snapshot
from tests.stopwatch import times_s

TRUNK = (
    node(1, 0, 0, 500, "prefill"),
    node(2, 1, 500, 900, "prefill"),
    node(3, 1, 500, 620),
)


def icicle(*nodes: NodeView, live: LiveView | None = None) -> Icicle:
    return hung(snapshot(*nodes, live=live))


def hung(given: CacheSnapshot) -> Icicle:
    table = build_table(given)
    return hang(table, *own_bytes(given, table), standing(table))


def aged(nodes: tuple[NodeView, ...]) -> tuple[NodeView, ...]:
    """Each node made a second after the one before it."""
    return tuple(replace(one, created=float(one.id)) for one in nodes)


def members(icicle: Icicle, boxed: Boxes, box: int) -> Ints:
    """The rows at the top of what a box stands for: itself, or a run of siblings."""
    row, left = int(boxed.row[box]), 0
    siblings = icicle.order[
        (icicle.table.parent[icicle.order] == icicle.table.parent[row])
        & (icicle.depth[icicle.order] == icicle.depth[row])
    ]
    at = int(np.flatnonzero(siblings == row)[0])
    end = at
    while end < len(siblings) and left < boxed.count[box]:
        left += int(icicle.count[siblings[end]])
        end += 1
    found: Ints = siblings[at:end]
    return found


class TestWidths:
    def test_a_box_holds_its_own_bytes_and_those_below(self) -> None:
        made = icicle(*TRUNK)
        row = {number: made.table.ids.tolist().index(number) for number in (1, 2, 3)}
        assert made.weights.own[row[1]] == 500 * 10 + 1000
        assert made.weights.whole[row[1]] == (500 + 400 + 120) * 10 + 2000
        assert (made.weights.kv[row[3]], made.weights.state[row[3]]) == (1200, 0)
        assert made.weights.state_below[row[1]] == 2000
        assert made.total == made.weights.whole[row[1]]

    def test_the_whole_is_what_the_pools_hold(self) -> None:
        given = snapshot(*random_tree(400))
        made = hung(given)
        assert made.weights.kv_below[0] == given.kv.cached * given.kv.slot_bytes
        assert made.weights.state_below[0] == given.state.cached * given.state.slot_bytes

    def test_the_running_request_takes_what_is_live(self) -> None:
        given = snapshot(*TRUNK, live=LiveView(5, 1, 520, 500, 0, 700))
        made = hung(given)
        assert made.weights.kv_below[0] == (given.kv.cached + given.kv.live) * 10
        assert made.weights.state_below[0] == (given.state.cached + given.state.live) * 1000

    @pytest.mark.parametrize("seed", range(8))
    def test_children_fill_their_parent_up_to_its_own_bytes(self, seed: int) -> None:
        made = icicle(*random_tree(300, seed))
        whole, parent = made.weights.whole, made.table.parent
        for row in range(len(made.table)):
            kids = sorted(np.flatnonzero(parent == row).tolist(), key=lambda k: int(made.left[k]))
            at = int(made.left[row])
            for kid in kids:
                assert made.left[kid] == at
                assert made.depth[kid] == made.depth[row] + 1
                at += int(whole[kid])
            assert at + made.weights.own[row] == made.left[row] + whole[row]

    def test_an_empty_cache(self) -> None:
        made = icicle()
        assert (made.total, made.levels) == (0, 1)
        assert made.hit(0, 0) is None


class TestPlaces:
    def test_a_point_finds_its_box(self) -> None:
        made = icicle(*TRUNK)
        ids = made.table.ids
        assert ids[made.hit(0, 1)] == 1
        assert ids[made.hit(4999, 2)] == 2
        assert ids[made.hit(5000, 2)] == 3
        assert made.hit(5000 + 1200, 2) is None
        assert made.hit(0, 3) is None

    @pytest.mark.parametrize("seed", range(6))
    def test_siblings_keep_their_order_while_the_tree_grows_splits_and_shrinks(
        self, seed: int
    ) -> None:
        rng = random.Random(seed)
        nodes = list(aged(random_tree(200, seed)))
        before: list[int] = []
        for step in range(30):
            leaf = rng.choice([n for n in nodes if n.id not in {m.parent for m in nodes}])
            if rng.random() < 0.5:
                nodes.remove(leaf)
            elif leaf.end - leaf.start > 1:
                upper = replace(leaf, id=1000 + step, end=leaf.start + 1, checkpoint=None)
                nodes[nodes.index(leaf)] = upper
                nodes.append(replace(leaf, parent=upper.id, start=upper.end))
            made = icicle(*nodes)
            leaves = made.table.ids[np.lexsort((made.depth, made.left))].tolist()
            known = set(before) & set(leaves)
            assert [i for i in leaves if i in known] == [i for i in before if i in known]
            before = leaves


class TestBoxes:
    @pytest.mark.parametrize("seed", range(8))
    @pytest.mark.parametrize("width", [60.0, 900.0])
    def test_every_node_is_drawn_or_counted_once(self, seed: int, width: float) -> None:
        made = icicle(*random_tree(500, seed))
        drawn = boxes(made, 0.0, width / made.total, width)
        assert drawn.count.sum() == len(made.table)
        found = np.concatenate([members(made, drawn, box) for box in range(len(drawn.row))])
        assert len(np.unique(found)) == len(found)

    @pytest.mark.parametrize("seed", range(8))
    def test_boxes_of_a_level_never_overlap_and_lie_under_their_parents(self, seed: int) -> None:
        made = icicle(*random_tree(500, seed))
        drawn = boxes(made, 0.0, 400 / made.total, 400.0)
        for level in range(made.levels):
            mine = np.flatnonzero(drawn.level == level)
            mine = mine[np.argsort(drawn.left[mine], kind="stable")]
            ends = drawn.left[mine] + drawn.width[mine]
            assert (ends[:-1] <= drawn.left[mine][1:] + 1e-6).all()
        place = {int(row): box for box, row in enumerate(drawn.row)}
        for box, row in enumerate(drawn.row.tolist()):
            if row:
                above = place[int(made.table.parent[row])]
                assert not drawn.counted[above]
                assert drawn.left[above] <= drawn.left[box] + 1e-6
                right = drawn.left[above] + drawn.width[above]
                assert drawn.left[box] + drawn.width[box] <= right + 1e-6

    def test_what_is_wide_enough_is_itself(self) -> None:
        made = icicle(*random_tree(500))
        drawn = boxes(made, 0.0, 400 / made.total, 400.0, least_px=3.0)
        wide = made.weights.whole * (400 / made.total) >= 3.0
        assert set(drawn.row[~drawn.counted].tolist()) >= set(np.flatnonzero(wide).tolist())
        assert not wide[drawn.row[drawn.counted]].any()

    def test_small_neighbours_are_one_counted_box(self) -> None:
        big = node(1, 0, 0, 100_000)
        small = [node(n, 0, 0, 2, text="x") for n in range(2, 12)]
        made = icicle(*aged((big, *small)))
        drawn = boxes(made, 0.0, 100 / made.total, 100.0)
        (counted,) = np.flatnonzero(drawn.counted).tolist()
        assert drawn.count[counted] == 10
        assert len(members(made, drawn, counted)) == 10
        assert len(drawn.row) == 3

    def test_zoomed_in_only_what_is_on_screen(self) -> None:
        made = icicle(*random_tree(2000))
        near = boxes(made, made.total * 0.4, 4000 / made.total, 400.0)
        assert 0 < len(near.row) < 400
        assert (near.left <= 400).all()
        assert (near.left + near.width >= 0).all()

    def test_few_boxes_of_very_many(self) -> None:
        nodes = tuple(node(n, 0, 0, 10 + n % 90, "prefill") for n in range(1, 20_001))
        made = icicle(*nodes)
        drawn = boxes(made, 0.0, 1400 / made.total, 1400.0)
        assert len(drawn.row) == 2
        # Generous; it takes about a millisecond.
        assert times_s(lambda: boxes(made, 0.0, 1400 / made.total, 1400.0), 3)[0] < 0.1
