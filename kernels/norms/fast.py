"""RMS norms in PyTorch, plain and gated; on a CPU in blocks that fit a core's cache."""

from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.native.library import library
from kernels.native.many import norm_rows, norms_rows

# Elements at a time, so that float32 intermediates stay in a core's second-level cache.
_BLOCK_NUMBERS = 1 << 17


def rms_norm(x: Tensor, scale: Tensor, eps: float, dtype: torch.dtype) -> Tensor:
    """x [..., dim] float32 over its root mean square times scale [dim] float32, as `dtype`."""
    if x.device.type != "cpu":
        return F.rms_norm(x, scale.shape, scale, eps).to(dtype)
    found = library()
    if found and norms_rows(x, scale, dtype):
        return norm_rows(found, x, scale, eps, dtype)
    if x.numel() <= _BLOCK_NUMBERS:
        return torch.mul(x, root_scale(x, eps)).mul_(scale).to(dtype)
    out = torch.empty(x.shape, dtype=dtype)
    for rows in _blocks(x):
        out[rows].copy_((x[rows] * root_scale(x[rows], eps)).mul_(scale))
    return out


def gated_rms_norm(
    x: Tensor, gate: Tensor, scale: Tensor, eps: float, dtype: torch.dtype
) -> Tensor:
    """RMS norm of x [..., dim] times SiLU(gate [..., dim]); float32 inside, `dtype` outside."""
    if x.device.type != "cpu":
        normed: Tensor = F.rms_norm(x.float(), scale.shape, scale, eps)
        return normed.mul_(F.silu(gate.float())).to(dtype)
    if x.numel() <= _BLOCK_NUMBERS:
        return _gated(x, gate, scale, eps).to(dtype)
    out = torch.empty(x.shape, dtype=dtype)
    for rows in _blocks(x):
        out[rows].copy_(_gated(x[rows], gate[rows], scale, eps))
    return out


def root_scale(x: Tensor, eps: float) -> Tensor:
    """1 / sqrt(mean(x^2) + eps) over the last dimension of x float32: [..., 1].

    On a CPU, torch's `rms_norm` takes seven passes where two suffice.
    """
    length: Tensor = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    return length.square_().mul_(1.0 / x.shape[-1]).add_(eps).rsqrt_()


def _gated(x: Tensor, gate: Tensor, scale: Tensor, eps: float) -> Tensor:
    wide = x.float()
    normed = torch.mul(wide, root_scale(wide, eps)).mul_(scale)
    activated: Tensor = F.silu(gate.float())
    return normed.mul_(activated)


def _blocks(x: Tensor) -> Iterator[slice]:
    """Slices of the rows of x with about equally many elements each."""
    step = max(_BLOCK_NUMBERS * len(x) // x.numel(), 1)
    for first in range(0, len(x), step):
        yield slice(first, first + step)
