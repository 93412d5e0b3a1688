"""Donation: a written state slot becomes the tree's checkpoint at an exact position."""

from __future__ import annotations

from engine.cache.eviction.cause import Cause
from engine.cache.eviction.evictor import Evictor
from engine.cache.journal.changes import CheckpointDropped, CheckpointStored, Refreshed, Stamped
from engine.cache.journal.journal import Tell
from engine.cache.node import Checkpoint, Node, Origin, Provenance, Tokens
from engine.cache.recency import Recency, Stamp
from engine.cache.state_pool import StatePool
from engine.cache.tree import Tree
from engine.config import STATE_FORMATS
from engine.verdict import Verdict


def written(
    slot: int,
    provenance: Provenance,
    chain: int | None,
    has_hidden: bool,
    stamp: Stamp,
    origin: Origin,
) -> Checkpoint:
    """A checkpoint of a slot that was just written; not in any tree yet."""
    return Checkpoint(
        slot,
        provenance,
        chain,
        has_hidden,
        stamp.time,
        stamp,
        stored=origin.stored,
        error=origin.error,
        tier=origin.tier,
        verdict=origin.verdict,
    )


def donate(
    tree: Tree,
    states: StatePool,
    evictor: Evictor,
    recency: Recency,
    at: Node,
    position: int,
    new: Checkpoint,
    tell: Tell,
) -> bool:
    """Put `new` at `position`, which lies in `at`; see TwoPlaneCache.donate for the contract."""
    old = at.checkpoint if at.end == position else None
    if old is not None:
        if at.state_lock or not better(new, old):
            states.free(new.slot)
            return False
        new.hits = old.hits
        states.adopt(new.slot)
        states.release(old.slot)
        evictor.evicted[Cause.SUPERSEDED] += 1
        tell(CheckpointDropped(at.id, position, Cause.SUPERSEDED))
    else:
        states.adopt(new.slot)
        if at.end > position:
            at = tree.split(at, position)
    at.checkpoint, at.loss = new, None
    evictor.stored(at)
    tell(
        CheckpointStored(
            at.id,
            position,
            new.slot,
            new.provenance,
            new.chain,
            new.has_hidden,
            new.hits,
            new.tier,
            new.stored,
            new.error,
        ),
        new.created,
    )
    if new.verdict is not None:
        tell_verdict(tell, at, new.verdict, inherited=True)
    return True


def refresh(tree: Tree, recency: Recency, tokens: Tokens, other: Checkpoint, tell: Tell) -> bool:
    """See TwoPlaneCache.refresh."""
    walk = tree.walk(tokens)
    end = walk.path[-1]
    if end.end != len(tokens) or end.checkpoint is None:
        return False
    if better(other, end.checkpoint):
        return False
    stamp = recency.stamp_match()
    for node in walk.path:
        node.used = stamp
    end.checkpoint.used = stamp
    tell(Refreshed(end.id), stamp.time)
    return True


def tell_verdict(tell: Tell, node: Node, verdict: Verdict, *, inherited: bool) -> None:
    """Tell what an audit said of the checkpoint of `node`."""
    stamp = Stamped(node.id, node.end, verdict.status, verdict.largest, verdict.kl, inherited)
    tell(stamp, verdict.time)


def better(new: Checkpoint, old: Checkpoint) -> bool:
    """Whether a new state is worth replacing the one that is there."""
    if old.quarantined:
        return True
    if new.exact and (not old.exact or new.chain != old.chain):
        return True
    # The finer bytes first, then the row that lets a prompt end right there.
    if _coarseness(new) != _coarseness(old):
        return _coarseness(new) < _coarseness(old)
    return new.has_hidden and not old.has_hidden and (new.exact or not old.exact)


def _coarseness(held: Checkpoint) -> int:
    """0: as a prefill or decode wrote it; 1: it came of one that had drifted; then by format."""
    if held.stored != "none":
        return 1 + STATE_FORMATS.index(held.stored)
    return 0 if held.origin.whole else 1
