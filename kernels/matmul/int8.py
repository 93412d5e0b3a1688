"""Matrices of 8-bit integers, one scale per output.

On a CPU the rows are rounded to 8 bits too, each by its own largest value, and the products are
sums of integers: a row's result depends on that row alone, however many run with it. Measured on
two AMX cores: 4.6 to 5.8 TOP/s for 512 rows and more (bfloat16: 2.3 to 2.9), 19 to 25 GB/s for one
row. Processors without exact 8-bit products keep the rows unrounded (`Int8WideMatrix`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from kernels.matmul.matrix import wide_product

LIMIT = 127.0
ZERO = 128
# Adding this to a float32 and subtracting it again rounds it, ties to even. For a long row `round_`
# wakes the math library's threads, which takes ten times as long.
ROUNDING = 1.5 * 2**23
BLOCK_ROWS = 1024
# oneDNN runs a single row of 256 inputs, or fewer than MIN_RESULTS results, in a reference loop
# that takes 50 times as long as its own kernels do for one row more.
MIN_ROWS, MIN_RESULTS = 2, 257
# From this many rows on, the float32 copy of the matrix costs less than a row-by-row product.
FEW_ROWS = 8
# PyTorch's own product for few rows reads past the end of a matrix of odd sizes.
PACKED_STEP = 32


@dataclass(frozen=True, slots=True)
class Int8Weight:
    """A quantised matrix as stored: weight = codes * scale.

    Attributes:
        codes: [outputs, inputs] int8.
        scale: [outputs] float32.
    """

    codes: Tensor
    scale: Tensor

    def dense(self) -> Tensor:
        """The dequantised weights, [outputs, inputs] float32."""
        return self.codes.float().mul_(self.scale.unsqueeze(1))


def quantize_int8(weight: Tensor) -> Int8Weight:
    """Round weight [outputs, inputs] to the nearest of 255 steps per output row."""
    codes = torch.empty(weight.shape, dtype=torch.int8, device=weight.device)
    scale = torch.empty(len(weight), device=weight.device)
    # In blocks of rows: a float32 copy of a whole vocabulary would set the peak memory of loading.
    for first in range(0, len(weight), BLOCK_ROWS):
        rows = slice(first, first + BLOCK_ROWS)
        wide = weight[rows].to(torch.float32, copy=True)
        low, high = wide.aminmax(dim=1)
        largest = torch.maximum(high, -low)
        scale[rows] = torch.where(largest > 0, largest / LIMIT, 1.0)
        codes[rows] = wide.div_(scale[rows].unsqueeze(1)).round_()
    return Int8Weight(codes, scale)


def quantize_rows(x: Tensor) -> tuple[Tensor, Tensor]:
    """Rows x [tokens, inputs] as int8 of the same shape, and their scales [tokens, 1] float32.

    A scale has no more digits than bfloat16, so that products may be scaled in either dtype.
    """
    largest = x.abs().amax(1, keepdim=True).float().clamp_min_(1e-30)
    # Rounded up, so that no code exceeds the limit.
    scale = largest.mul_((1 + 2**-8) / LIMIT).bfloat16().float()
    # One dtype throughout: mixed products are not vectorised on a CPU.
    codes = x.to(torch.float32, copy=True).div_(scale).round_().to(torch.int8)
    return codes, scale


def _row_scale(largest: float) -> float:
    """The scale that `quantize_rows` gives a row with that largest value."""
    wide = np.float32(max(largest, 1e-30)) * np.float32((1 + 2**-8) / LIMIT)
    bits = int(wide.view(np.uint32))
    # To bfloat16, ties to even.
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return float(np.uint32(bits).view(np.float32))


class Int8Matrix:
    """A quantised matrix in the layout of oneDNN's integer product (`onednn.qlinear_pointwise`).

    Rows are unsigned, with 128 as zero: only AMX has fast products of signed rows.
    """

    def __init__(self, weight: Int8Weight) -> None:
        self._packed = torch.ops.onednn.qlinear_prepack(weight.codes, None)
        self._scale = weight.scale
        self._zero = torch.zeros(weight.scale.shape, dtype=torch.int32)
        least = max(MIN_ROWS, -(-MIN_RESULTS // len(self._scale)))
        # A single row padded with rows of zeros, kept between calls.
        self._row = torch.full((least, weight.codes.shape[1]), ZERO, dtype=torch.uint8)

    def project(self, x: Tensor) -> Tensor:
        codes, scale = quantize_rows(x)
        # Flipping the sign bit adds 128.
        unsigned = codes.view(torch.uint8).bitwise_xor_(ZERO)
        rows = len(unsigned)
        if rows < len(self._row):
            unsigned = torch.cat((unsigned, self._row.new_full(self._row[rows:].shape, ZERO)))
        return self._product(unsigned, x.dtype)[:rows].mul_(scale.to(x.dtype))

    def project_row(self, x: Tensor) -> Tensor:
        # The same numbers as `quantize_rows` gives, with a scale that is not a tensor: decode is a
        # chain of small operations, each of which costs more than its arithmetic.
        scale = _row_scale(float(x.abs().amax()))
        self._row[0] = (
            x.to(torch.float32, copy=True).div_(scale).add_(ROUNDING).sub_(ROUNDING - ZERO)
        )
        return self._product(self._row, x.dtype)[0].mul_(scale)

    def _product(self, codes: Tensor, dtype: torch.dtype) -> Tensor:
        product: Tensor = torch.ops.onednn.qlinear_pointwise(
            codes, 1.0, ZERO, self._packed, self._scale, self._zero,
            None, 1.0, 0, dtype, "none", [], "",
        )  # fmt: skip
        return product

    def tensors(self) -> tuple[Tensor, ...]:
        return (self._packed, self._scale, self._zero)


class Int8WideMatrix:
    """A quantised matrix for unrounded rows: a few by PyTorch's own product, more in float32.

    Measured with AVX2 alone on two cores: 18 to 23 GB/s for one row, float32's rate for 512 rows
    and more.
    """

    def __init__(self, weight: Int8Weight) -> None:
        self._codes, self._scale = weight.codes, weight.scale
        self._packs = not any(size % PACKED_STEP for size in weight.codes.shape)

    def project(self, x: Tensor) -> Tensor:
        if self._packs and len(x) <= FEW_ROWS:
            few: Tensor = torch.ops.aten._weight_int8pack_mm(
                x.contiguous(), self._codes, self._scale.to(x.dtype)
            )
            return few
        return wide_product(x, self._codes, self._scale)

    def project_row(self, x: Tensor) -> Tensor:
        return self.project(x.unsqueeze(0))[0]

    def tensors(self) -> tuple[Tensor, ...]:
        return (self._codes, self._scale)
