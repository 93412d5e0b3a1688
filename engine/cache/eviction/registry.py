"""The eviction policies by name, and the two baselines for coverage."""

from __future__ import annotations

from engine.cache.eviction import facts
from engine.cache.eviction.coverage import Coverage
from engine.cache.eviction.habits import Habits
from engine.cache.eviction.policy import Peers, Policy
from engine.cache.node import Node
from engine.errors import CacheError

# The context at which attention costs as much as the rest of a token's work, for a 9B model.
EVEN_CONTEXT = 137_000
# Marconi tunes alpha per workload; this value did best over all of ours.
ALPHA = 2.0


# Uses only what the hooks of Habits return: the places to rank again after a match.
class Flops(Habits):
    """Recency plus the FLOPs saved per byte, both normalised.

    Savings count from the nearest live ancestor checkpoint.
    """

    fades = True

    def checkpoint_worth(self, node: Node) -> float:
        return saved(node.end, facts.replay(node))

    def leaf_worth(self, leaf: Node) -> float:
        return self.checkpoint_worth(leaf) / facts.slots_freed(leaf)

    def faded(self, worth: float, age: int, peers: Peers) -> float:
        recency = 1.0 - age / max(peers.oldest, 1)
        return recency + ALPHA * worth / max(peers.most, 1e-9)


def saved(position: int, replay: int) -> float:
    """FLOPs to run the last `replay` of `position` tokens, as a multiple of one early token's."""
    middle = position - replay / 2
    return replay * (1.0 + middle / EVEN_CONTEXT)


class Lru(Policy):
    """Least recently used first, each plane by its own recency. Stateless."""

    def checkpoint_worth(self, node: Node) -> float:
        return float(facts.consumed(node))

    def leaf_worth(self, leaf: Node) -> float:
        return float(leaf.used.serial)


# engine/config.py lists the names that users may choose (POLICY_NAMES); a test keeps both equal.
POLICIES: dict[str, type[Policy]] = {
    "coverage": Coverage,
    "flops": Flops,
    "lru": Lru,
}


def make_policy(name: str) -> Policy:
    """A new policy called `name`, for one cache. Raises CacheError if the name is unknown."""
    if name not in POLICIES:
        known = ", ".join(f'"{known}"' for known in sorted(POLICIES))
        raise CacheError(f'There is no eviction policy "{name}"; choose one of {known}.')
    return POLICIES[name]()
