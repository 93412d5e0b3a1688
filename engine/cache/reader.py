"""What a cache answers without changing: questions of the run, views for the panel, the check."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.cache import invariants, views
from engine.cache import match as matching
from engine.cache.eviction.evictor import Evictor
from engine.cache.eviction.registry import make_policy
from engine.cache.holding import Holding, holding_of
from engine.cache.journal.changes import (
    CacheOpened,
)
from engine.cache.journal.journal import Journal, silent
from engine.cache.kv_pool import KVPool
from engine.cache.locks import LockTable
from engine.cache.match import ChainAt, Match, Tags, Usable
from engine.cache.node import Node, TierName, Tokens, verified
from engine.cache.recency import Recency
from engine.cache.state_pool import StatePool
from engine.cache.tree import TokenIds, Tree, as_tokens
from engine.cache.views import Passage
from engine.snapshot import NodeView, PoolView


class CacheReader:
    """The state of a two-plane cache, and every way to look at it.

    Args:
        kv_slots: tokens of KV, slots 0..kv_slots-1.
        state_slots: checkpoints the tree may own, slots 1..state_slots (0 is the live slot and
            never handed out).
        kv_slot_bytes, state_slot_bytes: for the views only.
        policy: "coverage", "flops" or "lru". Raises CacheError for another.
        clock: seconds; only for people to read, never for order.
        journal: is told every change, as one of the tier called `tier`.

    Attributes:
        opened: what it was made with.
        version: grows with every visible change.
        skipped: checkpoints that were not taken since no state slot could be had.
    """

    def __init__(
        self,
        kv_slots: int,
        state_slots: int,
        *,
        kv_slot_bytes: int,
        state_slot_bytes: int,
        policy: str = "coverage",
        clock: Callable[[], float] = time.monotonic,
        journal: Journal | None = None,
        tier: TierName = "device",
    ) -> None:
        self._recency = Recency(clock)
        self._tell = silent if journal is None else journal.of(tier, clock)
        chosen = make_policy(policy)
        self._tree = Tree(self._recency.stamp(), chosen, self._tell)
        self._kv = KVPool(kv_slots)
        self._states = StatePool(state_slots)
        self._locks = LockTable(self._tree, self._tell)
        self._evictor = Evictor(
            self._tree, self._kv, self._states, self._recency, chosen, self._tell
        )
        self._kv_slot_bytes = kv_slot_bytes
        self._state_slot_bytes = state_slot_bytes
        self.version = 0
        self.skipped = 0
        self.opened = CacheOpened(policy, kv_slots, state_slots, kv_slot_bytes, state_slot_bytes)
        self._tell(self.opened, self._tree.root.created.time)

    # ---- questions

    def probe(
        self,
        tokens: TokenIds,
        *,
        usable: Usable | None = None,
        chain: ChainAt | None = None,
        tags: Tags | None = None,
    ) -> Match:
        """What `match` would answer. Changes no clock, lock, counter or node."""
        return matching.find(self._tree, self._kv, as_tokens(tokens), usable, chain, tags)[0]

    def path_of(self, node: int) -> tuple[int, ...]:
        """Node ids from the root (included) down to `node`."""
        return tuple(n.id for n in self._tree.path(self._tree.node(node)))

    def position_above(self, node: int) -> int:
        """Where the nearest checkpoint above `node` is, in tokens; 0 where there is none."""
        *_, top = self._tree.since_checkpoint(self._tree.node(node))
        return top.start

    def path_ends(self, tokens: TokenIds, beyond: int) -> tuple[int, ...]:
        """The nodes with a checkpoint that is a true prefix of `tokens`, longer than `beyond`.

        Those that an audit found right are left out. The deepest one first. Changes nothing.
        """
        walk = self._tree.walk(as_tokens(tokens))
        return tuple(
            node.id
            for node in reversed(walk.path)
            if node.checkpoint is not None
            and beyond < node.end < len(tokens)
            and not verified(node.checkpoint.verdict)
        )

    def tokens_of(self, node: int) -> Tokens:
        """`[end - start] int32`, the tokens of the node's span (a copy)."""
        return self._tree.node(node).tokens.copy()

    def continuation(self, match: Match, most: int) -> Tokens:
        """Up to `most` tokens that the cache goes on with after the match; empty at a leaf.

        Where several sequences go on, the one used last. Changes nothing.
        """
        return matching.continuation(self._tree, match, most)

    def holding(self, node: int) -> Holding:
        """Everything that is held for the sequence down to the end of `node`. Changes nothing."""
        return holding_of(self._tree, self._kv, self._tree.node(node))

    def passages(self, tokens: TokenIds) -> tuple[Passage, ...]:
        """The nodes that `tokens` lead through, the last one maybe in part. Changes nothing."""
        return views.passages(self._tree, as_tokens(tokens))

    def checkpoints(self) -> tuple[int, ...]:
        """The nodes that have a checkpoint, the longest unused first."""
        held = [n for n in self._tree.nodes.values() if n.checkpoint is not None]
        return tuple(n.id for n in sorted(held, key=_consumed))

    # ---- views

    @property
    def evicted(self) -> dict[str, int]:
        """Evictions by cause since the start: one per node or checkpoint."""
        return {str(cause): count for cause, count in self._evictor.evicted.items()}

    @property
    def sizes(self) -> tuple[int, int]:
        """Slots of the KV pool and of the state pool."""
        return self._kv.total, self._states.total

    def nodes(self) -> tuple[NodeView, ...]:
        """Every node, parents before children."""
        return views.node_views(self._tree, self._kv_slot_bytes, self._state_slot_bytes)

    def kv_pool(self) -> PoolView:
        return views.kv_pool_view(self._tree, self._kv, self._kv_slot_bytes)

    def state_pool(self) -> PoolView:
        return views.state_pool_view(self._tree, self._states, self._state_slot_bytes)

    def check(self) -> None:
        """Raises InvariantError naming the first broken invariant. Changes nothing."""
        invariants.check(self._tree, self._kv, self._states, self._locks)


def _consumed(node: Node) -> int:
    assert node.checkpoint is not None
    return node.checkpoint.used.serial
