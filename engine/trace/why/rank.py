"""How recently an evicted checkpoint had been used, among all that could have gone instead."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache.journal.changes import CheckpointDropped, NodeRemoved
from engine.snapshot import NodeView
from engine.trace.tape import Tape


@dataclass(frozen=True, slots=True)
class Rank:
    """Place `place` of `of` candidates by their last use, 1 being the longest unused."""

    place: int
    of: int


def rank_of(tape: Tape, index: int) -> Rank | None:
    """The rank of what entry `index` evicted from the device; None if it evicted nothing there."""
    entry = tape.entry(index)
    if entry.tier != "device" or not isinstance(entry.what, CheckpointDropped | NodeRemoved):
        return None
    nodes = {node.id: node for node in tape.snapshot(index).nodes}
    went = nodes.get(entry.what.node)
    if went is None or went.checkpoint is None:
        return None
    leaves = isinstance(entry.what, NodeRemoved)
    parents = {node.parent for node in nodes.values()}
    uses = [_used(node) for node in nodes.values() if _could_go(node, parents, leaves=leaves)]
    mine = _used(went)
    return Rank(1 + sum(used < mine for used in uses), max(len(uses), 1))


def _could_go(node: NodeView, parents: set[int | None], *, leaves: bool) -> bool:
    """Whether it was a candidate: a leaf that no request reads, or an unlocked checkpoint."""
    if node.checkpoint is None or node.parent is None:
        return False
    return not node.kv_lock and node.id not in parents if leaves else not node.state_lock


def _used(node: NodeView) -> float:
    return node.last_used if node.checkpoint is None else node.checkpoint.last_used
