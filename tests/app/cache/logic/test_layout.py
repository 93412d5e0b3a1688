"""Lanes: forks at their exact token, nothing jumps, large trees are fast."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.cache.logic.lanes import LaneAssigner
from app.cache.logic.layout import Layout, advance, lay_out
from app.cache.logic.table import LIVE_ID, build_table
from engine.snapshot import CacheSnapshot, LiveView
from tests.app.samples import node, random_tree, snapshot
from tests.stopwatch import Stopwatch, times_s


def lanes_of(layout: Layout) -> dict[int, int]:
    return dict(zip(layout.table.ids.tolist(), layout.lane.tolist(), strict=True))


def assert_sound(layout: Layout) -> None:
    """No two nodes of a lane overlap, and every fork begins where its parent ends."""
    table = layout.table
    for lane in range(layout.lanes):
        rows = np.flatnonzero((layout.lane == lane) & (table.end > table.start))
        rows = rows[np.argsort(table.start[rows])]
        assert (table.end[rows[:-1]] <= table.start[rows[1:]]).all()
    for row in layout.forks.tolist():
        assert table.start[row] == table.end[table.parent[row]]


TRUNK = (
    node(1, 0, 0, 500, "prefill"),
    node(2, 1, 500, 900, "prefill"),
    node(3, 1, 500, 620, "decode"),
)


class TestLanes:
    def test_the_heavy_path_keeps_its_lane_and_the_fork_leaves_at_its_token(self) -> None:
        made = lay_out(snapshot(*TRUNK), LaneAssigner())
        assert lanes_of(made) == {0: 0, 1: 0, 2: 0, 3: 1}
        assert made.table.start[made.forks].tolist() == [500]
        assert made.table.ids[made.forks].tolist() == [3]

    def test_a_heavier_branch_later_does_not_take_the_lane(self) -> None:
        book = LaneAssigner()
        lay_out(snapshot(*TRUNK), book)
        grown = (*TRUNK, node(4, 3, 620, 5000, "prefill"))
        assert lanes_of(lay_out(snapshot(*grown), book)) == {0: 0, 1: 0, 2: 0, 3: 1, 4: 1}

    def test_a_split_stays_where_the_node_was(self) -> None:
        book = LaneAssigner()
        lay_out(snapshot(*TRUNK), book)
        split = (
            TRUNK[0],
            TRUNK[1],
            node(9, 1, 500, 550),
            node(3, 9, 550, 620, "decode"),
            node(10, 9, 550, 700, "prefill"),
        )
        made = lay_out(snapshot(*split), book)
        lanes = lanes_of(made)
        assert (lanes[9], lanes[3], lanes[2]) == (1, 1, 0)
        assert lanes[10] not in (0, 1)
        assert_sound(made)

    def test_a_gap_in_a_lane_is_used(self) -> None:
        nodes = (
            node(1, 0, 0, 4000, "prefill"),
            node(2, 0, 0, 100, "prefill"),
            node(3, 1, 4000, 5000),
            node(4, 1, 4000, 4100),
        )
        lanes = lanes_of(lay_out(snapshot(*nodes), LaneAssigner()))
        assert lanes[4] == lanes[2] == 1

    def test_eviction_moves_nothing_until_it_has_faded(self) -> None:
        book = LaneAssigner()
        nodes = random_tree(300)
        made = lay_out(snapshot(*nodes), book)
        before = lanes_of(made)
        parents = {n.parent for n in nodes}
        left = tuple(n for n in nodes if n.id in parents or n.id % 3)
        fading = ((made.lanes - 1, made.extent, made.extent + 9),)
        after = lanes_of(lay_out(snapshot(*left), book, fading))
        assert all(before[number] == lane for number, lane in after.items())
        assert len(set(after.values())) <= max(after.values())
        closed = lanes_of(lay_out(snapshot(*left), book))
        assert set(closed.values()) == set(range(max(closed.values()) + 1))
        # None passes another, and none comes to lie in another's lane.
        pairs = {(lane, closed[number]) for number, lane in after.items()}
        assert [pair[1] for pair in sorted(pairs)] == list(range(len(pairs)))

    def test_growth_into_a_neighbour_moves_only_the_neighbour(self) -> None:
        book = LaneAssigner()
        nodes = (
            node(1, 0, 0, 4000, "prefill"),
            node(2, 0, 0, 100, "prefill"),
            node(3, 1, 4000, 5000),
            node(4, 1, 4000, 4100),
        )
        lay_out(snapshot(*nodes), book)
        grown = (*nodes[:1], node(2, 0, 0, 4050, "prefill"), *nodes[2:])
        made = lay_out(snapshot(*grown), book)
        lanes = lanes_of(made)
        assert (lanes[1], lanes[2], lanes[3]) == (0, 1, 0)
        assert lanes[4] > 1
        assert_sound(made)

    @pytest.mark.parametrize("seed", range(6))
    def test_growing_trees_stay_sound_and_stable(self, seed: int) -> None:
        book = LaneAssigner()
        nodes = random_tree(240, seed)
        known: dict[int, int] = {}
        for count in range(20, 241, 20):
            made = lay_out(snapshot(*nodes[:count]), book)
            lanes = lanes_of(made)
            assert_sound(made)
            assert all(lanes[number] == lane for number, lane in known.items())
            known = lanes

    def test_a_wide_tree_keeps_the_order_of_its_lanes(self) -> None:
        book = LaneAssigner()
        nodes = tuple(node(n, 0, 0, 50, "prefill") for n in range(1, 200))
        lay_out(snapshot(*nodes), book)
        after = lanes_of(lay_out(snapshot(*nodes[100:]), book))
        assert after == {0: 0, **{number: number - 100 for number in range(101, 200)}}

    def test_an_empty_tree_has_no_extent(self) -> None:
        made = lay_out(snapshot(), LaneAssigner())
        assert (made.extent, len(made.forks), made.hit(0, 0)) == (0, 0, None)


class TestLive:
    def live(self, position: int, parent: int = 1) -> CacheSnapshot:
        view = LiveView(5, parent, position, 400, 100, 700)
        return snapshot(*TRUNK, live=view)

    def test_the_running_request_is_a_row_of_its_own(self) -> None:
        made = lay_out(self.live(560), LaneAssigner())
        row = made.row_of(LIVE_ID)
        assert row is not None
        assert (made.table.start[row], made.table.end[row]) == (500, 700)
        assert made.on_path[row]
        assert made.on_path[made.row_of(1)]
        assert not made.on_path[made.row_of(2)]

    def test_the_node_it_becomes_takes_over_its_lane(self) -> None:
        book = LaneAssigner()
        made = lay_out(self.live(560), book)
        lane = int(made.lane[made.row_of(LIVE_ID)])
        stored = lay_out(snapshot(*TRUNK, node(12, 1, 500, 700, "prefill")), book)
        assert lanes_of(stored)[12] == lane

    def test_decoding_moves_the_end(self) -> None:
        table = build_table(self.live(730))
        assert table.end.max() == 900
        assert 730 in table.end.tolist()


class TestAdvance:
    def test_it_gives_what_a_whole_layout_would(self) -> None:
        book = LaneAssigner()
        at = LiveView(5, 2, 950, 900, 0, 940)
        before = lay_out(snapshot(*TRUNK, live=at), book)
        moved = snapshot(*TRUNK, live=replace(at, position=1400))
        fast, whole = advance(before, moved), lay_out(moved, LaneAssigner())
        assert fast is not None
        assert fast.table.end.tolist() == whole.table.end.tolist()
        assert (fast.lane == whole.lane).all()
        assert fast.extent == whole.extent == 1400
        assert fast.hit(899, 0) == whole.hit(899, 0)

    @pytest.mark.parametrize(
        "other",
        [
            snapshot(*TRUNK),
            snapshot(*TRUNK, live=LiveView(5, 2, 960, 900, 0, 940), version=2),
            snapshot(*TRUNK, live=LiveView(6, 2, 960, 900, 0, 940)),
            snapshot(*TRUNK, live=LiveView(5, 1, 960, 900, 0, 940)),
        ],
        ids=["no request", "another version", "another request", "another node"],
    )
    def test_anything_else_is_laid_out_anew(self, other: CacheSnapshot) -> None:
        before = lay_out(snapshot(*TRUNK, live=LiveView(5, 2, 950, 900, 0, 940)), LaneAssigner())
        assert advance(before, other) is None
        assert advance(None, other) is None


class TestHits:
    def test_a_point_finds_its_node(self) -> None:
        made = lay_out(snapshot(*TRUNK), LaneAssigner())
        assert made.table.ids[made.hit(499.5, 0)] == 1
        assert made.table.ids[made.hit(500, 0)] == 2
        assert made.table.ids[made.hit(619, 1)] == 3
        assert made.hit(620, 1) is None
        assert made.hit(3, 7) is None

    def test_a_stretch_of_a_lane_is_free_where_no_node_lies_over_it(self) -> None:
        made = lay_out(snapshot(*TRUNK), LaneAssigner())
        assert not made.free(0, 899, 2000)
        assert made.free(0, 900, 2000)
        assert made.free(1, 0, 500)
        assert not made.free(1, 0, 501)
        assert not made.free(1, 619, 620)
        assert made.free(1, 620, 2000)
        assert made.free(2, 0, 2000)

    def test_a_checkpoint_is_found_near_its_position(self) -> None:
        made = lay_out(snapshot(*TRUNK), LaneAssigner())
        assert made.table.ids[made.checkpoint_near(503, 0, 6)] == 1
        assert made.checkpoint_near(520, 0, 6) is None


class TestWhatGoes:
    def test_nothing_is_laid_over_what_fades(self) -> None:
        book = LaneAssigner()
        lay_out(snapshot(*TRUNK), book)
        other = (*TRUNK[:2], node(4, 1, 500, 560, "prefill"))
        assert lanes_of(lay_out(snapshot(*other), LaneAssigner()))[4] == 1
        assert lanes_of(lay_out(snapshot(*other), book, [(1, 500, 620)]))[4] == 2

    def test_what_moved_down_stays_in_its_lane(self) -> None:
        book = LaneAssigner()
        before = lanes_of(lay_out(snapshot(*TRUNK), book))
        lower = node(1 << 40, 1, 500, 900, "prefill")
        heavier = node(7, 1, 500, 2000, "prefill")
        book.follow(2, lower.id)
        after = lanes_of(lay_out(snapshot(TRUNK[0], TRUNK[2], lower, heavier), book))
        assert after[lower.id] == before[2] == 0
        assert after[7] not in (0, 1)


class TestSpeed:
    def test_ten_thousand_nodes(self) -> None:
        nodes = random_tree(10_000)
        given = snapshot(*nodes)
        book = LaneAssigner()
        watch = Stopwatch()
        made = lay_out(given, book)
        whole = watch.spent_s()
        assert_sound(made)
        again = times_s(lambda: lay_out(given, book), 3)[0]
        # Generous: it takes about a fifth of this.
        assert whole < 2.0
        assert again < 1.0

    def test_ten_thousand_siblings(self) -> None:
        nodes = tuple(node(n, 0, 0, 10 + n % 90, "prefill") for n in range(1, 10_001))
        watch = Stopwatch()
        made = lay_out(snapshot(*nodes), LaneAssigner())
        assert made.lanes == 10_000
        assert watch.spent_s() < 10.0
