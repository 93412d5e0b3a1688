"""The paths of a tree as runs of tokens."""

from __future__ import annotations

import numpy as np

from engine.cache.cache import TwoPlaneCache
from engine.cache.lease import Lease


def stored(cache: TwoPlaneCache, *tokens: int) -> None:
    """A path with a state at its end."""
    ids = np.array(tokens, np.int64)
    lease = Lease(cache, exact=False)
    assert lease.open(ids, cache.match(ids))
    lease.store(lease.take_states((len(ids),)), len(ids), "prefill")
    lease.close()


def told(cache: TwoPlaneCache, overlap: int = 2, limit: int = 100) -> list[list[int]]:
    return [line.tokens.tolist() for line in cache.reader.lines(overlap, limit)]


def test_each_token_is_told_once_and_in_its_context() -> None:
    cache = TwoPlaneCache(100, 10, kv_slot_bytes=1, state_slot_bytes=1)
    assert told(cache) == []
    stored(cache, 1, 2, 3, 4, 5)
    stored(cache, 1, 2, 3, 6, 7)
    assert told(cache) == [[2, 3, 4, 5], [1, 2, 3, 6, 7]]
    stored(cache, 1, 2, 3, 4, 5, 8)
    assert told(cache) == [[2, 3, 6, 7], [1, 2, 3, 4, 5, 8]]
    stored(cache, 9, 9)
    assert told(cache) == [[2, 3, 6, 7], [1, 2, 3, 4, 5, 8], [9, 9]]


def test_of_too_many_the_last_used_are_told() -> None:
    cache = TwoPlaneCache(100, 10, kv_slot_bytes=1, state_slot_bytes=1)
    for first in range(5):
        stored(cache, first, 50, 51, 52)
    assert told(cache, limit=9) == [[52], [3, 50, 51, 52], [4, 50, 51, 52]]


def test_a_token_is_found_in_its_node_after_a_split_and_a_cut() -> None:
    cache = TwoPlaneCache(100, 10, kv_slot_bytes=1, state_slot_bytes=1)
    stored(cache, 1, 2, 3, 4, 5)
    stored(cache, 1, 2, 3, 6, 7)
    node = {(view.start, view.end): view.id for view in cache.reader.nodes()}
    left, whole = cache.reader.lines(2, 100)
    assert [left.place(at)[1] for at in range(4)] == [1, 2, 3, 4]
    assert [whole.place(at)[1] for at in range(5)] == [0, 1, 2, 3, 4]
    upper, (first, second) = (
        node[0, 3],
        [view.id for view in cache.reader.nodes() if view.start == 3],
    )
    assert {left.place(1)[0], whole.place(2)[0]} == {upper}
    assert {left.place(2)[0], whole.place(3)[0]} == {first, second}
    (cut,) = cache.reader.lines(2, 3)
    assert (cut.tokens.tolist(), cut.place(0), cut.place(1)[1]) == ([3, 6, 7], (upper, 2), 3)
