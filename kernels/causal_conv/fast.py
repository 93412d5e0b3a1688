"""The window carried by the convolution, and the steps for one token and for few.

For many tokens the convolution is fused with the delta rule: `kernels.gated_delta.fused`.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def window_after(x: Tensor, window: Tensor, tokens: int) -> Tensor:
    """The window after the first `tokens` rows of x [..., rows, channels].

    window: before them, [..., kernel - 1, channels]. Does not mutate; may return a view of x.
    """
    kept = window.shape[-2]
    entered = x[..., max(tokens - kept, 0) : tokens, :]
    return entered if tokens >= kept else torch.cat((window[..., tokens:, :], entered), -2)


def causal_conv_step(x: Tensor, window: Tensor, weight: Tensor) -> Tensor:
    """One token: x [channels] to [channels] float32. Advances the window in place."""
    rows = torch.cat((window, x.unsqueeze(0)))
    window.copy_(rows[1:])
    return F.silu(torch.mul(rows, weight).sum(0), inplace=True)


def conv_few(x: Tensor, window: Tensor, weight: Tensor, out: Tensor, kept: Tensor) -> None:
    """Few tokens: out [rows, channels] float32; kept receives a copy of x [rows, channels].

    The window is only read. Each row has the bits that it has alone.
    """
    carried = window.clone()
    for row, to in zip(x, out, strict=True):
        to.copy_(causal_conv_step(row, carried, weight))
    kept.copy_(x)
