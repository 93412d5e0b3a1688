"""RMS norms. Statistics in float32; the caller's scale is what multiplies (no hidden plus one)."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def rms_norm(x: Tensor, scale: Tensor, eps: float, dtype: torch.dtype) -> Tensor:
    """x [..., dim] float32 over its root mean square times scale [dim] float32, as `dtype`."""
    return F.rms_norm(x, scale.shape, scale, eps).to(dtype)


def gated_rms_norm(
    x: Tensor, gate: Tensor, scale: Tensor, eps: float, dtype: torch.dtype
) -> Tensor:
    """RMS norm of x [..., dim] float32 times SiLU(gate [..., dim]); nothing rounded in between."""
    normed: Tensor = F.rms_norm(x, scale.shape, scale, eps)
    opened: Tensor = F.silu(gate.float())
    return normed.mul_(opened).to(dtype)


def l2_scale(x: Tensor, eps: float = 1e-6) -> Tensor:
    """`1 / sqrt(sum(x^2) + eps)` over the last dimension: [..., dim] any dtype to [...] float32."""
    norm: Tensor = torch.linalg.vector_norm(x, dim=-1, dtype=torch.float32)
    return norm.square_().add_(eps).rsqrt_()
