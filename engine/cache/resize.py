"""Resizes the pools between requests: what to evict, and what to move where.

The tree only has slot numbers, so the owner of the bytes gets the slots to copy before the memory
beyond the new end is released.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache import extents as kv_extents
from engine.cache.extents import Extent, Extents
from engine.cache.journal.changes import StateSlotMoved
from engine.cache.kv_pool import CACHED, LIVE, KVPool
from engine.cache.parts import Parts
from engine.cache.tree import Tree


@dataclass(frozen=True, slots=True)
class Moves:
    """Copies to make before the planes shrink; no target is also a source.

    Attributes:
        kv: pairs of extents of equal length, source and target.
        states: pairs of slots, source and target.
    """

    kv: tuple[tuple[Extents, Extents], ...]
    states: tuple[tuple[int, int], ...]


def resize(parts: Parts, kv_slots: int, state_slots: int) -> Moves:
    """Resize the pools and evict by policy what no longer fits. Only between requests."""
    kv, states, evictor = parts.kv, parts.states, parts.evictor
    assert kv.counts[LIVE] == states.counts[LIVE] == 0, "a request is running"
    evictor.free_states(max(states.counts[CACHED] - state_slots, 0))
    evictor.free_kv(max(kv.counts[CACHED] - kv_slots, 0))
    kv_moves = _pull_kv(parts.tree, kv, kv_slots)
    state_moves = _pull_states(parts, state_slots)
    kv.resize(kv_slots)
    states.resize(state_slots)
    return Moves(kv_moves, state_moves)


def _pull_kv(tree: Tree, pool: KVPool, end: int) -> tuple[tuple[Extents, Extents], ...]:
    """Move the tree's KV stored at or beyond slot `end` to slots below it."""
    moves = []
    for node in tree.preorder():
        if all(first + length <= end for first, length in node.extents):
            continue
        kept: list[Extent] = []
        for first, length in node.extents:
            inside = min(max(end - first, 0), length)
            kept.append((first, inside))
            if inside < length:
                source = ((first + inside, length - inside),)
                target = pool.relocate(source, end)
                moves.append((source, target))
                kept.extend(target)
        node.extents = kv_extents.merged(kept)
    return tuple(moves)


def _pull_states(parts: Parts, last: int) -> tuple[tuple[int, int], ...]:
    """Move checkpoints stored beyond slot `last` to free slots up to it."""
    moves = []
    for node in parts.tree.preorder():
        if node.checkpoint is not None and node.checkpoint.slot > last:
            source = node.checkpoint.slot
            node.checkpoint.slot = parts.states.relocate(source)
            moves.append((source, node.checkpoint.slot))
            parts.log_change(StateSlotMoved(node.id, node.checkpoint.slot))
    return tuple(moves)
