"""Read-only access to a cache: queries for requests, views for the panel, the invariant check."""

from __future__ import annotations

from engine.cache import invariants, views
from engine.cache import match as matching
from engine.cache.holding import Holding, holding_of
from engine.cache.journal.changes import CacheOpened
from engine.cache.kv_pool import CACHED
from engine.cache.lines import Line, lines
from engine.cache.match import CutHashAt, Match, Tags, Usable
from engine.cache.node import Node, Tokens
from engine.cache.parts import Parts
from engine.cache.tree import TokenIds, as_tokens
from engine.cache.views import Passage
from engine.snapshot import Checked, NodeView, PoolView


class CacheReader:
    """Read-only queries on a two-plane cache. Nothing here changes it."""

    def __init__(self, parts: Parts, opened: CacheOpened) -> None:
        """opened: the settings the cache was created with."""
        self._parts = parts
        self._opened = opened

    # ---- queries

    def probe(
        self,
        tokens: TokenIds,
        *,
        usable: Usable | None = None,
        cut_hash_at: CutHashAt | None = None,
        tags: Tags | None = None,
    ) -> Match:
        """What `match` would return. Changes no clock, lock, counter or node."""
        return matching.find(self._parts, as_tokens(tokens), usable, cut_hash_at, tags)[0]

    def path_of(self, node: int) -> tuple[int, ...]:
        """Node ids from the root (included) down to `node`."""
        return tuple(n.id for n in self._parts.tree.path(self._parts.tree.node(node)))

    def position_above(self, node: int) -> int:
        """The position of the nearest checkpoint above `node`, in tokens; 0 if there is none."""
        *_, top = self._parts.tree.since_checkpoint(self._parts.tree.node(node))
        return top.start

    def path_ends(self, tokens: TokenIds, beyond: int) -> tuple[int, ...]:
        """The nodes with a checkpoint at a proper prefix of `tokens` that is longer than `beyond`.

        Deepest first, without those that an audit verified. Changes nothing.
        """
        walk = self._parts.tree.walk(as_tokens(tokens))
        return tuple(
            node.id
            for node in reversed(walk.path)
            if node.checkpoint is not None
            and beyond < node.end < len(tokens)
            and not node.checkpoint.state.verified
        )

    def tokens_of(self, node: int) -> Tokens:
        """`[end - start] int32`, the tokens of the node's span (a copy)."""
        return self._parts.tree.node(node).tokens.copy()

    def continuation(self, match: Match, limit: int) -> Tokens:
        """Up to `limit` cached tokens that follow the match; empty at a leaf.

        If several continuations are cached, the most recently used one. Changes nothing.
        """
        return matching.continuation(self._parts.tree, match, limit)

    def lines(self, overlap: int, limit: int) -> tuple[Line, ...]:
        """See `engine.cache.lines.lines`."""
        return lines(self._parts.tree, overlap, limit)

    def holding(self, node: int) -> Holding:
        """Everything stored for the sequence down to the end of `node`. Changes nothing."""
        return holding_of(self._parts.tree, self._parts.kv, self._parts.tree.node(node))

    def passages(self, tokens: TokenIds) -> tuple[Passage, ...]:
        """The nodes on the path of `tokens`, the last one possibly in part. Changes nothing."""
        return views.passages(self._parts.tree, as_tokens(tokens))

    def checkpoints(self) -> tuple[int, ...]:
        """The nodes that have a checkpoint, least recently used first."""
        held = [n for n in self._parts.tree.nodes.values() if n.checkpoint is not None]
        return tuple(n.id for n in sorted(held, key=_consumed))

    # ---- views

    @property
    def evicted(self) -> dict[str, int]:
        """Evictions by cause since the start: one per node or checkpoint."""
        return {str(cause): count for cause, count in self._parts.evictor.evicted.items()}

    @property
    def sizes(self) -> tuple[int, int]:
        """Slots of the KV pool and of the state pool."""
        return self._parts.kv.total, self._parts.states.total

    def nodes(self) -> tuple[NodeView, ...]:
        """Every node, parents before children."""
        return views.node_views(
            self._parts.tree, self._opened.kv_slot_bytes, self._opened.state_slot_bytes
        )

    def room(self) -> tuple[int, int]:
        """KV slots and state slots that could be allocated, evicting what is in them."""
        tree, states, pins = self._parts.tree, self._parts.states, self._parts.evictor.pins
        kept = tree.locked_states + len(pins)
        evictable = max(states.counts[CACHED] - kept, 0)
        return (
            self._parts.kv.free_slots + self._parts.evictor.evictable_kv(),
            states.free_slots + evictable,
        )

    def pinned(self) -> tuple[int, int]:
        """KV slots and state slots that pins hold."""
        pins = self._parts.evictor.pins
        return pins.tokens(), len(pins)

    def kv_pool(self) -> PoolView:
        return views.kv_pool_view(self._parts.tree, self._parts.kv, self._opened.kv_slot_bytes)

    def state_pool(self) -> PoolView:
        return views.state_pool_view(
            self._parts.tree, self._parts.states, self._opened.state_slot_bytes
        )

    def check(self) -> None:
        """Raises InvariantError naming the first broken invariant. Changes nothing."""
        invariants.check(self._parts)

    def check_each(self, tier: str) -> tuple[Checked, ...]:
        """Every invariant, and whether it holds. Changes nothing."""
        return invariants.check_each(self._parts, tier)


def _consumed(node: Node) -> int:
    assert node.checkpoint is not None
    return node.checkpoint.used.serial
