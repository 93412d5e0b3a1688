"""Quantised matrices on a CUDA device, in their stored layout.

Only the weights are rounded. For one row, the codes are read and float32 products summed, so that
decode moves a half or a quarter of the bytes; for many rows, the matrix is dequantised block by
block to the rows' dtype for the dense product.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.matmul.int4 import GROUP, Int4Weight
from kernels.matmul.int8 import Int8Weight

# Outputs per program, and inputs that it reads at once: 16 bytes a thread in both formats.
ROWS = 4
INT8_COLUMNS = 512
INT4_GROUPS = 32
HALF = GROUP // 2
# Weights dequantised at once: a scratch buffer of 64 MiB in 16 bits.
OPEN_WEIGHTS = 1 << 25


class Int8DeviceMatrix:
    """Weights of 8 bits, one scale per output.

    Attributes:
        recordable: whether a CUDA graph can contain the product of one row.
    """

    recordable = True

    def __init__(self, weight: Int8Weight) -> None:
        """weight: on the device, not copied."""
        assert weight.codes.is_contiguous(), "codes are not contiguous"
        assert weight.scale.is_contiguous(), "scales are not contiguous"
        self._weight = weight

    def project(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`; weights are rounded to x's dtype."""
        if x.shape[0] == 1:
            return self.project_row(x[0]).unsqueeze(0)
        outputs, inputs = self._weight.codes.shape
        return by_blocks(x, outputs, inputs, self._open)

    def project_row(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`; x [inputs] contiguous."""
        codes, scale = self._weight.codes, self._weight.scale
        outputs, inputs = codes.shape
        check_row(x, inputs)
        out = torch.empty(outputs, dtype=x.dtype, device=x.device)
        _row_int8[(triton.cdiv(outputs, ROWS),)](
            x, codes, scale, out, outputs, inputs, BLOCK=ROWS, COLUMNS=INT8_COLUMNS, num_warps=4
        )
        return out

    def tensors(self) -> tuple[Tensor, ...]:
        """See `kernels.matmul.Matrix`."""
        return (self._weight.codes, self._weight.scale)

    def _open(self, first: int, dense: Tensor) -> None:
        """Write rows [first, first + len(dense)) to `dense` [rows, inputs]."""
        rows, inputs = dense.shape
        grid = (triton.cdiv(rows, ROWS), triton.cdiv(inputs, INT8_COLUMNS))
        _open_int8[grid](
            self._weight.codes, self._weight.scale, dense, first, rows, inputs,
            BLOCK=ROWS, COLUMNS=INT8_COLUMNS, num_warps=4,
        )  # fmt: skip


class Int4DeviceMatrix:
    """Weights of 4 bits, a scale and an offset per group of inputs.

    Attributes:
        recordable: whether a CUDA graph can contain the product of one row.
    """

    recordable = True

    def __init__(self, weight: Int4Weight) -> None:
        """weight: on the device, not copied."""
        for part in (weight.codes, weight.scale, weight.offset):
            assert part.is_contiguous(), "codes or scales are not contiguous"
        assert weight.codes.shape[1] == HALF * weight.scale.shape[1], "codes and scales mismatch"
        self._weight = weight

    def project(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`; weights are rounded to x's dtype."""
        if x.shape[0] == 1:
            return self.project_row(x[0]).unsqueeze(0)
        outputs, half = self._weight.codes.shape
        return by_blocks(x, outputs, 2 * half, self._open)

    def project_row(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`; x [inputs] contiguous."""
        weight = self._weight
        outputs, groups = weight.scale.shape
        check_row(x, GROUP * groups)
        out = torch.empty(outputs, dtype=x.dtype, device=x.device)
        _row_int4[(triton.cdiv(outputs, ROWS),)](
            x, weight.codes, weight.scale, weight.offset, out, outputs, groups,
            BLOCK=ROWS, GROUPS=INT4_GROUPS, HALF_GROUP=HALF, num_warps=4,
        )  # fmt: skip
        return out

    def tensors(self) -> tuple[Tensor, ...]:
        """See `kernels.matmul.Matrix`."""
        return (self._weight.codes, self._weight.scale, self._weight.offset)

    def _open(self, first: int, dense: Tensor) -> None:
        """Write rows [first, first + len(dense)) to `dense` [rows, inputs]."""
        weight, rows, groups = self._weight, dense.shape[0], self._weight.scale.shape[1]
        _open_int4[(triton.cdiv(rows, ROWS), triton.cdiv(groups, INT4_GROUPS))](
            weight.codes, weight.scale, weight.offset, dense, first, rows, groups,
            BLOCK=ROWS, GROUPS=INT4_GROUPS, HALF_GROUP=HALF, num_warps=4,
        )  # fmt: skip


def check_row(x: Tensor, inputs: int) -> None:
    """Assert that x is one row [inputs]."""
    assert x.shape == (inputs,), f"a row of {tuple(x.shape)} for {inputs} inputs"
    assert x.is_contiguous(), "the row is not contiguous"


def by_blocks(x: Tensor, outputs: int, inputs: int, write: Callable[[int, Tensor], None]) -> Tensor:
    """x [tokens, inputs] to [tokens, outputs]; the matrix is dequantised in blocks of rows."""
    assert x.shape[1] == inputs, f"rows of {x.shape[1]} for {inputs} inputs"
    block = min(outputs, max(1, OPEN_WEIGHTS // inputs))
    scratch = torch.empty(block, inputs, dtype=x.dtype, device=x.device)
    out = torch.empty(x.shape[0], outputs, dtype=x.dtype, device=x.device)
    for first in range(0, outputs, block):
        dense = scratch[: min(block, outputs - first)]
        write(first, dense)
        torch.mm(x, dense.mT, out=out[:, first : first + len(dense)])
    return out


@triton.jit  # type: ignore[untyped-decorator]
def _row_int8(
    x: tl.tensor,
    codes: tl.tensor,
    scale: tl.tensor,
    out: tl.tensor,
    outputs: tl.tensor,
    inputs: tl.tensor,
    BLOCK: tl.constexpr,
    COLUMNS: tl.constexpr,
) -> None:
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    valid = row < outputs
    start = codes + row.to(tl.int64)[:, None] * inputs
    total = tl.full([BLOCK, COLUMNS], 0.0, tl.float32)
    for first in range(0, inputs, COLUMNS):
        column = first + tl.arange(0, COLUMNS)
        inside = column < inputs
        given = tl.load(x + column, mask=inside, other=0.0).to(tl.float32)
        code = tl.load(start + column[None, :], mask=valid[:, None] & inside[None, :], other=0)
        total += code.to(tl.float32) * given[None, :]
    factor = tl.load(scale + row, mask=valid, other=0.0)
    tl.store(out + row, tl.sum(total, 1) * factor, mask=valid)


@triton.jit  # type: ignore[untyped-decorator]
def _open_int8(
    codes: tl.tensor,
    scale: tl.tensor,
    dense: tl.tensor,
    start: tl.tensor,
    rows: tl.tensor,
    inputs: tl.tensor,
    BLOCK: tl.constexpr,
    COLUMNS: tl.constexpr,
) -> None:
    row = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)).to(tl.int64)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (row < rows)[:, None] & (column < inputs)[None, :]
    at = (start + row)[:, None] * inputs + column[None, :]
    code = tl.load(codes + at, mask=inside, other=0).to(tl.float32)
    factor = tl.load(scale + start + row, mask=row < rows, other=0.0)
    tl.store(dense + row[:, None] * inputs + column[None, :], code * factor[:, None], mask=inside)


@triton.jit  # type: ignore[untyped-decorator]
def _row_int4(
    x: tl.tensor,
    codes: tl.tensor,
    scale: tl.tensor,
    offset: tl.tensor,
    out: tl.tensor,
    outputs: tl.tensor,
    groups: tl.tensor,
    BLOCK: tl.constexpr,
    GROUPS: tl.constexpr,
    HALF_GROUP: tl.constexpr,
) -> None:
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    valid = row < outputs
    start = row.to(tl.int64)[:, None] * groups
    pair = tl.arange(0, HALF_GROUP)
    total = tl.full([BLOCK, GROUPS], 0.0, tl.float32)
    for first in range(0, groups, GROUPS):
        group = first + tl.arange(0, GROUPS)
        inside = (group < groups)[:, None]
        at = group[:, None] * HALF_GROUP + pair[None, :]
        even = tl.load(x + 2 * at, mask=inside, other=0.0).to(tl.float32)
        odd = tl.load(x + 2 * at + 1, mask=inside, other=0.0).to(tl.float32)
        wanted = valid[:, None] & (group < groups)[None, :]
        code_at = (start + group[None, :])[:, :, None] * HALF_GROUP + pair[None, None, :]
        both = tl.load(codes + code_at, mask=wanted[:, :, None], other=0)
        low, high = (both & 15).to(tl.float32) - 8.0, (both >> 4).to(tl.float32) - 8.0
        inner = tl.sum(low * even[None, :, :] + high * odd[None, :, :], 2)
        factor = tl.load(scale + start + group[None, :], mask=wanted, other=0.0).to(tl.float32)
        shift = tl.load(offset + start + group[None, :], mask=wanted, other=0.0).to(tl.float32)
        total += inner * factor + tl.sum(even + odd, 1)[None, :] * shift
    tl.store(out + row, tl.sum(total, 1), mask=valid)


@triton.jit  # type: ignore[untyped-decorator]
def _open_int4(
    codes: tl.tensor,
    scale: tl.tensor,
    offset: tl.tensor,
    dense: tl.tensor,
    start: tl.tensor,
    rows: tl.tensor,
    groups: tl.tensor,
    BLOCK: tl.constexpr,
    GROUPS: tl.constexpr,
    HALF_GROUP: tl.constexpr,
) -> None:
    row = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)).to(tl.int64)
    group = tl.program_id(1) * GROUPS + tl.arange(0, GROUPS)
    pair = tl.arange(0, HALF_GROUP)
    wanted = (row < rows)[:, None] & (group < groups)[None, :]
    inside = wanted[:, :, None]
    at = (start + row)[:, None] * groups + group[None, :]
    both = tl.load(codes + at[:, :, None] * HALF_GROUP + pair, mask=inside, other=0)
    factor = tl.load(scale + at, mask=wanted, other=0.0).to(tl.float32)[:, :, None]
    shift = tl.load(offset + at, mask=wanted, other=0.0).to(tl.float32)[:, :, None]
    low = ((both & 15).to(tl.float32) - 8.0) * factor + shift
    high = ((both >> 4).to(tl.float32) - 8.0) * factor + shift
    out_at = (row[:, None] * groups + group[None, :])[:, :, None] * (2 * HALF_GROUP)
    weights = tl.interleave(low, high)
    tl.store(dense + out_at + tl.arange(0, 2 * HALF_GROUP), weights, mask=inside)
