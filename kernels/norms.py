"""RMS norms. Statistics in float32; the caller's scale is what multiplies (no hidden plus one)."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def rms_norm(x: Tensor, scale: Tensor, eps: float, dtype: torch.dtype) -> Tensor:
    """x [..., dim] float32 over its root mean square times scale [dim] float32, as `dtype`."""
    if x.dim() == 1 or x.device.type != "cpu":
        return F.rms_norm(x, scale.shape, scale, eps).to(dtype)
    out = torch.empty(x.shape, dtype=dtype)
    for first in range(0, len(x), _BLOCK_ROWS):
        rows = slice(first, first + _BLOCK_ROWS)
        out[rows].copy_((x[rows] * _root_scale(x[rows], eps)).mul_(scale))
    return out


def gated_rms_norm(
    x: Tensor, gate: Tensor, scale: Tensor, eps: float, dtype: torch.dtype
) -> Tensor:
    """RMS norm of x [..., dim] times SiLU(gate [..., dim]); float32 inside, `dtype` outside."""
    if x.dim() < 3 or x.device.type != "cpu":
        normed: Tensor = F.rms_norm(x.float(), scale.shape, scale, eps)
        return normed.mul_(F.silu(gate.float())).to(dtype)
    out = torch.empty(x.shape, dtype=dtype)
    for first in range(0, len(x), _BLOCK_ROWS):
        rows = slice(first, first + _BLOCK_ROWS)
        wide = x[rows].float()
        opened = gate[rows].float()
        wide.mul_(_root_scale(wide, eps)).mul_(scale).mul_(F.silu(opened, inplace=True))
        out[rows].copy_(wide)
    return out


# Rows at a time, so that float32 intermediates stay in the second-level cache.
_BLOCK_ROWS = 64


def _root_scale(x: Tensor, eps: float) -> Tensor:
    """1 / sqrt(mean(x^2) + eps) over the last dimension of x float32, kept: [..., 1]."""
    length: Tensor = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    return length.square_().mul_(1.0 / x.shape[-1]).add_(eps).rsqrt_()
