"""The interface of an eviction policy: its queries, its hooks, and what it may store.

CONTRIBUTING.md shows how to add one ("How to add an eviction policy").
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from engine.cache.eviction.cause import Cause
from engine.cache.node import Node
from engine.cache.tree import Walk


@dataclass(frozen=True, slots=True)
class Peers:
    """The other candidates that a worth is weighed against.

    Attributes:
        oldest: the longest time since any of them was used, in matches.
        most: the largest worth among them.
    """

    oldest: int
    most: float


class Policy(ABC):
    """Ranks the candidates for eviction; the one with the least worth is evicted first.

    One object serves one cache for the cache's lifetime. It stores what it learns from requests
    itself, keyed by `Node.id`; it never writes to a node and keeps no node that left the tree.

    Queries. A candidate is an unlocked node: one with a checkpoint when a state slot is needed
    (`checkpoint_worth`), a leaf when KV slots are needed (`leaf_worth`). Both are called often, so
    they look only at the node and its neighbourhood (facts.py) and change nothing. A ranking caches
    the worths. When something has to be evicted, it re-evaluates

    - the node that it considers cheapest: a worth that grew unnoticed does no harm;
    - the nodes that `on_match` returned, and right after a store those around it and those that
      `on_store` returned: return those whose worth *fell*, since nothing else would notice soon;
    - a few at random.

    Hooks are called when the tree changes and do nothing unless overridden. The cache maintains a
    node's own counters (`hits`, `used`, `created`); see Node.

    Attributes:
        fades: whether a worth depends on the time since the last use; see `faded`.
    """

    fades = False

    # ---- queries

    @abstractmethod
    def checkpoint_worth(self, node: Node) -> float:
        """The worth of `node`'s checkpoint to the state plane when just used."""

    @abstractmethod
    def leaf_worth(self, leaf: Node) -> float:
        """The worth of `leaf` to the KV plane when just used. It has a checkpoint."""

    def faded(self, worth: float, age: int, peers: Peers) -> float:
        """A worth `age` matches after the last use, for policies whose worths fade.

        Must increase with `worth` and decrease with `age`, at a pace that depends on nothing else
        about the node: the ranking relies on it.
        """
        return worth

    # ---- hooks

    def on_match(self, walk: Walk, now: int) -> Sequence[Node]:
        """A prompt matched `walk`; called before its nodes count the match as a hit and a use.

        Returns the nodes whose worth may have fallen. `now` is the number of this match.
        """
        return ()

    def on_store(self, node: Node) -> Sequence[Node]:
        """`node` has just got a checkpoint: its first, a better one, or one after a loss.

        Returns the nodes whose worth may have changed, besides `node` and the nearest ones with a
        checkpoint above and below.
        """
        return ()

    def on_remove(self, node: Node, cause: Cause, now: int) -> None:
        """`node` is about to leave the tree: forget it. Its checkpoint has already been dropped.

        The bare tombstones above a leaf follow it with Cause.TOMBSTONE_CHAIN.
        """
        return

    def on_insert(self, leaf: Node) -> None:
        """`leaf` was added below its parent; no checkpoint yet."""
        return

    def on_split(self, upper: Node, lower: Node) -> None:
        """A node was split: `lower` is the original node, `upper` a new one above it."""
        return
