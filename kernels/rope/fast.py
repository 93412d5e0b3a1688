"""Partial rotary position embedding on adjacent pairs.

The family's weights pair dimension i with i + rotary/2. The loader reorders the rows of the query
and key projections once (`pair_order`), so that pairs are adjacent and a rotation is one complex
product. Scores are unchanged: queries and keys are reordered alike.
"""

from __future__ import annotations

import torch
from torch import Tensor


def pair_order(head_dim: int, rotary_dim: int) -> Tensor:
    """Index [head_dim] that reorders a head from split halves to adjacent pairs."""
    half = rotary_dim // 2
    pairs = torch.stack((torch.arange(half), torch.arange(half) + half), 1).flatten()
    return torch.cat((pairs, torch.arange(rotary_dim, head_dim)))


class RopeTable:
    """Rotations by position, computed lazily and cached.

    Attributes:
        rotary_dim: rotated leading dimensions of a head, even.
    """

    def __init__(self, rotary_dim: int, theta: float, device: torch.device) -> None:
        self.rotary_dim = rotary_dim
        exponent = torch.arange(0, rotary_dim, 2, dtype=torch.float32) / max(rotary_dim, 1)
        self._frequency = (1.0 / theta**exponent).to(device)
        self._table = torch.empty(0, rotary_dim // 2, dtype=torch.complex64, device=device)

    @property
    def nbytes(self) -> int:
        """Bytes of the rotations cached so far."""
        return self._table.nbytes

    def rows(self, start: int, tokens: int) -> Tensor:
        """Rotations of positions [start, start + tokens): [tokens, rotary_dim / 2] complex64."""
        if start + tokens > self._table.shape[0]:
            size = max(1024, 1 << (start + tokens - 1).bit_length())
            place = torch.arange(size, dtype=torch.float32, device=self._table.device)
            angle = place[:, None] * self._frequency
            self._table = torch.polar(torch.ones_like(angle), angle)
        return self._table[start : start + tokens]


def rotate_(x: Tensor, rows: Tensor) -> Tensor:
    """Rotate x [..., heads, dim] float32 in place by rows [..., rotary / 2]; returns x."""
    if rows.shape[-1]:
        pairs = x[..., : 2 * rows.shape[-1]].view(*x.shape[:-1], -1, 2)
        torch.view_as_complex(pairs).mul_(rows.unsqueeze(-2))
    return x
