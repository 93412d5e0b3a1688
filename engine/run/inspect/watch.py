"""Kernels that note what the layers hand to them; the layers themselves know nothing of it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from kernels.dispatch import Kernels
from kernels.gated_delta import Rule, ScanSplit, rates
from kernels.kv_slots import Extent


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
    """Notes the inputs of chosen layers during one pass after another.

    Attributes:
        kernels: for the pass; they compute what those that they stand for compute.
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
        """Before each pass."""
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
    """A float32 copy on the CPU: what the layers do to theirs afterwards is theirs."""
    return tensor.to(device="cpu", dtype=torch.float32, copy=True)
