"""Eviction: what leaves the tree, in which order, and why (every eviction has a named cause)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from heapq import heapify, heappop, heappush

from engine.cache.changes import CheckpointDropped, NodeRemoved
from engine.cache.journal import Tell, silent
from engine.cache.kv_pool import KVPool
from engine.cache.node import Loss, Node
from engine.cache.policy import CheckpointFacts, LeafFacts, Policy
from engine.cache.recency import Recency, freshness
from engine.cache.state_pool import StatePool
from engine.cache.tree import Tree


class Cause(StrEnum):
    """Why something was evicted. One count per node or checkpoint that went for this cause."""

    KV_PRESSURE = "kv pressure"
    STATE_PRESSURE = "state pressure"
    TOMBSTONE_CHAIN = "tombstone chain"
    UNCOVERED_TAIL = "uncovered tail"
    SUPERSEDED = "superseded"
    SESSION_DROPPED = "session dropped"
    DROPPED_BY_USER = "dropped by user"


FOR_WANT_OF_ROOM = (Cause.KV_PRESSURE, Cause.STATE_PRESSURE)


@dataclass(frozen=True, slots=True)
class Reach:
    """Of one node: the nearest live checkpoint above, and what lies below.

    Attributes:
        fresh: how likely a next prompt goes through the node: along the path from the root, the
            freshness of each branch among the matches that came as far as its parent. So the old
            branch of an edited chat fades at the chat's own pace.
        above: position of the nearest live checkpoint above the node's own, 0 where there is none.
        exposed: freshness-weighted share of its path where a parting prompt would have to resume
            above this node: its own span and, on a tombstone, what is exposed below.
        covered: a live checkpoint lies in the node or below.
        deepest: end of the longest path through the node.
    """

    fresh: float
    above: int
    exposed: float
    covered: bool
    deepest: int


class Evictor:
    """Takes checkpoints and nodes out of the tree and their slots back into the pools.

    Attributes:
        evicted: counts by cause.
        demote: called before a checkpoint is forgotten for want of room, both planes still whole.
    """

    def __init__(
        self,
        tree: Tree,
        kv: KVPool,
        states: StatePool,
        recency: Recency,
        policy: Policy,
        tell: Tell = silent,
    ) -> None:
        self._tree = tree
        self._tell = tell
        self._kv = kv
        self._states = states
        self._recency = recency
        self.policy = policy
        self.evicted: Counter[str] = Counter()
        self.demote: Callable[[Node], None] | None = None

    # ---- one eviction

    def drop_checkpoint(self, node: Node, cause: Cause) -> None:
        """An inner or locked node becomes a tombstone that remembers; an unlocked leaf goes."""
        assert node.checkpoint is not None, "no checkpoint to drop"
        assert not node.state_lock, "a locked checkpoint stays"
        self._forget_checkpoint(node, cause)
        self.evicted[cause] += 1
        if node.bare:
            self._remove(node, cause)
        else:
            self._tell(CheckpointDropped(node.id, node.end, cause))

    def drop_leaf(self, leaf: Node, cause: Cause) -> Node:
        """Both planes of an unlocked leaf, then the bare tombstones above; returns what is left."""
        assert self._evictable_leaf(leaf), "only unlocked leaves go"
        if leaf.checkpoint is not None:
            self._forget_checkpoint(leaf, cause)
        self.evicted[cause] += 1
        return self._remove(leaf, cause)

    def prune(self, node: Node, cause: Cause) -> None:
        """Remove `node` where it is bare, and the bare tombstones above it."""
        if node.bare:
            self.evicted[cause] += 1
            self._remove(node, cause)

    def _forget_checkpoint(self, node: Node, cause: Cause) -> None:
        assert node.checkpoint is not None
        if self.demote is not None and cause in FOR_WANT_OF_ROOM:
            self.demote(node)
        self._states.release(node.checkpoint.slot)
        node.checkpoint = None
        node.loss = Loss(node.end, cause.value, self._recency.time())

    def _remove(self, leaf: Node, cause: Cause) -> Node:
        loss = leaf.loss or Loss(leaf.end, cause.value, self._recency.time())
        self._kv.release(leaf.runs)
        above = self._tree.detach(leaf, loss)
        self._tell(NodeRemoved(leaf.id, cause))
        while above.bare:
            bare = above
            self.evicted[Cause.TOMBSTONE_CHAIN] += 1
            self._kv.release(bare.runs)
            above = self._tree.detach(bare, bare.loss or loss)
            self._tell(NodeRemoved(bare.id, Cause.TOMBSTONE_CHAIN))
        return above

    # ---- under pressure

    def free_kv(self, slots: int) -> int:
        """Evict unlocked leaves, cheapest first, until `slots` came free or none is left."""
        freed_before = self._kv.free_slots
        reaches = self._reaches()
        heap = [
            self._ranked_leaf(node, reaches)
            for node in self._tree.nodes.values()
            if self._evictable_leaf(node)
        ]
        heapify(heap)
        while heap and self._kv.free_slots - freed_before < slots:
            _, _, node_id = heappop(heap)
            above = self.drop_leaf(self._tree.node(node_id), Cause.KV_PRESSURE)
            if self._evictable_leaf(above):
                heappush(heap, self._ranked_leaf(above, reaches))
        return self._kv.free_slots - freed_before

    def free_states(self, count: int) -> int:
        """Evict checkpoints that no request holds, cheapest first; returns how many went."""
        for done in range(count):
            reaches = self._reaches()
            best: tuple[float, int, int] | None = None
            for node in self._tree.nodes.values():
                if node.checkpoint is not None and not node.state_lock:
                    facts = self._checkpoint_facts(node, reaches)
                    ranked = (self.policy.checkpoint_value(facts), facts.consumed, node.id)
                    best = ranked if best is None else min(best, ranked)
            if best is None:
                return done
            self.drop_checkpoint(self._tree.node(best[2]), Cause.STATE_PRESSURE)
        return count

    def evictable_kv(self) -> int:
        """KV slots that eviction could free: all below no lock."""
        return sum(len(n.tokens) for n in self._tree.nodes.values() if not n.kv_lock)

    # ---- on demand

    def drop_session(self, node: Node) -> int:
        """Both planes of `node`, all below it, and what above it served nothing else.

        Stops at locks. Returns the KV slots freed.
        """
        freed_before = self._kv.free_slots
        upwards = list(self._tree.up(node))
        self._drop_below(node, Cause.SESSION_DROPPED)
        for at in upwards:
            if at.id in self._tree.nodes:
                if not self._evictable_leaf(at):
                    break
                self.drop_leaf(at, Cause.SESSION_DROPPED)
        return self._kv.free_slots - freed_before

    def drop_all(self) -> int:
        """Everything that is not locked, on both planes. Returns the KV slots freed."""
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
        for node in reversed(order):
            if node.id in self._tree.nodes and self._evictable_leaf(node):
                self.drop_leaf(node, cause)

    # ---- facts for the policy

    def _evictable_leaf(self, node: Node) -> bool:
        return node.is_leaf and not node.kv_lock and not node.is_root

    def _ranked_leaf(self, node: Node, reaches: dict[int, Reach]) -> tuple[float, int, int]:
        facts = LeafFacts(
            slots=self._slots_with(node),
            checkpoint=self._checkpoint_facts(node, reaches),
            used=node.used.serial,
        )
        return (self.policy.leaf_value(facts), node.used.serial, node.id)

    def _slots_with(self, leaf: Node) -> int:
        slots = len(leaf.tokens)
        at = leaf.parent
        while (
            at is not None
            and not at.is_root
            and at.checkpoint is None
            and not at.kv_lock
            and len(at.children) == 1
        ):
            slots += len(at.tokens)
            at = at.parent
        return slots

    def _checkpoint_facts(self, node: Node, reaches: dict[int, Reach]) -> CheckpointFacts:
        reach = reaches[node.id]
        checkpoint = node.checkpoint
        # Children that went in the course of one eviction leave a leaf that is now continued from.
        below = [reaches[child.id] for child in node.children.values()]
        stamp = checkpoint.used if checkpoint is not None else node.used
        return CheckpointFacts(
            position=node.end,
            replay=node.end - reach.above,
            diverging=sum(child.exposed for child in below),
            continuing=(0.0 if any(child.covered for child in below) else reach.fresh),
            heat=self._recency.cooled(checkpoint.heat, stamp) if checkpoint is not None else 0.0,
            consumed=stamp.serial,
        )

    def _reaches(self) -> dict[int, Reach]:
        """Facts about every node's surroundings, in two passes over the tree."""
        order = self._tree.preorder()
        above: dict[int, int] = {}
        fresh: dict[int, float] = {}
        for node in order:
            parent = node.parent
            if parent is None:
                above[node.id], fresh[node.id] = 0, 1.0
                continue
            fresh[node.id] = fresh[parent.id] * freshness(node.passed_by)
            if parent.checkpoint is not None:
                above[node.id] = parent.end
            else:
                above[node.id] = above[parent.id]
        reaches: dict[int, Reach] = {}
        for node in reversed(order):
            below = [reaches[child.id] for child in node.children.values()]
            deepest = max((child.deepest for child in below), default=node.end)
            exposed = 0.0
            if not node.is_root:
                exposed = fresh[node.id] * len(node.tokens) / deepest
            if node.checkpoint is None:
                exposed += sum(child.exposed for child in below)
            covered = node.checkpoint is not None or any(child.covered for child in below)
            reaches[node.id] = Reach(fresh[node.id], above[node.id], exposed, covered, deepest)
        return reaches
