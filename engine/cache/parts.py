"""What a cache is made of, for the functions that change several of its parts at once."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache.eviction.evictor import Evictor
from engine.cache.journal.journal import Tell
from engine.cache.kv_pool import KVPool
from engine.cache.locks import LockTable
from engine.cache.recency import Recency
from engine.cache.state_pool import StatePool
from engine.cache.tree import Tree


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one cache; they stay the same objects for its whole life.

    Attributes:
        tell: notifies the journal of a change.
    """

    tree: Tree
    kv: KVPool
    states: StatePool
    locks: LockTable
    evictor: Evictor
    recency: Recency
    tell: Tell
