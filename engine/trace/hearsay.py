"""A moment of a cache that is known from hearsay: what was not told, and what may be gone.

A recording of an engine that runs elsewhere is made from its events. It names what they do not
tell, and where events were lost; a node that was not heard of since then may be gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.cache.node import ROOT_ID
from engine.snapshot import CacheSnapshot, NodeView
from engine.trace.settings import TraceHeader


@dataclass(frozen=True, slots=True)
class Gap:
    """Events were lost.

    Attributes:
        index: of the entry that says so.
        time: seconds on the tape's clock.
        lane: node of the engine whose they were, 0 if there is but one.
    """

    index: int
    time: float
    lane: int


def marked(
    snapshot: CacheSnapshot, header: TraceHeader, gaps: Sequence[Gap], index: int
) -> CacheSnapshot:
    """The cache after the first `index` entries, with all that is to be said of it."""
    nodes = snapshot.nodes
    lost = {gap.lane: gap.time for gap in gaps if gap.index < index}
    if lost:
        nodes = tuple(_doubted(nodes, lost))
    return replace(snapshot, nodes=nodes, untold=header.untold)


def _doubted(nodes: Sequence[NodeView], lost: dict[int, float]) -> list[NodeView]:
    """Those that were last heard of before the last loss of their lane, as doubtful."""
    lane_of: dict[int, int] = {}
    found = []
    for node in nodes:
        lane = node.id if node.lane else lane_of.get(node.parent or ROOT_ID, 0)
        lane_of[node.id] = lane
        gone = node.end and node.last_used < lost.get(lane, 0.0)
        found.append(replace(node, doubtful=True) if gone else node)
    return found
