"""A minimal request lifecycle, for tests of the cache without a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from engine.cache import Lock, Match, TwoPlaneCache
from engine.cache.insertion import InsertResult
from engine.cache.parts import Parts
from engine.snapshot import NodeView
from engine.stored_state import StoredState

Ids = Sequence[int] | np.ndarray


def parts_of(cache: TwoPlaneCache) -> Parts:
    """What a cache is made of, to be looked at and broken."""
    return cache.by_hand(lambda parts: parts)


@dataclass
class Driver:
    """Drives a cache as the run loop does and checks every invariant after every step."""

    kv_slots: int = 64
    state_slots: int = 8
    policy: str = "coverage"
    time: float = 0.0
    cache: TwoPlaneCache = field(init=False)

    def __post_init__(self) -> None:
        self.cache = TwoPlaneCache(
            self.kv_slots,
            self.state_slots,
            kv_slot_bytes=10,
            state_slot_bytes=1000,
            policy=self.policy,
            clock=lambda: self.time,
        )

    def start(self, tokens: Ids) -> tuple[Lock, Match]:
        """Match and lock."""
        match = self.cache.match(tokens)
        lock = self.cache.lock(match)
        self.cache.reader.check()
        return lock, match

    def put(
        self,
        lock: Lock,
        tokens: Ids,
        match: Match,
        *,
        tags: np.ndarray | None = None,
        prefer_new: bool = False,
        owned_from: int | None = None,
        one_shot: bool = False,
    ) -> InsertResult:
        """Allocate and insert what the match did not supply."""
        start = match.matched if owned_from is None else owned_from
        own = self.cache.alloc_kv(len(tokens) - start)
        assert own is not None
        known: list[tuple[int, int]] = []
        for first, length in match.extents:
            take = min(length, start - sum(n for _, n in known))
            known.extend([(first, take)] if take > 0 else [])
        result = self.cache.insert(
            tokens,
            [*known, *own],
            owned_from=start,
            lock=lock,
            tags=tags,
            prefer_new=prefer_new,
            one_shot=one_shot,
        )
        self.cache.reader.check()
        return result

    def donate(self, lock: Lock, position: int, **kind: Any) -> bool:
        """Write and donate a state slot; False if there is none or it was not taken."""
        slot = self.cache.alloc_state()
        self.cache.reader.check()
        if slot is None:
            self.cache.note_skip()
            return False
        taken = self.cache.donate(lock, slot, StoredState(position, **kind))
        self.cache.reader.check()
        return taken

    def run(
        self, tokens: Ids, at: Iterable[int] | None = None, *, one_shot: bool = False, **kind: Any
    ) -> Match:
        """A whole request: checkpoints at `at` (by default the end). Returns its match."""
        lock, match = self.start(tokens)
        self.put(lock, tokens, match, one_shot=one_shot)
        for position in [len(tokens)] if at is None else at:
            self.donate(lock, position, **kind)
        self.cache.unlock(lock)
        self.cache.reader.check()
        return match

    def checkpoints(self) -> dict[int, int]:
        """Position by node id, of all checkpoints in the tree."""
        return {n.id: n.end for n in self.cache.reader.nodes() if n.checkpoint is not None}

    def positions(self) -> list[int]:
        return sorted(self.checkpoints().values())

    def view(self, node: int) -> NodeView:
        return next(n for n in self.cache.reader.nodes() if n.id == node)


@pytest.fixture
def driver() -> type[Driver]:
    """Makes a Driver; its keywords are the sizes and the policy."""
    return Driver
