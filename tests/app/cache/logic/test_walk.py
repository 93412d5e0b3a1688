"""Arrow keys in the tree."""

from __future__ import annotations

from app.cache.logic.lanes import LaneAssigner
from app.cache.logic.layout import lay_out
from app.cache.logic.walk import Direction, neighbour
from engine.snapshot import LiveView
from tests.app.samples import node, snapshot
from tests.present import present


class TestNeighbours:
    def test_it_goes_where_the_arrows_point(self) -> None:
        nodes = (
            node(1, 0, 0, 500, "prefill"),
            node(2, 1, 500, 900, "prefill"),
            node(3, 1, 500, 620, "decode"),
        )
        live = LiveView(1, 3, 700, 620, 0, 690)
        made = lay_out(snapshot(*nodes, live=live), LaneAssigner())
        rows = {number: present(made.row_of(number)) for number in (0, 1, 2, 3)}

        def walk(start: int, direction: Direction) -> int | None:
            found = neighbour(made, rows[start], direction)
            return None if found is None else int(made.table.ids[found])

        assert walk(0, "child") == 1
        assert walk(1, "child") == 2
        assert walk(2, "next") == walk(2, "previous") == 3
        assert walk(3, "parent") == 1
        assert walk(1, "parent") is None
        assert walk(3, "child") is None
