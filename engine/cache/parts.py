"""The components of a cache, for functions that change several of them at once."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache.eviction.evictor import Evictor
from engine.cache.journal.journal import LogChange
from engine.cache.kv_pool import KVPool
from engine.cache.locks import LockTable
from engine.cache.recency import Recency
from engine.cache.state_pool import StatePool
from engine.cache.tree import Tree


@dataclass(frozen=True, slots=True)
class Parts:
    """The components of one cache; the same objects for its whole lifetime.

    Attributes:
        log_change: appends a change to the journal.
    """

    tree: Tree
    kv: KVPool
    states: StatePool
    locks: LockTable
    evictor: Evictor
    recency: Recency
    log_change: LogChange
