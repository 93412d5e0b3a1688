"""Pins: no policy evicts what the user pinned.

A pin is on a node with a checkpoint and protects that checkpoint and the KV from the root down to
it. Unlike a lock it blocks nothing else: a better state replaces a pinned one, a split leaves the
lower half pinned, and what an audit finds wrong or the user removes is removed.
"""

from __future__ import annotations

from engine.cache.journal.changes import Pinned, Unpinned
from engine.cache.journal.journal import LogChange, silent
from engine.cache.node import Node
from engine.cache.tree import Tree


class Pins:
    """The pinned nodes of a tree.

    Attributes:
        nodes: their ids, in the order in which they were pinned.
    """

    def __init__(self, tree: Tree, log_change: LogChange = silent) -> None:
        self._tree = tree
        self._log_change = log_change
        self.nodes: dict[int, None] = {}

    def __len__(self) -> int:
        return len(self.nodes)

    def pin(self, node: Node) -> None:
        """Pin a node with a checkpoint; a second time does nothing."""
        assert node.checkpoint is not None, "only a node with a checkpoint is pinned"
        if not node.pinned:
            node.pinned = True
            self.nodes[node.id] = None
            self._log_change(Pinned(node.id))

    def unpin(self, node: Node) -> None:
        """Unpin a pinned node."""
        node.pinned = False
        del self.nodes[node.id]
        self._log_change(Unpinned(node.id))

    def tokens(self, more: Node | None = None) -> int:
        """Tokens of all pinned paths, shared ones once; those of `more` as if it were pinned."""
        return sum(len(node.tokens) for node in self._paths(more))

    def unlocked_tokens(self) -> int:
        """Tokens of the pinned paths that are not also locked."""
        if not self.nodes:
            return 0
        return sum(len(node.tokens) for node in self._paths() if not node.kv_lock)

    def _paths(self, more: Node | None = None) -> list[Node]:
        """The nodes on pinned paths, each once."""
        ends = [self._tree.node(node) for node in self.nodes]
        found: dict[int, Node] = {}
        for end in ends if more is None else [*ends, more]:
            for node in self._tree.up(end):
                if node.id in found:
                    break
                found[node.id] = node
        return list(found.values())
