"""The views of the tree, in the order of their buttons."""

from __future__ import annotations

from app.cache.axis import CELLS, TOKENS
from app.cache.folding import Folding
from app.cache.icicle_view import IcicleView
from app.cache.lane_view import LaneView
from app.cache.table import TableReader
from app.cache.topology_view import TopologyView
from app.cache.tree_view import TreeView
from app.words.tr import tr


def make_views(folding: Folding) -> tuple[TreeView, ...]:
    """New views for one canvas: they remember places. The first is the default."""
    reader = TableReader()
    words = tr("Each message has room for its first words")
    return (
        LaneView(CELLS, tr("Messages"), "1", words, folding, reader),
        LaneView(TOKENS, tr("Tokens"), "2", tr("All tokens are equally wide"), folding, reader),
        IcicleView(folding, reader),
        TopologyView(folding, reader),
    )
