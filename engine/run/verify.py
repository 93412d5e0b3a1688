"""Verified hits: run what a checkpoint stands for once more, cold, and compare."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from engine.audit.compare import Comparison, compare
from engine.cache.holding import Holding
from engine.cache.intake import MOVE_ERRORS
from engine.planes import LIVE_SLOT
from engine.run.rounding import rounding_of
from engine.run.store import Store
from engine.storage.host_planes import gather_kv, scatter_kv
from engine.verdict import Verdict, VerdictStatus

if TYPE_CHECKING:
    from torch import Tensor

# A cold run gives way to a command between two segments of so many tokens.
SEGMENT_TOKENS = 256
# A background audit leaves longer prompts alone: it would take minutes and much memory.
MOST_TOKENS = 8192
# Beyond rounding, but still harmless: the same likeliest token and nearly the same distribution.
HARMLESS_KL = 0.05


class Verifier:
    """Audits checkpoints of a store, one at a time, between requests."""

    def __init__(self, store: Store, dtype: str) -> None:
        self._store = store
        self._dtype = dtype

    def next_unverified(self) -> int | None:
        """A consumed checkpoint that no audit has looked at, the last used first; None: no more."""
        cache = self._store.cache
        for node in reversed(cache.checkpoints()):
            held = cache.holding(node)
            point = held.checkpoint
            open_question = point is not None and point.hits and point.verdict is None
            if open_question and len(held.tokens) <= MOST_TOKENS:
                return node
        return None

    def verify(self, node: int, wanted: Callable[[], bool]) -> Verdict | None:
        """Audit the checkpoint of a node and stamp it.

        None where it has none, where there was no memory for it, or where `wanted` said between
        two segments that something else waits.
        """
        held = self._store.cache.holding(node)
        if held.checkpoint is None:
            return None
        try:
            resumed = self._resumed(held)
            cold = self._cold(held, wanted)
        except MOVE_ERRORS:
            return None
        if cold is None:
            return None
        verdict = self._judge(held, compare(resumed, cold))
        self._store.tiers.stamp(node, verdict)
        return verdict

    def _resumed(self, held: Holding) -> Tensor:
        """Logits of one more token after the checkpoint, on copies of its state and KV."""
        point = held.checkpoint
        assert point is not None
        store, end = self._store, len(held.tokens)
        sequence = store.private_sequence(end + 1)
        sequence.start(_one_more(held), None, headroom=0)
        k, v = gather_kv(store.kv, held.runs)
        scatter_kv(k, v, sequence.kv, ((0, end),))
        there, here = store.states.parts(point.slot), sequence.states.parts(LIVE_SLOT)
        for source, target in zip(there, here, strict=True):
            target.copy_(source)
        sequence.position = end
        return sequence.forward(end + 1, ())

    def _cold(self, held: Holding, wanted: Callable[[], bool]) -> Tensor | None:
        """Logits of the same token with nothing reused; None where it gave way."""
        end = len(held.tokens)
        sequence = self._store.private_sequence(end + 1)
        sequence.start(_one_more(held), None, headroom=0)
        for at in range(SEGMENT_TOKENS, end + SEGMENT_TOKENS, SEGMENT_TOKENS):
            if wanted():
                return None
            sequence.forward(min(at, end), ())
        return sequence.forward(end + 1, ())

    def _judge(self, held: Holding, seen: Comparison) -> Verdict:
        point = held.checkpoint
        assert point is not None
        most_relative, most_kl = rounding_of(self._dtype, point.stored)
        if seen.relative <= most_relative and seen.kl <= most_kl:
            return Verdict("verified", seen.relative, seen.kl, time.monotonic())
        harmless = seen.same_top and seen.kl <= HARMLESS_KL
        status: VerdictStatus = "drifted" if harmless else "quarantined"
        return Verdict(status, seen.relative, seen.kl, time.monotonic())


def _one_more(held: Holding) -> np.ndarray:
    """The tokens and one behind them; any will do, so it is the last one again."""
    return np.append(held.tokens, held.tokens[-1]).astype(np.int64)
