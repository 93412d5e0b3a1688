"""The policy `fifo`: first stored, first out. The worked example of CONTRIBUTING.md."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cache.eviction.cause import Cause
from engine.cache.eviction.policy import Policy
from engine.cache.node import Node


class Fifo(Policy):
    """First stored, first out, however often it is used."""

    def __init__(self) -> None:
        self._stored: dict[int, int] = {}
        self._stores = 0

    def checkpoint_worth(self, node: Node) -> float:
        return float(self._stored[node.id])

    def leaf_worth(self, leaf: Node) -> float:
        return self.checkpoint_worth(leaf)

    def on_store(self, node: Node) -> Sequence[Node]:
        self._stores += 1
        self._stored[node.id] = self._stores
        return ()

    def on_remove(self, node: Node, cause: Cause, now: int) -> None:
        self._stored.pop(node.id, None)
