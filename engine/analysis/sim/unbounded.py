"""A run with unlimited room: a workload's footprint, and where each request could resume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.analysis.sim.script import Workload
from engine.cache import TwoPlaneCache
from engine.cache.eviction.cause import PRESSURE
from engine.cache.tiers.tiers import Tiers
from engine.journal.request import RunRules, run_request

# Enough slots that the planes never fill up; only their bookkeeping is allocated.
KV_SLOTS = 1 << 23
STATE_SLOTS = 1 << 16
STEPS = 250
Prices = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """The positions where one request could resume, shallowest first.

    Attributes:
        position: `[places]` tokens that are reused there.
        stored: `[places]` the last request before that went through or stored there.
        spans, span_used: `[spans]` length of the tokens between nodes, and the last request before
            that went through them; the first `span_count[i]` of them are under place i.
    """

    position: npt.NDArray[np.int64]
    stored: npt.NDArray[np.int64]
    spans: npt.NDArray[np.int64]
    span_used: npt.NDArray[np.int64]
    span_count: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Unbounded:
    """The results of a workload on an unlimited cache.

    Attributes:
        tokens: of all prompts.
        reused: of them, if everything ever stored stays available.
        kv_slots, states: held at the end: the footprint.
        longest: most tokens that one request holds at once.
        choices: of each request.
    """

    tokens: int
    reused: int
    kv_slots: int
    states: int
    longest: int
    choices: tuple[Choices, ...]


def run_unbounded(workload: Workload, rules: RunRules) -> Unbounded:
    """Run a workload with unlimited planes."""
    cache = TwoPlaneCache(KV_SLOTS, STATE_SLOTS, kv_slot_bytes=1, state_slot_bytes=1, policy="lru")
    tiers = Tiers(cache)
    choices: list[Choices] = []
    reused = 0
    for ask in workload.asks:
        choices.append(choices_of(cache, ask.prompt))
        reused += run_request(tiers, ask, rules).reused
    assert not set(cache.reader.evicted) & set(PRESSURE), "the planes should never fill up"
    return Unbounded(
        tokens=sum(len(ask.prompt) for ask in workload.asks),
        reused=reused,
        kv_slots=cache.reader.kv_pool().cached,
        states=cache.reader.state_pool().cached,
        longest=max(len(ask.prompt) + len(ask.applied) for ask in workload.asks),
        choices=tuple(choices),
    )


def choices_of(cache: TwoPlaneCache, prompt: npt.NDArray[np.int64]) -> Choices:
    """Where `prompt` could resume in `cache`; mutates nothing."""
    position: list[int] = []
    stored: list[int] = []
    count: list[int] = []
    spans: list[int] = []
    used: list[int] = []
    for node in cache.reader.passages(prompt):
        spans.append(node.tokens)
        # Matches are counted from 1, requests from 0.
        used.append(node.used - 1)
        if node.holds and (node.end < len(prompt) or node.answers):
            position.append(node.end)
            stored.append(node.used - 1)
            count.append(len(spans))
    return Choices(*(np.array(each, np.int64) for each in (position, stored, spans, used, count)))


class Bound:
    """The bound of one workload, for any sizes of the planes."""

    def __init__(self, choices: Sequence[Choices]) -> None:
        self._requests = len(choices)
        sizes = [len(c.position) for c in choices]
        spans = [len(c.spans) for c in choices]
        self._owner = np.repeat(np.arange(self._requests), sizes)
        self._starts = np.concatenate([[0], np.cumsum(sizes)])
        self._position = _join([c.position for c in choices]).astype(np.float64)
        self._stored = _join([c.stored for c in choices])
        span_starts = np.concatenate([[0], np.cumsum(spans)])
        self._span_owner = np.repeat(np.arange(self._requests), spans)
        self._spans = _join([c.spans for c in choices]).astype(np.float64)
        self._span_used = _join([c.span_used for c in choices])
        first = np.repeat(span_starts[:-1], sizes).astype(np.int64)
        self._first_span = first
        self._last_span = first + _join([c.span_count for c in choices])

    def reused(self, kv_slots: int, state_slots: int, steps: int = STEPS) -> float:
        """The most tokens any policy can reuse with planes of these sizes."""
        if not len(self._position):
            return 0.0
        gaps = max(self._requests - 1, 1)
        slots = np.array([[float(state_slots)], [float(kv_slots)]])
        best, prices = np.inf, np.zeros((2, gaps))
        best_prices = prices
        scale = 0.0
        for step in range(steps):
            value, taken = self._dual(prices, slots)
            if value < best:
                best, best_prices = value, prices
            slope = slots - taken
            if not step:
                scale = value
            # The planes have different units: each has its own step size.
            size = 0.5 * scale / (1 + step / 12) / gaps
            norm = np.sqrt((slope**2).mean(axis=1, keepdims=True)) + 1e-9
            move = size * slope / norm / np.maximum(slots, 1.0)
            prices = np.maximum(prices - move, 0.0)
            if step % 60 == 59:
                prices = best_prices
        return float(best)

    def _dual(self, prices: Prices, slots: Prices) -> tuple[float, Prices]:
        """The bound at these prices `[2, gaps]`, and the slots that the choices take per gap."""
        until = np.concatenate([np.zeros((2, 1)), np.cumsum(prices, axis=1)], axis=1)
        held = until[0, self._owner] - until[0, self._stored]
        span_cost = self._spans * (until[1, self._span_owner] - until[1, self._span_used])
        paid = np.concatenate([[0.0], np.cumsum(span_cost)])
        gain = self._position - held - (paid[self._last_span] - paid[self._first_span])
        value = float((prices * slots).sum())
        taken = np.zeros((2, prices.shape[1] + 1))
        occupied = np.flatnonzero(np.diff(self._starts))
        most = np.maximum.reduceat(gain, self._starts[:-1][occupied])
        value += float(np.maximum(most, 0.0).sum())
        at_most = np.zeros(self._requests)
        at_most[occupied] = most
        chosen = np.flatnonzero((gain == at_most[self._owner]) & (gain > 0))
        _, only = np.unique(self._owner[chosen], return_index=True)
        chosen = chosen[only]
        np.add.at(taken[0], self._stored[chosen], 1.0)
        np.add.at(taken[0], self._owner[chosen], -1.0)
        counts = self._last_span[chosen] - self._first_span[chosen]
        which = np.repeat(self._first_span[chosen], counts)
        which += np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
        np.add.at(taken[1], self._span_used[which], self._spans[which])
        np.add.at(taken[1], self._span_owner[which], -self._spans[which])
        return value, np.cumsum(taken, axis=1)[:, :-1]


def _join(arrays: list[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    return np.concatenate(arrays) if arrays else np.empty(0, np.int64)
