"""An upper bound on the tokens that any policy, however much it knows, could reuse.

Why it bounds. To resume request j at place p, a policy must have held the checkpoint of p, and the
KV of every token before p, in the planes ever since the last request i < j that went through p
(only a run through p could have stored it again). So choosing p takes a state slot in each of the
gaps between requests i, i+1, ..., j, and likewise a KV slot per token from that token's own last
use on. A slot-gap is never charged to two requests, since what is held is charged only to the next
request through it. In each gap no more slots are taken than the plane has. So the reuse of any
policy is a feasible choice of one place (or none) per request under a capacity per gap and plane,
and by weak Lagrangian duality any prices >= 0 per gap and slot give

    reused <= sum over gaps of price * slots
              + sum over requests of max(0, max over p of (p - price of what p takes))

Subgradient steps search for good prices; each try is a bound, so stopping early costs only
tightness. Slots needed by running requests are not even deducted.

Places are those where an unlimited cache has checkpoints by then: whatever a policy keeps, requests
store at positions of their own prompts and answers, and where they diverge from others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.sim.unbounded import Choices

STEPS = 250
Prices = npt.NDArray[np.float64]


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
