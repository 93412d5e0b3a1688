"""RMS norms, plain and gated, in float32: the reference for the fast versions."""

from __future__ import annotations

from torch import Tensor


def rms_norm(x: Tensor, scale: Tensor, eps: float) -> Tensor:
    """x [..., dim] over its root mean square, times scale [dim]; float32."""
    wide = x.float()
    return wide / (wide.square().mean(-1, keepdim=True) + eps).sqrt() * scale.float()


def gated_rms_norm(x: Tensor, gate: Tensor, scale: Tensor, eps: float) -> Tensor:
    """`rms_norm(x)` times SiLU of the gate [..., dim]; float32."""
    wide = gate.float()
    return rms_norm(x, scale, eps) * wide * wide.sigmoid()
