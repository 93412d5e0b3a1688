"""The pictures in the modules' docstrings, drawn from what the cache does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.cache.extents import from_slots, to_slots
from tests.engine.cache.conftest import Driver

TOKENS = list(range(12))
# Start, end, KV slots and state slot (None: a tombstone).
Shown = tuple[int, int, list[int], int | None]


def nodes(d: Driver) -> list[Shown]:
    shown: list[Shown] = []
    for node in d.cache.reader.nodes():
        if node.parent is None:
            continue
        slots = to_slots(d.cache.reader.holding(node.id).extents)[node.start : node.end].tolist()
        held = node.checkpoint
        shown.append((node.start, node.end, slots, held.slot if held else None))
    return sorted(shown, key=lambda node: (node[0], -node[1]))


class TestInsertion:
    def test_a_split_leaves_a_tombstone_that_a_donation_heals(
        self, driver: Callable[..., Driver]
    ) -> None:
        d = driver()
        d.run(TOKENS)
        assert nodes(d) == [(0, 12, [*range(12)], 1)]
        prompt = [*TOKENS[:8], 90, 91, 92]
        lock, match = d.start(prompt)
        assert (match.matched, match.resume) == (8, 0)
        d.put(lock, prompt, match)
        below = [(8, 12, [*range(8, 12)], 1), (8, 11, [12, 13, 14], None)]
        assert nodes(d) == [(0, 8, [*range(8)], None), *below]
        assert d.donate(lock, 8)
        assert nodes(d) == [(0, 8, [*range(8)], 2), *below]

    def test_tags_decide_which_of_two_slots_stays(self, driver: Callable[..., Driver]) -> None:
        d = driver()
        lock, match = d.start(TOKENS)
        d.put(lock, TOKENS, match, tags=np.array([7] * 4 + [0] * 8))
        d.donate(lock, 12)
        d.cache.unlock(lock)
        prompt = [*TOKENS[:8], 90]
        lock, match = d.start(prompt)
        tags = np.array([7] * 4 + [9] * 5)
        found = d.put(lock, prompt, match, tags=tags, prefer_new=True, owned_from=0)
        assert nodes(d)[0] == (0, 8, [0, 1, 2, 3, 16, 17, 18, 19], None)
        assert found.duplicate_extents == from_slots(np.array([12, 13, 14, 15, 4, 5, 6, 7]))


class TestDonation:
    def test_of_two_at_one_position_the_better_one_stays(
        self, driver: Callable[..., Driver]
    ) -> None:
        for has_hidden, kept, free in ((False, 2, 3), (True, 3, 2)):
            d = driver()
            d.run(TOKENS)
            lock, _ = d.start(TOKENS)
            assert d.donate(lock, 8, cut_hash=5)
            after = [(0, 8, [*range(8)], 2), (8, 12, [*range(8, 12)], 1)]
            assert nodes(d) == after
            assert d.donate(lock, 8, cut_hash=5, has_hidden=has_hidden) is has_hidden
            assert nodes(d)[0][3] == kept
            assert d.cache.alloc_state() == free
