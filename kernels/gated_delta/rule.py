"""The small weights of a linear layer, and where its scan exports states."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, slots=True)
class Rule:
    """The weights that a layer uses between its two projections.

    Attributes:
        taps: [kernel, channels] float32, contiguous; channels are queries, keys, values by head.
        speed, bias: [value_heads] float32; log decay = speed * softplus(a + bias).
        norm: [value_dim] float32, of the gated norm.
        eps: of the gated norm.
        key_heads, key_dim: sizes that do not follow from the tensors.
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

    @property
    def widths(self) -> tuple[int, int, int, int]:
        """Widths of the convolution's channels, z, b and a in a row of the input projections."""
        heads, values = self.value_heads, self.value_heads * self.value_dim
        return 2 * self.key_heads * self.key_dim + values, values, heads, heads


@dataclass(frozen=True, slots=True)
class ScanSplit:
    """A position where chunks of tokens start over.

    Attributes:
        after: tokens before it.
        delta, conv: receive the layer's state and window after that many tokens; None: not needed.
    """

    after: int
    delta: Tensor | None = None
    conv: Tensor | None = None
