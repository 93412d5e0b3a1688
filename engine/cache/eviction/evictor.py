"""Evicts from the tree: what, in which order, and with which cause (every eviction has one)."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from math import inf

from engine.cache.eviction import facts
from engine.cache.eviction.cause import PRESSURE, Cause
from engine.cache.eviction.policy import Policy
from engine.cache.eviction.ranking import HeapItem, Ranking
from engine.cache.journal.changes import CheckpointDropped, NodeRemoved
from engine.cache.journal.journal import LogChange, silent
from engine.cache.kv_pool import KVPool
from engine.cache.node import Loss, Node
from engine.cache.pins import Pins
from engine.cache.recency import Recency
from engine.cache.state_pool import StatePool
from engine.cache.tree import Tree, Walk
from engine.stored_state import TierName

# Less than any policy's worth: front ends request titles and tags by the dozen, and the chats that
# those belong to should stay. Among equals the least recently used goes first.
ONE_SHOT_WORTH = -inf
# Random candidates to re-evaluate at each eviction: worths can change unnoticed.
SECOND_LOOKS = 1
# Candidates devalued by a match to re-evaluate at each eviction; maximum number pending.
CHANGES_AT_ONCE = 4
MOST_CHANGES = 4096


class Evictor:
    """Removes checkpoints and nodes from the tree and returns their slots to the pools.

    Attributes:
        evicted: counts by cause.
        demote: called before a checkpoint is evicted under pressure, with both planes still intact;
            returns the lower tier that then holds it, None if none does.
        pins: nodes that no policy evicts.
    """

    def __init__(
        self,
        tree: Tree,
        kv: KVPool,
        states: StatePool,
        recency: Recency,
        policy: Policy,
        log_change: LogChange = silent,
    ) -> None:
        self._tree = tree
        self._log_change = log_change
        self._kv = kv
        self._states = states
        self._recency = recency
        self.policy = policy
        self.evicted: Counter[str] = Counter()
        self.pins = Pins(tree, log_change)
        self.demote: Callable[[Node], TierName | None] | None = None
        # Nodes devalued by a match; re-evaluated at the next eviction.
        self._changed: deque[int] = deque(maxlen=MOST_CHANGES)
        self._leaves = Ranking(policy, lambda: recency.matches)
        self._holders = Ranking(policy, lambda: recency.matches)

    # ---- one eviction

    def drop_checkpoint(self, node: Node, cause: Cause) -> None:
        """Drop a checkpoint; an unlocked leaf is removed with it, others become tombstones."""
        assert node.checkpoint is not None, "no checkpoint to drop"
        assert not node.state_lock, "a locked checkpoint cannot be dropped"
        assert not node.pinned, "a pinned checkpoint cannot be dropped"
        copy = self._forget_checkpoint(node, cause)
        self.evicted[cause] += 1
        if node.bare:
            self._remove(node, cause, copy)
        else:
            self._log_change(CheckpointDropped(node.id, node.end, cause, copy))
            self._rank_leaf_below(node)

    def drop_leaf(self, leaf: Node, cause: Cause) -> Node:
        """Drop an unlocked leaf, then the bare tombstones above it; returns the node above them."""
        assert self._evictable_leaf(leaf), "only unlocked leaves can be dropped"
        copy = "" if leaf.checkpoint is None else self._forget_checkpoint(leaf, cause)
        self.evicted[cause] += 1
        return self._remove(leaf, cause, copy)

    def prune(self, node: Node, cause: Cause) -> None:
        """Remove `node` if it is bare, and the bare tombstones above it."""
        if node.bare:
            self.evicted[cause] += 1
            self._remove(node, cause)

    def _forget_checkpoint(self, node: Node, cause: Cause) -> str:
        """Returns the lower tier that now holds it, "" if none does or none was asked."""
        assert node.checkpoint is not None
        copy: TierName | None = None
        if self.demote is not None and cause in PRESSURE:
            copy = self.demote(node)
        self._states.release(node.checkpoint.slot)
        node.checkpoint = None
        self._holders.drop(node.id)
        node.loss = Loss(node.end, cause.value, self._recency.time())
        return copy or ""

    def _remove(self, leaf: Node, cause: Cause, copy: str = "") -> Node:
        loss = leaf.loss or Loss(leaf.end, cause.value, self._recency.time())
        self._kv.release(leaf.extents)
        self.policy.on_remove(leaf, cause, self._recency.matches)
        above = self._tree.detach(leaf, loss)
        self._leaves.drop(leaf.id)
        self._log_change(NodeRemoved(leaf.id, cause, copy))
        while above.bare:
            bare = above
            self.evicted[Cause.TOMBSTONE_CHAIN] += 1
            self._kv.release(bare.extents)
            self.policy.on_remove(bare, Cause.TOMBSTONE_CHAIN, self._recency.matches)
            above = self._tree.detach(bare, bare.loss or loss)
            self._leaves.drop(bare.id)
            self._log_change(NodeRemoved(bare.id, Cause.TOMBSTONE_CHAIN))
        self._rank_leaf_below(above)
        return above

    def _rank_leaf_below(self, node: Node) -> None:
        """Rank the leaf of the chain through `node`: evicting it may now free more bare nodes."""
        leaf = facts.leaf_below(node)
        if leaf is not None:
            self.note(leaf)

    # ---- under pressure

    def free_kv(self, slots: int) -> int:
        """Evict unlocked leaves, cheapest first, until `slots` are freed; returns the number."""
        freed_before = self._kv.free_slots
        while self._kv.free_slots - freed_before < slots:
            leaf = self._cheapest(self._leaves, self._leaf_entry)
            if leaf is None:
                break
            self.drop_leaf(leaf, Cause.ONE_SHOT if leaf.one_shot else Cause.KV_PRESSURE)
        return self._kv.free_slots - freed_before

    def free_states(self, count: int) -> int:
        """Evict checkpoints that no request holds, cheapest first; returns how many it evicted."""
        for done in range(count):
            node = self._cheapest(self._holders, self._holder_entry)
            if node is None:
                return done
            self.drop_checkpoint(node, Cause.ONE_SHOT if node.one_shot else Cause.STATE_PRESSURE)
        return count

    def evictable_kv(self) -> int:
        """KV slots that eviction could free: all that are neither locked nor pinned."""
        return self._tree.held - self._tree.locked - self.pins.unlocked_tokens()

    # ---- on demand

    def drop_session(self, node: Node) -> int:
        """Drop `node`, everything below it, and the nodes above it that served nothing else.

        Stops at locks, and above `node` at pins. Returns the KV slots freed.
        """
        freed_before = self._kv.free_slots
        self.unpin(node)
        upwards = list(self._tree.up(node))
        self._drop_below(node, Cause.SESSION_DROPPED)
        for at in upwards:
            if at.id in self._tree.nodes:
                if not self._evictable_leaf(at):
                    break
                self.drop_leaf(at, Cause.SESSION_DROPPED)
        return self._kv.free_slots - freed_before

    def drop_below(self, node: Node, cause: Cause) -> None:
        """Drop everything below a node with a wrong state: it may derive from that state."""
        self._drop_below(node, cause)

    def drop_passing(self, node: Node, cause: Cause) -> int:
        """Drop `node` and everything below it, likewise. Returns the KV slots freed."""
        freed_before = self._kv.free_slots
        self.unpin(node)
        self.drop_below(node, cause)
        # If `node` was bare, it was removed with its last descendant.
        if node.id in self._tree.nodes and self._evictable_leaf(node):
            self.drop_leaf(node, cause)
        return self._kv.free_slots - freed_before

    def drop_all(self) -> int:
        """Drop everything that is not locked, on both planes. Returns the KV slots freed."""
        freed_before = self._kv.free_slots
        self._drop_below(self._tree.root, Cause.DROPPED_BY_USER)
        for node in list(self._tree.nodes.values()):
            if node.checkpoint is not None and not node.state_lock:
                self.drop_checkpoint(node, Cause.DROPPED_BY_USER)
        return self._kv.free_slots - freed_before

    def _drop_below(self, top: Node, cause: Cause) -> None:
        order, stack = [], list(top.children.values())
        while stack:
            node = stack.pop()
            order.append(node)
            stack.extend(node.children.values())
            self.unpin(node)
        for node in reversed(order):
            if node.id in self._tree.nodes and self._evictable_leaf(node):
                self.drop_leaf(node, cause)

    def unpin(self, node: Node) -> None:
        """Make `node` evictable again; does nothing if it was not pinned."""
        if node.pinned:
            self.pins.unpin(node)
            self.note(node)

    # ---- rank updates

    def note(self, node: Node) -> None:
        """`node` changed: update its worth in the rankings where it is a candidate."""
        self._enter(self._leaves, self._leaf_entry(node))
        self._enter(self._holders, self._holder_entry(node))

    def stored(self, node: Node) -> None:
        """`node` got a checkpoint, so the neighbouring ones now save less."""
        others = self.policy.on_store(node)
        for near in (node, *others, facts.live_above(node), *facts.live_below(node)):
            if near is not None:
                self.note(near)

    def matched(self, walk: Walk) -> None:
        """A prompt matched `walk`, whose nodes have not counted the match yet."""
        changed = self.policy.on_match(walk, self._recency.matches)
        self._changed.extend(node.id for node in changed)

    # ---- ranks

    def _cheapest(
        self, ranking: Ranking, entry_of: Callable[[Node], HeapItem | None]
    ) -> Node | None:
        """The candidate with the least worth, re-evaluated."""
        for _ in range(min(len(self._changed), CHANGES_AT_ONCE)):
            node = self._tree.nodes.get(self._changed.popleft())
            if node is not None:
                self.note(node)
        for _ in range(SECOND_LOOKS):
            sampled = ranking.random_candidate()
            if sampled is not None:
                self._enter(ranking, entry_of(self._tree.node(sampled)))
        while (known := ranking.cheapest()) is not None:
            candidate = self._tree.node(known[2])
            now = entry_of(candidate)
            if now is None:
                # Locked for now; releasing the lock notes it again.
                ranking.drop(candidate.id)
                continue
            if now == known:
                return candidate
            ranking.put(now)
            if ranking.cheaper(now, known):
                return candidate
        return None

    def _enter(self, ranking: Ranking, entry: HeapItem | None) -> None:
        if entry is not None:
            ranking.put(entry)

    def _holder_entry(self, node: Node) -> HeapItem | None:
        if node.checkpoint is None or node.state_lock or node.pinned:
            return None
        worth = ONE_SHOT_WORTH if node.one_shot else self.policy.checkpoint_worth(node)
        return (worth, facts.consumed(node), node.id, node.used.match)

    def _leaf_entry(self, node: Node) -> HeapItem | None:
        if not self._evictable_leaf(node) or node.checkpoint is None:
            return None
        worth = ONE_SHOT_WORTH if node.one_shot else self.policy.leaf_worth(node)
        return (worth, node.used.serial, node.id, node.used.match)

    def _evictable_leaf(self, node: Node) -> bool:
        return node.is_leaf and not (node.kv_lock or node.pinned or node.is_root)
