"""Partial rotary position embedding, pair by pair in float32."""

from __future__ import annotations

from torch import Tensor


def rope(x: Tensor, positions: Tensor, rotary_dim: int, theta: float) -> Tensor:
    """Rotate the leading `rotary_dim` dims of x [tokens, heads, dim], pairs (2i, 2i + 1)."""
    out = x.float().clone()
    for pair in range(rotary_dim // 2):
        angle = positions.float() * (1.0 / theta ** (2 * pair / rotary_dim))
        cos, sin = angle.cos()[:, None], angle.sin()[:, None]
        a, b = x[..., 2 * pair].float(), x[..., 2 * pair + 1].float()
        out[..., 2 * pair] = a * cos - b * sin
        out[..., 2 * pair + 1] = b * cos + a * sin
    return out
