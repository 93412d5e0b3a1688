"""Pixels of the tree."""

from __future__ import annotations

from app.cache.geometry import Geometry
from app.cache.lanes import LaneBook
from app.cache.layout import lay_out
from app.cache.viewport import fitted
from engine.snapshot import NodeView
from tests.app.samples import node, random_tree, snapshot


def geometry(*nodes: NodeView, width: float = 600) -> Geometry:
    made = lay_out(snapshot(*nodes), LaneBook())
    return Geometry.of(fitted(made.extent, made.lanes, width, 300), made)


class TestGeometry:
    def test_a_fork_leaves_at_its_token(self) -> None:
        at = geometry(node(1, 0, 0, 500, "prefill"), node(2, 1, 500, 900), node(3, 1, 500, 620))
        rows, x, above, own = at.forks()
        assert at.layout.table.ids[rows].tolist() == [3]
        assert x[0] == at.view.x(500)
        assert own[0] - above[0] == at.view.lane_px

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
        made = lay_out(snapshot(*random_tree(2000)), LaneBook())
        whole = fitted(made.extent, made.lanes, 600, 300)
        near = Geometry.of(whole.zoomed(50, 300, 100, made.extent, made.lanes), made)
        assert 0 < len(near.rows) < 2000
