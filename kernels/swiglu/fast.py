"""The gated activation in PyTorch: for many tokens, and for one."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor


def swiglu(gate_up: Tensor) -> Tensor:
    """SiLU(first half) times second half of gate_up [..., 2 * width], in its dtype."""
    gate, up = gate_up.chunk(2, dim=-1)
    return F.silu(gate).mul_(up)


def swiglu_wide(gate_up: Tensor) -> Tensor:
    """The same in float32 until the end: for few rows."""
    gate, up = gate_up.float().chunk(2, dim=-1)
    return F.silu(gate).mul_(up).to(gate_up.dtype)
