"""The tooltip at a point of the tree: evictions, and the node or chip there. Without Qt."""

from __future__ import annotations

from app.cache.logic.fading import eviction_tooltip
from app.cache.logic.folding import chip_tooltip
from app.cache.logic.tree_model import TreeModel
from app.core.words.explain import node_tooltip


def tree_tooltip(model: TreeModel, x: float, y: float, now: float) -> str:
    """For a point in pixels below the ruler; evictions fade by `now`. "" if nothing is there."""
    time = model.snapshot.time if model.snapshot else 0.0
    row = model.row_at(x, y)
    node, chip = model.node_of(row), model.chip_of(row)
    parts = [chip_tooltip(chip)] if chip is not None else []
    parts = parts if node is None else [node_tooltip(node, time)]
    here = model.marks_at(x, y, now)
    if here:
        parts.insert(0, eviction_tooltip(here, time))
    return "\n\n".join(parts)
