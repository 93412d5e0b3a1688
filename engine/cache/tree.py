"""The radix tree itself: walking, splitting, attaching and removing nodes. It owns no slots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from engine.cache import extents as kv_extents
from engine.cache.extents import Extents
from engine.cache.journal.changes import NodeAdded, NodeSplit
from engine.cache.journal.journal import LogChange, silent
from engine.cache.node import ROOT_ID, Gone, Loss, Node, Tokens
from engine.cache.recency import Stamp
from engine.errors import InvariantError

TokenIds = Sequence[int] | npt.NDArray[np.integer]
# Removed children that a node remembers, only to explain misses.
GONE_LIMIT = 64
GONE_HEAD = 16


def as_tokens(tokens: TokenIds) -> Tokens:
    """`[tokens] int32`; not copied if it already has that dtype."""
    return np.asarray(tokens, dtype=np.int32)


def common_prefix(a: Tokens, b: Tokens) -> int:
    """The number of leading tokens that are equal."""
    length = min(len(a), len(b))
    if not length:
        return 0
    same = a[:length] == b[:length]
    first_difference = int(same.argmin())
    return length if same[first_difference] else first_difference


@dataclass(frozen=True, slots=True)
class Walk:
    """The path of a sequence through the tree.

    Attributes:
        path: the nodes entirely inside the match, from the root (included) down.
        tail: the node entered only partly, if any; its checkpoint is beyond the match.
        matched: length of the match in tokens.
    """

    path: tuple[Node, ...]
    tail: Node | None
    matched: int

    @property
    def nodes(self) -> tuple[Node, ...]:
        return self.path if self.tail is None else (*self.path, self.tail)

    def extents(self) -> Extents:
        """The physical extents of [0, matched)."""
        whole = [node.extents for node in self.path]
        if self.tail is not None:
            whole.append(kv_extents.part(self.tail.extents, 0, self.matched - self.tail.start))
        return kv_extents.join(whole)


class Follower(Protocol):
    """Keeps data per node and follows the tree as it changes (a policy)."""

    def on_insert(self, leaf: Node) -> None:
        """`leaf` was added below its parent."""

    def on_split(self, upper: Node, lower: Node) -> None:
        """A node was split: `lower` is the original node, `upper` a new one above it."""


class Tree:
    """Nodes by id, from the root (id 0, an empty span) down.

    Attributes:
        nodes: every node in the tree, including the root.
        held: tokens of all nodes.
        locked: tokens of the nodes with a KV lock (counted by the lock table).
        locked_states: nodes with a state lock (counted there too).
    """

    def __init__(self, stamp: Stamp, follower: Follower, log_change: LogChange = silent) -> None:
        self.root = Node(ROOT_ID, 0, as_tokens([]), (), stamp, stamp)
        self.nodes: dict[int, Node] = {ROOT_ID: self.root}
        self.held = self.locked = self.locked_states = 0
        self._next_id = ROOT_ID + 1
        self._follower = follower
        self._log_change = log_change

    def node(self, node_id: int) -> Node:
        """Raises InvariantError if the node left the tree."""
        found = self.nodes.get(node_id)
        if found is None:
            raise InvariantError(f"stale node: node {node_id} is not in the tree")
        return found

    def walk(self, tokens: Tokens) -> Walk:
        """Follow `tokens` as far as the tree contains them. Does not mutate."""
        at_node = self.root
        path = [at_node]
        at, total = 0, len(tokens)
        # Compare whole spans as bytes: a numpy comparison takes four times as long.
        whole = tokens.tobytes()
        size = tokens.itemsize
        while at < total:
            child = at_node.children.get(int(tokens[at]))
            if child is None:
                break
            end = at + len(child.tokens)
            if child.tokens.tobytes() != whole[at * size : end * size]:
                return Walk(tuple(path), child, at + common_prefix(child.tokens, tokens[at:]))
            at, at_node = end, child
            path.append(child)
        return Walk(tuple(path), None, at)

    def up(self, node: Node) -> Iterator[Node]:
        """`node` and its ancestors, the root last."""
        at: Node | None = node
        while at is not None:
            yield at
            at = at.parent

    def since_checkpoint(self, node: Node) -> Iterator[Node]:
        """`node` and its ancestors, up to but excluding the next one with a checkpoint."""
        for above in self.up(node):
            if above.is_root or (above is not node and above.checkpoint is not None):
                return
            yield above

    def path(self, node: Node) -> list[Node]:
        """From the root (included) down to `node`."""
        return list(self.up(node))[::-1]

    def extents_to(self, node: Node) -> Extents:
        """The physical extents of [0, node.end)."""
        return kv_extents.join(n.extents for n in self.path(node))

    def covering(self, node: Node, position: int) -> Node:
        """The node on the path to `node` with start < position <= end."""
        for above in self.up(node):
            if above.start < position <= above.end:
                return above
        raise InvariantError(f"no position {position} on the path to node {node.id}")

    def preorder(self) -> list[Node]:
        """Every node, parents before children; not recursive, since paths may be deep."""
        order: list[Node] = []
        stack = [self.root]
        while stack:
            node = stack.pop()
            order.append(node)
            stack.extend(node.children.values())
        return order

    def split(self, node: Node, position: int) -> Node:
        """Split `node` at `position` and return the new upper half.

        The lower half keeps the id, the checkpoint and the state lock: its state is a point value
        at its end. The upper half is a tombstone with the same KV locks. Recency is unchanged.
        """
        assert node.start < position < node.end, "a split must be strictly inside a node"
        parent = node.parent
        assert parent is not None, "the root cannot be split"
        at = position - node.start
        upper = Node(
            id=self._take_id(),
            start=node.start,
            tokens=node.tokens[:at].copy(),
            extents=kv_extents.part(node.extents, 0, at),
            created=node.created,
            used=node.used,
            kv_lock=node.kv_lock,
            hits=node.hits,
            one_shot=node.one_shot,
        )
        upper.parent = parent
        lower_extents = kv_extents.part(node.extents, at, len(node.tokens))
        node.start, node.tokens, node.extents = position, node.tokens[at:].copy(), lower_extents
        node.parent = upper
        upper.children[int(node.tokens[0])] = node
        parent.children[int(upper.tokens[0])] = upper
        self.nodes[upper.id] = upper
        self._follower.on_split(upper, node)
        self._log_change(NodeSplit(node.id, upper.id, position))
        return upper

    def attach(self, parent: Node, tokens: Tokens, extents: Extents, stamp: Stamp) -> Node:
        """A new leaf below `parent`, without checkpoint or lock."""
        first = int(tokens[0])
        assert first not in parent.children, "siblings must differ in their first token"
        node = Node(self._take_id(), parent.end, tokens.copy(), extents, stamp, stamp)
        node.parent = parent
        self.held += len(tokens)
        parent.children[first] = node
        parent.gone.pop(first, None)
        self.nodes[node.id] = node
        self._follower.on_insert(node)
        self._log_change(NodeAdded(node.id, parent.id, node.start, node.end), stamp.time)
        return node

    def detach(self, leaf: Node, loss: Loss) -> Node:
        """Remove a leaf and return its parent, which remembers the loss."""
        parent = leaf.parent
        assert parent is not None, "the root cannot be removed"
        assert leaf.is_leaf, "only leaves can be removed"
        first = int(leaf.tokens[0])
        del parent.children[first], self.nodes[leaf.id]
        leaf.parent = None
        self.held -= len(leaf.tokens)
        # If a chain is removed node by node, remember the deepest loss.
        below = max((g.loss for g in leaf.gone.values()), key=lambda g: g.position, default=loss)
        if leaf.loss is not None and leaf.loss.position > below.position:
            below = leaf.loss
        parent.gone.pop(first, None)
        parent.gone[first] = Gone(leaf.tokens[:GONE_HEAD].tobytes(), len(leaf.tokens), below)
        if len(parent.gone) > GONE_LIMIT:
            del parent.gone[next(iter(parent.gone))]
        return parent

    def gone_below(self, node: Node, rest: Tokens) -> Loss | None:
        """What was once below `node` for a sequence that continues with `rest`."""
        gone = node.gone.get(int(rest[0])) if len(rest) else None
        if gone is None:
            return None
        head = rest[:GONE_HEAD].tobytes()
        shared = min(len(head), len(gone.head))
        return gone.loss if head[:shared] == gone.head[:shared] else None

    def _take_id(self) -> int:
        self._next_id += 1
        return self._next_id - 1
