"""Donation: a written state slot becomes the tree's checkpoint at an exact position."""

from __future__ import annotations

from engine.cache.eviction import Cause, Evictor
from engine.cache.node import Checkpoint, Node
from engine.cache.recency import Recency
from engine.cache.state_pool import StatePool
from engine.cache.tree import Tree


def donate(
    tree: Tree,
    states: StatePool,
    evictor: Evictor,
    recency: Recency,
    at: Node,
    position: int,
    new: Checkpoint,
) -> bool:
    """Put `new` at `position`, which lies in `at`; see TwoPlaneCache.donate for the contract."""
    old = at.checkpoint if at.end == position else None
    if old is not None:
        if at.state_lock or not better(new, old):
            states.free(new.slot)
            return False
        new.hits, new.heat = old.hits, recency.cooled(old.heat, old.used)
        states.adopt(new.slot)
        states.release(old.slot)
        evictor.evicted[Cause.SUPERSEDED] += 1
    else:
        states.adopt(new.slot)
        if at.end > position:
            at = tree.split(at, position)
    at.checkpoint, at.loss = new, None
    return True


def better(new: Checkpoint, old: Checkpoint) -> bool:
    """Whether a new state is worth replacing the one that is there."""
    if old.quarantined:
        return True
    if new.exact and (not old.exact or new.chain != old.chain):
        return True
    # Uncompressed bytes first, then the row that lets a prompt end right there.
    if (new.stored == "none") != (old.stored == "none"):
        return new.stored == "none"
    return new.has_hidden and not old.has_hidden and (new.exact or not old.exact)
