"""One complete cached sequence: everything to copy in order to keep it on another tier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.cache.extents import Extents
from engine.cache.kv_pool import KVPool
from engine.cache.match import Tags
from engine.cache.node import Checkpoint, Node, Tokens
from engine.cache.tree import Tree


@dataclass(frozen=True, slots=True)
class Holding:
    """A sequence of n tokens as the cache holds it.

    Attributes:
        tokens: `[n] int32`.
        extents: the KV slots of [0, n).
        tags: `[n] int64`, how each position's KV was computed.
        checkpoint: at n; None on a tombstone.
        ends: the ends of the nodes on the path, ascending.
        one_shot: only one-shot requests used it; see Node.
    """

    tokens: Tokens
    extents: Extents
    tags: Tags
    checkpoint: Checkpoint | None
    ends: tuple[int, ...] = ()
    one_shot: bool = False


def holding_of(tree: Tree, pool: KVPool, end: Node) -> Holding:
    """The sequence from the root down to the end of `end`. Changes nothing."""
    extents, path = tree.extents_to(end), tree.path(end)
    tokens = np.concatenate([node.tokens for node in path])
    ends = tuple(node.end for node in path)
    return Holding(tokens, extents, pool.tags_of(extents), end.checkpoint, ends, end.one_shot)
