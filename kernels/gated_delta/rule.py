"""What a Gated DeltaNet layer multiplies with between its two projections, and its sizes."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, slots=True)
class Rule:
    """The small weights of one layer.

    Attributes:
        taps: [kernel, channels] float32, contiguous; channels are queries, keys, values by head.
        speed, bias: [value_heads] float32; log decay = speed * softplus(a + bias).
        norm: [value_dim] float32.
        eps: of the gated norm.
        key_heads, key_dim: sizes that the tensors do not tell.
    """

    taps: Tensor
    speed: Tensor
    bias: Tensor
    norm: Tensor
    eps: float
    key_heads: int
    key_dim: int

    @property
    def value_heads(self) -> int:
        return self.speed.shape[0]

    @property
    def value_dim(self) -> int:
        return self.norm.shape[0]
