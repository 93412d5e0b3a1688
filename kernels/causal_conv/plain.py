"""Depthwise causal convolution and SiLU, token by token in float32."""

from __future__ import annotations

import torch
from torch import Tensor


def causal_conv(x: Tensor, window: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Depthwise causal convolution and SiLU.

    x: [tokens, channels]; window: the kernel - 1 rows before x, oldest first;
    weight: [kernel, channels]. Returns [tokens, channels] float32 and the next window.
    """
    kernel = weight.shape[0]
    rows = torch.cat((window, x)).float()
    out = torch.stack([(rows[t : t + kernel] * weight.float()).sum(0) for t in range(x.shape[0])])
    return out * out.sigmoid(), torch.cat((window, x))[-(kernel - 1) :]
