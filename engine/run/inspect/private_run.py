"""Runs a sequence outside the cache: on private planes, from a cached state if one exists."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from engine.cache.extents import part
from engine.errors import PromptError
from engine.model.hybrid import HybridModel
from engine.planes import LIVE_SLOT, KVPlane, StatePlane
from engine.run.store import Store
from engine.storage.host_planes import gather_kv, scatter_kv
from kernels.dispatch import Kernels
from kernels.gated_delta import Rule, ScanSplit, rates
from kernels.kv_slots import Extent

# Between two passes the engine attends to other things.
PASS_TOKENS = 128
# A row count that a layer's pass never divides, so that a kernel is called once a layer and pass.
WATCHED_TOKENS = 64
# A run copies the KV that it reads.
MOST_KV_BYTES = 512 << 20
# Uncached tokens have to run first, at prefill speed.
MOST_UNCACHED = 8192


@dataclass(frozen=True, slots=True)
class LinearInputs:
    """What one linear layer's rule was given for one pass; see `kernels.gated_delta.fused`.

    All float32 on the CPU.

    Attributes:
        x: [tokens, channels], before the convolution.
        window: [kernel - 1, channels].
        taps: [kernel, channels].
        log_decay, beta: [tokens, value_heads].
        state: [value_heads, key_dim, value_dim], before the first token.
    """

    x: Tensor
    window: Tensor
    taps: Tensor
    log_decay: Tensor
    beta: Tensor
    state: Tensor


class Watch:
    """Records the inputs of chosen layers during each pass.

    Attributes:
        kernels: for the pass; they compute the same as those they replace.
        linear: inputs by number among the linear layers, of the last pass.
        queries: by number among the full layers, [tokens, heads, dim] float32, of the last pass.
    """

    def __init__(self, base: Kernels, linear: Container[int], full: Container[int]) -> None:
        self._base, self._wanted_linear, self._wanted_full = base, linear, full
        self._linear_seen = self._full_seen = 0
        self.linear: dict[int, LinearInputs] = {}
        self.queries: dict[int, Tensor] = {}
        self.kernels = replace(base, fuses=False, sweep=self._sweep, attend=self._attend)

    def begin(self) -> None:
        """Call before each pass."""
        self._linear_seen = self._full_seen = 0
        self.linear, self.queries = {}, {}

    def _sweep(
        self,
        rows: Tensor,
        rule: Rule,
        window: Tensor,
        state: Tensor,
        splits: Sequence[ScanSplit] = (),
        /,
    ) -> Tensor:
        at, self._linear_seen = self._linear_seen, self._linear_seen + 1
        if at in self._wanted_linear:
            x, _, b, a = rows.split_with_sizes(rule.widths, dim=-1)
            parts = (x, window, rule.taps, *rates(a, b, rule), state)
            self.linear[at] = LinearInputs(*map(_copied, parts))
        return self._base.sweep(rows, rule, window, state, splits)

    def _attend(
        self, q: Tensor, keys: Tensor, values: Tensor, extents: Sequence[Extent], gather: bool, /
    ) -> Tensor:
        at, self._full_seen = self._full_seen, self._full_seen + 1
        if at in self._wanted_full:
            self.queries[at] = _copied(q)
        return self._base.attend(q, keys, values, extents, gather)


def _copied(tensor: Tensor) -> Tensor:
    """A float32 copy on the CPU, unaffected by what the layers do to the original."""
    return tensor.to(device="cpu", dtype=torch.float32, copy=True)


class PrivateRun:
    """Tokens [0, position) have been applied, without touching the cache.

    Attributes:
        ids: [n] int64, the whole sequence.
        position: tokens applied so far.
        kv, states: its private planes; the live slot holds the state at `position`.
    """

    def __init__(
        self, model: HybridModel, store: Store, ids: npt.NDArray[np.int64], start: int
    ) -> None:
        """Start at the deepest usable device checkpoint at or before `start`.

        Raises PromptError if too much would have to be copied or run first.
        """
        most = MOST_KV_BYTES // max(1, model.kv_slot_bytes())
        if len(ids) > most:
            raise PromptError(
                "The lab reads sequences of up to {most:,} tokens of this model, and this one has "
                "{ids:,}: take a shorter conversation.",
                most=most,
                ids=len(ids),
            )
        match = store.cache.reader.probe(ids[:start])
        resume = match.resume
        if start - resume > MOST_UNCACHED:
            raise PromptError(
                "{resume:,} tokens would have to run first, and the lab runs at most "
                "{most_uncached:,}: ask something in this conversation, so that it is cached, and "
                "try again.",
                resume=start - resume,
                most_uncached=MOST_UNCACHED,
            )
        self.ids, self.position = ids, resume
        self._model = model
        self.kv: KVPlane = model.make_kv_plane(len(ids))
        self.states: StatePlane = model.make_state_plane(1)
        if match.checkpoint is not None:
            k, v = gather_kv(store.kv, part(match.extents, 0, resume))
            scatter_kv(k, v, self.kv, ((0, resume),))
            for mine, cached in zip(
                self.states.parts(LIVE_SLOT),
                store.states.parts(match.checkpoint.slot),
                strict=True,
            ):
                mine.copy_(cached)

    def run_to(self, end: int) -> Iterator[int]:
        """Run to a position; yields the position between two passes."""
        while self.position < end:
            self._forward(min(end, self.position + PASS_TOKENS), None)
            yield self.position

    def watch_to(self, end: int, watch: Watch) -> Iterator[int]:
        """The same, recorded in `watch`; after each pass, yields the position before it."""
        for last in watched_ends(self.position, end):
            before = self.position
            watch.begin()
            self._forward(last, watch)
            yield before

    def _forward(self, end: int, watch: Watch | None) -> None:
        self._model.forward(
            torch.from_numpy(self.ids[self.position : end]),
            self.position,
            self.kv,
            ((0, end),),
            self.states,
            LIVE_SLOT,
            write_from=self.position,
            logits="none",
            kernels=None if watch is None else watch.kernels,
        )
        self.position = end


def watched_ends(start: int, end: int) -> Sequence[int]:
    """Where watched passes end: none has a single token, which would take the decode path.

    Raises PromptError if there is only one token.
    """
    if end - start == 1:
        raise PromptError("One token shows nothing: give at least two.")
    ends = [*range(start + WATCHED_TOKENS, end, WATCHED_TOKENS), end]
    if len(ends) > 1 and ends[-1] - ends[-2] == 1:
        ends[-2] -= 1
    return ends
