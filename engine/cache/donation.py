"""Donation: a written state slot becomes the tree's checkpoint at an exact position.

A worked example. The tree holds twelve tokens with a checkpoint in state slot 1 after the last. A
request has copied its live state after eight tokens into slot 2, allocated from the pool:

    before                 donate slot 2 at 8         donate slot 3 at 8

    [0, 12)*  slot 1       [0, 8)*     slot 2         [0, 8)*     slot 2, or 3 if it is better
                            └─[8, 12)*  slot 1         └─[8, 12)*  slot 1
    taken: 2               taken: none                free: 3, or 2

The node is split at the position, and the new upper half, a tombstone, gets the slot: the position
is exact, on no grid. At a position that has a checkpoint, one of the two slots is freed at once.
The newcomer wins if what it replaces is quarantined, if only it is exact (or exact under other
cuts), if its bytes went through a finer format, or if it alone carries the hidden row and nothing
exact is lost; while a request reads the old one, it never does. It inherits the hit count.
"""

from __future__ import annotations

from engine.cache.eviction.cause import Cause
from engine.cache.journal.changes import CheckpointDropped, CheckpointStored, Refreshed, Stamped
from engine.cache.journal.journal import LogChange
from engine.cache.node import Checkpoint, Node, Tokens
from engine.cache.parts import Parts
from engine.stored_state import StoredState
from engine.verdict import Verdict


def donate(parts: Parts, at: Node, new: Checkpoint) -> bool:
    """Put `new` at its position inside `at`; see TwoPlaneCache.donate for the contract."""
    position = new.state.position
    old = at.checkpoint if at.end == position else None
    if old is not None:
        if at.state_lock or not new.state.better_than(old.state):
            parts.states.free(new.slot)
            return False
        new.hits = old.hits
        parts.states.adopt(new.slot)
        parts.states.release(old.slot)
        parts.evictor.evicted[Cause.SUPERSEDED] += 1
        parts.log_change(CheckpointDropped(at.id, position, Cause.SUPERSEDED))
    else:
        parts.states.adopt(new.slot)
        if at.end > position:
            at = parts.tree.split(at, position)
    at.checkpoint, at.loss = new, None
    parts.evictor.stored(at)
    parts.log_change(CheckpointStored(at.id, new.slot, new.hits, new.state), new.created)
    if new.state.verdict is not None:
        log_verdict(parts.log_change, at, new.state.verdict, inherited=True)
    return True


def refresh(parts: Parts, tokens: Tokens, other: StoredState, *, one_shot: bool) -> bool:
    """See TwoPlaneCache.refresh."""
    walk = parts.tree.walk(tokens)
    end = walk.path[-1]
    if end.end != len(tokens) or end.checkpoint is None:
        return False
    if other.better_than(end.checkpoint.state):
        return False
    stamp = parts.recency.stamp_match()
    for node in walk.path:
        node.used = stamp
        node.one_shot &= one_shot
    end.checkpoint.used = stamp
    parts.log_change(Refreshed(end.id), stamp.time)
    return True


def log_verdict(
    log_change: LogChange,
    node: Node,
    verdict: Verdict,
    *,
    inherited: bool,
    background: bool = False,
) -> None:
    """Log an audit's verdict on the checkpoint of `node`; see Stamped."""
    status, largest, kl = verdict.status, verdict.largest, verdict.kl
    log_change(Stamped(node.id, node.end, status, largest, kl, inherited, background), verdict.time)
