"""What is pinned is no room for others: nothing is evicted in vain for what cannot fit."""

from __future__ import annotations

import numpy as np

from engine.cache import TwoPlaneCache, by_hand
from engine.cache.lease import Lease
from engine.cache.tree import as_tokens


def stored(cache: TwoPlaneCache, tokens: list[int]) -> None:
    """A prompt that ran, with the state at its end."""
    ids = np.array(tokens, np.int64)
    lease = Lease(cache, exact=False)
    assert lease.open(ids, cache.match(ids))
    lease.store(lease.take_states((len(ids),)), len(ids), "prefill")
    lease.close()


def test_an_allocation_that_only_pinned_kv_could_serve_evicts_nothing() -> None:
    cache = TwoPlaneCache(40, 8, kv_slot_bytes=1, state_slot_bytes=100)
    kept, other = list(range(100, 116)), list(range(200, 216))
    stored(cache, kept)
    stored(cache, other)
    assert cache.by_hand(lambda parts: by_hand.pin(parts, as_tokens(kept)))
    assert cache.reader.pinned() == (16, 1)
    # Eight are free and sixteen can be evicted.
    assert cache.alloc_kv(25) is None
    assert {node.end for node in cache.reader.nodes() if node.parent is not None} == {16}
    assert len(cache.reader.nodes()) == 3, "evicted in vain"
    extents = cache.alloc_kv(24)
    assert extents is not None
    assert [node.pinned for node in cache.reader.nodes() if node.parent is not None] == [True]
    cache.free_kv(extents)
    cache.reader.check()
