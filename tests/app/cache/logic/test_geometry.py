"""Pixels of the tree."""

from __future__ import annotations

import numpy as np

from app.cache.logic.arrays import Floats
from app.cache.logic.axis import fitted
from app.cache.logic.geometry import Geometry, uprights
from app.cache.logic.lanes import LaneAssigner
from app.cache.logic.layout import lay_out
from engine.snapshot import NodeView
from tests.app.samples import node, random_tree, snapshot


def geometry(*nodes: NodeView, width: float = 600) -> Geometry:
    made = lay_out(snapshot(*nodes), LaneAssigner())
    return Geometry.of(fitted(made.extent, made.lanes, width, 300), made)


class TestGeometry:
    def test_a_fork_leaves_at_its_token(self) -> None:
        at = geometry(node(1, 0, 0, 500, "prefill"), node(2, 1, 500, 900), node(3, 1, 500, 620))
        rows, x, above, own = at.forks()
        assert at.layout.table.ids[rows].tolist() == [3]
        assert x[0] == at.view.x(500)
        assert own[0] - above[0] == at.view.lane_px

    def test_lines_upon_one_another_are_drawn_once(self) -> None:
        rng = np.random.default_rng(4)
        x = rng.integers(0, 6, 80).astype(np.float64)
        one, other = rng.integers(-100, 400, (2, 80)).astype(np.float64)

        def pixels(columns: tuple[Floats, Floats, Floats]) -> set[tuple[float, int]]:
            lines = zip(*(column.tolist() for column in columns), strict=True)
            return {
                (at, y)
                for at, high, low in lines
                for y in range(int(min(high, low)), int(max(high, low)) + 1)
                if 0 <= y <= 300
            }

        made = uprights(x, one, other, 300)
        assert pixels(made) == pixels((x, one, other))
        assert len(made[0]) < 40
        assert min(made[1]) > -10
        assert max(made[2]) < 310
        assert [len(column) for column in uprights(x[:0], x[:0], x[:0], 300)] == [0, 0, 0]

    def test_bars_are_to_scale(self) -> None:
        at = geometry(node(1, 0, 0, 500, "prefill"), node(2, 1, 500, 900))
        left, _, width = at.bars(at.merged())
        assert left[1] == at.view.x(500)
        assert round(float(width[0]) + 1, 6) == round(500 * at.view.px_per_unit, 6)

    def test_bars_and_marks_of_one_pixel_are_drawn_once(self) -> None:
        nodes = [node(1, 0, 0, 1, "prefill")]
        nodes += [node(n, n - 1, n - 1, n, "prefill") for n in range(2, 20_001)]
        at = geometry(*nodes)
        assert len(at.merged()) <= 602
        assert len(at.checkpoints()) <= 600 // 11 + 2
        assert at.layout.table.end[at.checkpoints()].max() == 20_000

    def test_what_is_off_screen_is_left_out(self) -> None:
        made = lay_out(snapshot(*random_tree(2000)), LaneAssigner())
        whole = fitted(made.extent, made.lanes, 600, 300)
        near = Geometry.of(whole.zoomed(50, 300, 100, made.extent, made.lanes), made)
        assert 0 < len(near.rows) < 2000
