"""Pools that change their size between requests: what must go, what moves, and where to.

The tree deals in slot numbers, so whoever owns the bytes is told which slots to copy before the
memory beyond the new end is given up.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache import runs as kv_runs
from engine.cache.journal.changes import StateSlotMoved
from engine.cache.kv_pool import CACHED, LIVE, KVPool
from engine.cache.parts import Parts
from engine.cache.runs import Run, Runs
from engine.cache.tree import Tree


@dataclass(frozen=True, slots=True)
class Moves:
    """Copies to make before the planes shrink; no target is anybody's source.

    Attributes:
        kv: pairs of runs of equal length, from and to.
        states: pairs of slots, from and to.
    """

    kv: tuple[tuple[Runs, Runs], ...]
    states: tuple[tuple[int, int], ...]


def resize(parts: Parts, kv_slots: int, state_slots: int) -> Moves:
    """Give the pools new sizes; evicts by policy what no longer fits. Only between requests."""
    kv, states, evictor = parts.kv, parts.states, parts.evictor
    assert kv.counts[LIVE] == states.counts[LIVE] == 0, "a request is running"
    evictor.free_states(max(states.counts[CACHED] - state_slots, 0))
    evictor.free_kv(max(kv.counts[CACHED] - kv_slots, 0))
    kv_moves = _pull_kv(parts.tree, kv, kv_slots)
    state_moves = _pull_states(parts, state_slots)
    kv.resize(kv_slots)
    states.resize(state_slots)
    return Moves(kv_moves, state_moves)


def _pull_kv(tree: Tree, pool: KVPool, end: int) -> tuple[tuple[Runs, Runs], ...]:
    """Move the tree's KV that lies beyond slot `end` below it."""
    moves = []
    for node in tree.preorder():
        if all(first + length <= end for first, length in node.runs):
            continue
        kept: list[Run] = []
        for first, length in node.runs:
            inside = min(max(end - first, 0), length)
            kept.append((first, inside))
            if inside < length:
                source = ((first + inside, length - inside),)
                target = pool.relocate(source, end)
                moves.append((source, target))
                kept.extend(target)
        node.runs = kv_runs.merged(kept)
    return tuple(moves)


def _pull_states(parts: Parts, last: int) -> tuple[tuple[int, int], ...]:
    """Move checkpoints beyond slot `last` to free slots up to it."""
    moves = []
    for node in parts.tree.preorder():
        if node.checkpoint is not None and node.checkpoint.slot > last:
            source = node.checkpoint.slot
            node.checkpoint.slot = parts.states.relocate(source)
            moves.append((source, node.checkpoint.slot))
            parts.tell(StateSlotMoved(node.id, node.checkpoint.slot))
    return tuple(moves)
