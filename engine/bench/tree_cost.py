"""The cost of the tree by its size: memory, and the time of match, insert and evict."""

from __future__ import annotations

import gc
import statistics
import tracemalloc
from dataclasses import dataclass
from functools import partial

import numpy as np

from engine.bench.harness import seconds
from engine.cache import TwoPlaneCache
from engine.cache.lease import Lease
from engine.cache.node import Tokens
from engine.stored_state import StoredState

SIZES = (1_000, 10_000, 100_000)
DEPTH = 50
SPAN = 16
PROBES = 400


@dataclass(frozen=True, slots=True)
class TreeCost:
    """Medians, in microseconds, for paths of 50 nodes of 16 tokens.

    Attributes:
        match_us: a match of a whole path.
        insert_us: one more node at the end of a path.
        evict_state_us, evict_kv_us: one eviction each.
        node_bytes: Python memory per node, with its share of the pools and the rankings.
    """

    policy: str
    nodes: int
    match_us: float
    insert_us: float
    evict_state_us: float
    evict_kv_us: float
    node_bytes: float


def measure(policy: str, nodes: int) -> TreeCost:
    """Grow a tree of `nodes` nodes in paths of 50 and time its operations."""
    traced = tracemalloc.is_tracing()
    if not traced:
        tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    cache = _grown(policy, nodes)
    gc.collect()
    held = tracemalloc.get_traced_memory()[0] - before
    if not traced:
        tracemalloc.stop()
    rng = np.random.default_rng(1)
    paths = nodes // DEPTH
    times: list[tuple[float, float, float, float]] = []
    gc.disable()
    try:
        for step in range(PROBES):
            tokens = _path(int(rng.integers(paths)))
            match = seconds(partial(cache.match, tokens))
            insert = _insert(cache, np.append(tokens, np.full(SPAN, -step - 2, np.int32)))
            evictions = seconds(cache.evict_state), seconds(partial(cache.evict_kv, 1))
            times.append((match, insert, *evictions))
    finally:
        gc.enable()
    medians = map(statistics.median, zip(*times, strict=True))
    match_us, insert_us, state_us, kv_us = (1e6 * each for each in medians)
    return TreeCost(policy, nodes, match_us, insert_us, state_us, kv_us, held / nodes)


def _path(number: int) -> Tokens:
    tokens = np.arange(DEPTH * SPAN, dtype=np.int32)
    tokens[0] = 1_000_000 + number
    return tokens


def _grown(policy: str, nodes: int) -> TwoPlaneCache:
    cache = TwoPlaneCache(
        (nodes + 2 * DEPTH) * SPAN,
        nodes + 2 * DEPTH,
        kv_slot_bytes=12 << 10,
        state_slot_bytes=19 << 20,
        policy=policy,
    )
    for number in range(nodes // DEPTH):
        tokens = _path(number)
        lease = Lease(cache, exact=False)
        lease.open(tokens.astype(np.int64), cache.match(tokens))
        for end in range(SPAN, len(tokens) + 1, SPAN):
            lease.store(lease.take_states((end,)), end, "prefill")
        lease.close()
    return cache


def _insert(cache: TwoPlaneCache, tokens: Tokens) -> float:
    match = cache.match(tokens)
    lock = cache.lock(match)
    own = cache.alloc_kv(len(tokens) - match.matched) or []
    extents = [*match.extents, *own]
    took = seconds(lambda: cache.insert(tokens, extents, owned_from=match.matched, lock=lock))
    slot = cache.alloc_state()
    assert slot is not None
    cache.donate(lock, slot, StoredState(len(tokens)))
    cache.unlock(lock)
    return took
