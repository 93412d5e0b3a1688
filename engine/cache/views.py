"""The tree and its pools as the immutable records of a snapshot."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache.kv_pool import CACHED, FREE, LIVE, KVPool
from engine.cache.node import Node, Tokens
from engine.cache.state_pool import StatePool
from engine.cache.tree import Tree
from engine.snapshot import CheckpointView, NodeView, PoolView
from engine.stored_state import TierName

DEVICE_TIER: TierName = "device"


def node_views(tree: Tree, kv_slot_bytes: int, state_slot_bytes: int) -> tuple[NodeView, ...]:
    """Every node, parents before children; `text` is left to a caller that can decode."""
    return tuple(_node_view(n, kv_slot_bytes, state_slot_bytes) for n in tree.preorder())


def _node_view(node: Node, kv_slot_bytes: int, state_slot_bytes: int) -> NodeView:
    parent = node.parent
    held = node.checkpoint
    checkpoint = None
    if held is not None:
        checkpoint = CheckpointView(
            # A tier's own views do not mention other tiers.
            state=held.state.on(DEVICE_TIER),
            slot=held.slot,
            bytes=state_slot_bytes,
            created=held.created,
            last_used=held.used.time,
            hits=held.hits,
        )
    return NodeView(
        id=node.id,
        parent=parent.id if parent is not None else None,
        start=node.start,
        end=node.end,
        kv_lock=node.kv_lock,
        state_lock=node.state_lock,
        kv_bytes=len(node.tokens) * kv_slot_bytes,
        created=node.created.time,
        last_used=node.used.time,
        hits=node.hits,
        checkpoint=checkpoint,
        pinned=node.pinned,
    )


@dataclass(frozen=True, slots=True)
class Passage:
    """A node on the path of a prompt.

    Attributes:
        tokens: how many tokens of the node's span the prompt passes through.
        used: number of the match that last passed through it, or of the request that created it.
        holds: whether there is a checkpoint at `end` that the prompt reaches.
        answers: whether that checkpoint has the hidden row.
    """

    end: int
    tokens: int
    used: int
    holds: bool
    answers: bool


def passages(tree: Tree, tokens: Tokens) -> tuple[Passage, ...]:
    """See TwoPlaneCache.passages."""
    walk = tree.walk(tokens)
    return tuple(
        Passage(
            node.end,
            min(node.end, walk.matched) - node.start,
            node.used.match,
            node.checkpoint is not None and node.end <= walk.matched,
            node.checkpoint is not None and node.checkpoint.state.has_hidden,
        )
        for node in walk.nodes
        if not node.is_root
    )


def kv_pool_view(tree: Tree, pool: KVPool, slot_bytes: int) -> PoolView:
    """The KV pool in slots."""
    return _pool_view(pool.total, pool.counts, tree.locked, slot_bytes)


def state_pool_view(tree: Tree, pool: StatePool, slot_bytes: int) -> PoolView:
    """The state pool in slots."""
    return _pool_view(pool.total, pool.counts, tree.locked_states, slot_bytes)


def _pool_view(total: int, counts: list[int], locked: int, slot_bytes: int) -> PoolView:
    return PoolView(
        total=total,
        free=counts[FREE],
        live=counts[LIVE],
        cached=counts[CACHED],
        locked=locked,
        slot_bytes=slot_bytes,
    )
