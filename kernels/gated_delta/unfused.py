"""A linear layer between its two projections, operation by operation: in PyTorch, on any device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.causal_conv import window_after
from kernels.gated_delta.rule import Rule, ScanSplit
from kernels.norms import gated_rms_norm


class ConvDelta(Protocol):
    """See `kernels.gated_delta.fused.conv_delta`."""

    def __call__(
        self,
        x: Tensor,
        window: Tensor,
        taps: Tensor,
        log_decay: Tensor,
        beta: Tensor,
        state: Tensor,
        /,
    ) -> Tensor: ...


def rates(a: Tensor, b: Tensor, rule: Rule) -> tuple[Tensor, Tensor]:
    """log_decay and beta, float32, from rows [tokens, value_heads] of the projections."""
    log_decay = F.softplus(a.float() + rule.bias).mul_(rule.speed)
    return log_decay, b.float().sigmoid()


def sweep(
    conv_delta: ConvDelta,
    rows: Tensor,
    rule: Rule,
    window: Tensor,
    state: Tensor,
    splits: Sequence[ScanSplit] = (),
) -> Tensor:
    """Convolution, decay, delta rule and gated norm of all tokens.

    rows: [tokens, outputs], of the input projections: queries, keys, values, z, b, a concatenated;
    window: [kernel - 1, channels], the rows before, oldest first, in the rows' dtype;
    state: [value_heads, key_dim, value_dim] float32. Both are mutated. The splits, ascending, get
    both after that many tokens; results depend on where chunks of 64 tokens start over.
    Returns [tokens, value_heads * value_dim] in the rows' dtype.
    """
    tokens = rows.shape[0]
    mixed, z, b, a = rows.split_with_sizes(rule.widths, dim=-1)
    log_decay, beta = rates(a, b, rule)
    parts, first = [], 0
    for split in (*splits, ScanSplit(tokens)):
        if split.after > first:
            part = slice(first, split.after)
            before = window_after(mixed, window, first)
            parts.append(
                conv_delta(mixed[part], before, rule.taps, log_decay[part], beta[part], state)
            )
            first = split.after
        if split.delta is not None and split.conv is not None:
            split.delta.copy_(state)
            split.conv.copy_(window_after(mixed, window, first))
    window.copy_(window_after(mixed, window, tokens))
    out = parts[0] if len(parts) == 1 else torch.cat(parts)
    by_value = (tokens, rule.value_heads, rule.value_dim)
    return gated_rms_norm(out, z.view(by_value), rule.norm, rule.eps, rows.dtype).flatten(1)
