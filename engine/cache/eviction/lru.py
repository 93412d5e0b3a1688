"""The policy `lru`: least recently used first, as SGLang does."""

from __future__ import annotations

from engine.cache.eviction import facts
from engine.cache.eviction.policy import Policy
from engine.cache.node import Node


class Lru(Policy):
    """Least recently used first, each plane by its own recency. Remembers nothing."""

    def checkpoint_worth(self, node: Node) -> float:
        return float(facts.consumed(node))

    def leaf_worth(self, leaf: Node) -> float:
        return float(leaf.used.serial)
