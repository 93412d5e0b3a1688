"""The views of the tree, in the order of their buttons."""

from __future__ import annotations

from app.cache.axis import CELLS, TOKENS
from app.cache.lane_view import LaneView
from app.cache.tree_view import TreeView


def make_views() -> tuple[TreeView, ...]:
    """New views for one canvas: they remember places. The first is the default."""
    return (
        LaneView(CELLS, "Messages", "1", "Each message is a cell in which its first words fit"),
        LaneView(TOKENS, "Tokens", "2", "All tokens are equally wide"),
    )
