"""The policy `flops`: recency plus FLOPs saved per byte, as in Marconi (MLSys 2025)."""

from __future__ import annotations

from engine.cache.eviction import facts
from engine.cache.eviction.habits import Habits
from engine.cache.eviction.policy import Peers
from engine.cache.node import Node

# The context at which attention costs as much as the rest of a token's work: 9B shape.
EVEN_CONTEXT = 137_000
# Marconi tunes alpha per workload; this value did best over all of ours.
ALPHA = 2.0


# Of Habits it uses only what the hooks return: the places to rank again after a match.
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
