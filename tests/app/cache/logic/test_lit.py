"""Places of the cache as parts of the tree, in every view."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from app.cache.logic.folding import Folding
from app.cache.logic.lit import Cover, covers, row_showing
from app.cache.logic.table import LIVE_ID
from app.cache.logic.tree_model import TreeModel
from app.cache.views import make_views
from app.core.session.passages import Place
from engine.snapshot import CacheSnapshot, LiveView
from tests.app.samples import node, snapshot
from tests.present import present

NODES = (node(1, 0, 0, 20), node(2, 1, 20, 50), node(3, 2, 50, 60), node(4, 1, 20, 30))
LIVE = LiveView(1, 3, 70, 60, 0, 80)


def model(name: str, shown: CacheSnapshot) -> TreeModel:
    folding = Folding(on=False)
    view = next(one for one in make_views(folding) if one.name == name)
    made = TreeModel(view.arrangement, folding)
    made.resize(400, 200)
    made.show(shown, (), 0.0)
    return made


class TestCovers:
    def test_a_range_over_several_nodes_is_one_part(self) -> None:
        layout = present(model("tokens", snapshot(*NODES)).layout)
        assert covers(layout, (Place(3, 10, 55),)) == (Cover(0, 10, 55),)

    def test_a_branch_has_a_part_of_its_own(self) -> None:
        layout = present(model("tokens", snapshot(*NODES)).layout)
        found = covers(layout, (Place(4, 10, 25),))
        assert [(one.left, one.right) for one in found] == [(10, 20), (20, 25)]
        assert found[0].lane != found[1].lane

    def test_places_that_share_nodes_are_not_doubled(self) -> None:
        layout = present(model("tokens", snapshot(*NODES)).layout)
        both = covers(layout, (Place(3, 0, 25), Place(4, 0, 22)))
        assert sorted((one.left, one.right) for one in both) == [(0, 25), (20, 22)]

    @pytest.mark.parametrize("name", [view.name for view in make_views(Folding())])
    def test_every_view_has_it_inside_the_boxes(self, name: str) -> None:
        layout = present(model(name, snapshot(*NODES)).layout)
        row = present(layout.row_of(2))
        (cover,) = covers(layout, (Place(2, 25, 45),))
        assert layout.scale.left[row] < cover.left < cover.right < layout.scale.right[row]
        assert cover.lane == layout.lane[row]

    def test_the_running_request(self) -> None:
        layout = present(model("tokens", replace(snapshot(*NODES), live=LIVE)).layout)
        assert row_showing(layout, None) == layout.row_of(LIVE_ID)
        assert covers(layout, (Place(None, 55, 75),)) == (Cover(0, 55, 75),)

    def test_what_is_not_there_is_nothing(self) -> None:
        layout = present(model("tokens", snapshot(*NODES)).layout)
        assert covers(layout, (Place(99, 0, 10), Place(None, 0, 10), Place(3, 60, 70))) == ()


class TestFolded:
    def long(self) -> tuple[TreeModel, CacheSnapshot]:
        chain = [node(at, at - 1, 10 * (at - 1), 10 * at) for at in range(1, 40)]
        shown = snapshot(*chain)
        made = model("tokens", shown)
        made.fold(True)
        return made, shown

    def test_a_chip_is_lit_as_a_whole(self) -> None:
        made, _ = self.long()
        layout = present(made.layout)
        assert layout.row_of(20) is None
        row = present(row_showing(layout, 20))
        assert made.chip_of(row) is not None
        (cover,) = covers(layout, (Place(20, 195, 198),))
        assert cover == Cover(
            int(layout.lane[row]), float(layout.scale.left[row]), float(layout.scale.right[row])
        )

    def test_to_reveal_is_to_unfold_and_to_move(self) -> None:
        made, _ = self.long()
        made.zoom(30, 0, 0)
        made.reveal_place(Place(25, 205, 245))
        layout = present(made.layout)
        row = present(layout.row_of(21))
        assert made.selected is None
        view = made.viewport
        assert view.x(float(layout.scale.left[row])) < view.width
        assert view.x(float(layout.scale.right[row])) > 0
