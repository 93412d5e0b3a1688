"""Matrices of 8-bit integers, one scale per output.

On a CPU rows are rounded to 8 bits too, each by its own largest value, and the products are sums
of integers: what a row gives depends on that row alone, however many run beside it. Measured on two
AMX cores: 4.0 to 4.7 TOP/s for 512 rows and more (bfloat16: 2.0 to 2.5), 25 to 32 GB/s for one row.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

LIMIT = 127.0
BLOCK_ROWS = 4096


@dataclass(frozen=True, slots=True)
class Int8Weight:
    """A quantised matrix as it is stored: weight = codes * scale.

    Attributes:
        codes: [outputs, inputs] int8.
        scale: [outputs] float32.
    """

    codes: Tensor
    scale: Tensor

    def dense(self) -> Tensor:
        """The weights it stands for, [outputs, inputs] float32."""
        return self.codes.float().mul_(self.scale.unsqueeze(1))


def quantize_int8(weight: Tensor) -> Int8Weight:
    """Round weight [outputs, inputs] to the nearest of 255 steps per output row."""
    largest = weight.abs().amax(1).float()
    scale = torch.where(largest > 0, largest / LIMIT, 1.0)
    codes = torch.empty(weight.shape, dtype=torch.int8, device=weight.device)
    # By blocks of rows: a float32 copy of a whole vocabulary would be the peak of the loading.
    for first in range(0, len(weight), BLOCK_ROWS):
        rows = slice(first, first + BLOCK_ROWS)
        wide = weight[rows].to(torch.float32, copy=True)
        codes[rows] = wide.div_(scale[rows].unsqueeze(1)).round_()
    return Int8Weight(codes, scale)


def quantize_rows(x: Tensor) -> tuple[Tensor, Tensor]:
    """Rows x [tokens, inputs] as int8 of the same shape, and their scales [tokens, 1] float32.

    A scale has no more digits than bfloat16 has: products may be scaled in either dtype.
    """
    largest = x.abs().amax(1, keepdim=True).float().clamp_min_(1e-30)
    # Rounded up, so that no code passes the limit.
    scale = largest.mul_((1 + 2**-8) / LIMIT).bfloat16().float()
    # One dtype throughout: products of two dtypes are not vectorised on a CPU.
    codes = x.to(torch.float32, copy=True).div_(scale).round_().to(torch.int8)
    return codes, scale


class Int8Matrix:
    """A quantised matrix laid out for oneDNN's integer product (`onednn.qlinear_pointwise`)."""

    def __init__(self, weight: Int8Weight) -> None:
        self._packed = torch.ops.onednn.qlinear_prepack(weight.codes, None)
        self._scale = weight.scale
        self._zero = torch.zeros(weight.scale.shape, dtype=torch.int32)

    def project(self, x: Tensor) -> Tensor:
        codes, scale = quantize_rows(x)
        product = torch.ops.onednn.qlinear_pointwise(
            codes, 1.0, 0, self._packed, self._scale, self._zero,
            None, 1.0, 0, x.dtype, "none", [], "",
        )  # fmt: skip
        return product.mul_(scale.to(x.dtype))  # type: ignore[no-any-return]

    def project_row(self, x: Tensor) -> Tensor:
        return self.project(x.unsqueeze(0))[0]

    def tensors(self) -> tuple[Tensor, ...]:
        return (self._packed, self._scale, self._zero)
