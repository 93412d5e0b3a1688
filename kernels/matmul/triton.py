"""Stored matrices on a CUDA device, in their stored layout; one kernel serves every format.

Up to 16 rows share one tile of a tensor-core product, filled up with zeros. Its rows do not depend
on one another, and one binary runs any number of them, so a row has the same bits alone and among
others. Each weight is read once, in as many bits as it is stored in; if it does not fit the rows'
dtype, it is multiplied as the sum of two that do. For more rows the matrix is dequantised block by
block to the rows' dtype for the dense product.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.native.rows import MOST_FEW

# Outputs per program: enough programs for a matrix of 2,048 outputs to fill a large GPU.
OUTPUTS = 16
# Inputs that a program reads at once: 8 KiB of 16-bit weights.
COLUMNS = 256
# Outputs and inputs that a program opens.
OPEN_OUTPUTS, OPEN_COLUMNS = 4, 512
# Weights dequantised at once: a scratch buffer of 64 MiB in 16 bits.
OPEN_WEIGHTS = 1 << 25


@dataclass(frozen=True, slots=True)
class Layout:
    """How a matrix is stored; what the kernels are compiled for.

    Attributes:
        bits: of a code: 4, two neighbours in a byte; 5 or 6, in a byte each; 8, signed; 16 for
            weights as they are.
        group: inputs that share a scale; 0 if all of an output do.
        offsets: whether a group has an offset, which is added after the scale.
        table: whether codes are numbers in a table of values.
        zero: the code of nothing, of unsigned codes without a table.
    """

    bits: int
    group: int = 0
    offsets: bool = False
    table: bool = False
    zero: int = 0

    def constants(self, columns: int) -> dict[str, int]:
        """The kernels' constants, for programs that read that many inputs at once."""
        return {
            "BITS": self.bits,
            "GROUP": self.group,
            "OFFSETS": self.offsets,
            "TABLE": self.table,
            "ZERO": self.zero,
            "COLUMNS": columns,
        }


class DeviceMatrix:
    """A stored matrix on the device.

    Attributes:
        shape: (outputs, inputs).
        recordable: whether a CUDA graph can contain the product of few rows.
    """

    recordable = True

    def __init__(
        self,
        shape: tuple[int, int],
        layout: Layout,
        codes: Tensor,
        scale: Tensor,
        offset: Tensor | None = None,
        values: Tensor | None = None,
        columns: Tensor | None = None,
    ) -> None:
        """Nothing is copied. scale, offset: [outputs, groups], or [outputs] without groups.

        columns: [inputs] int64, which input of a row each stored one meets; None: its own.
        """
        self._stored = tuple(part for part in (codes, scale, offset) if part is not None)
        for part in self._stored:
            assert part.is_contiguous(), "codes or scales are not contiguous"
        # What a layout lacks is never read.
        self._held = (
            codes,
            scale,
            scale if offset is None else offset,
            scale if values is None else values,
        )
        self.shape, self._layout, self._columns = shape, layout, columns

    def project(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`."""
        x = x if self._columns is None else x[:, self._columns]
        if len(x) <= MOST_FEW:
            return _few_rows(x, self.shape, self._layout, self._held)
        outputs, inputs = self.shape
        assert x.shape[1] == inputs, f"rows of {x.shape[1]} for {inputs} inputs"
        block = min(outputs, max(1, OPEN_WEIGHTS // inputs))
        scratch = torch.empty(block, inputs, dtype=x.dtype, device=x.device)
        out = torch.empty(x.shape[0], outputs, dtype=x.dtype, device=x.device)
        for first in range(0, outputs, block):
            dense = scratch[: min(block, outputs - first)]
            self._open(first, dense)
            torch.mm(x, dense.mT, out=out[:, first : first + len(dense)])
        return out

    def few(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.project_few`."""
        return self.project(x)

    def project_row(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`."""
        return self.project(x.unsqueeze(0))[0]

    def first_outputs(self, count: int) -> DeviceMatrix:
        """See `kernels.matmul.first_outputs`."""
        fewer = copy(self)
        fewer.shape = (count, self.shape[1])
        return fewer

    def tensors(self) -> tuple[Tensor, ...]:
        """See `kernels.matmul.Matrix`."""
        return self._stored

    def _open(self, first: int, dense: Tensor) -> None:
        """Write rows [first, first + len(dense)) to `dense` [rows, inputs]."""
        rows, inputs = dense.shape
        grid = (triton.cdiv(rows, OPEN_OUTPUTS), triton.cdiv(inputs, OPEN_COLUMNS))
        constants = self._layout.constants(OPEN_COLUMNS)
        _open[grid](
            *self._held, dense, first, rows, inputs, BLOCK=OPEN_OUTPUTS, **constants, num_warps=4
        )


def dense_few(x: Tensor, weight: Tensor) -> Tensor:
    """1 to 16 rows x [rows, inputs] by weight [outputs, inputs] of x's dtype, as stored."""
    assert weight.is_contiguous(), "the weights are not contiguous"
    outputs, inputs = weight.shape
    return _few_rows(x, (outputs, inputs), Layout(16), (weight,) * 4)


def _few_rows(
    x: Tensor, shape: tuple[int, int], layout: Layout, held: tuple[Tensor, ...]
) -> Tensor:
    outputs, inputs = shape
    assert 0 < len(x) <= MOST_FEW, f"{len(x)} rows are not few"
    assert x.shape[1] == inputs, f"rows of {x.shape[1]} for {inputs} inputs"
    x = x.contiguous()
    out = torch.empty(len(x), outputs, dtype=x.dtype, device=x.device)
    _few[(triton.cdiv(outputs, OUTPUTS),)](
        x,
        *held,
        out,
        len(x),
        outputs,
        inputs,
        BLOCK=OUTPUTS,
        ROWS=MOST_FEW,
        **layout.constants(COLUMNS),
        num_warps=4,
        num_stages=3,
    )
    return out


@triton.jit  # type: ignore[untyped-decorator]
def _weights(
    codes: tl.tensor,
    scale: tl.tensor,
    offset: tl.tensor,
    values: tl.tensor,
    output: tl.tensor,
    valid: tl.tensor,
    first: tl.tensor,
    inputs: tl.tensor,
    BITS: tl.constexpr,
    GROUP: tl.constexpr,
    OFFSETS: tl.constexpr,
    TABLE: tl.constexpr,
    ZERO: tl.constexpr,
    BLOCK: tl.constexpr,
    COLUMNS: tl.constexpr,
) -> tl.tensor:
    """Of outputs [BLOCK] the weights at COLUMNS inputs from `first` on; zero beyond the matrix.

    Float32, or as they lie if they have 16 bits; without the scale where an output has one.
    """
    if GROUP == 0:
        column = first + tl.arange(0, COLUMNS)
        inside = valid[:, None] & (column < inputs)[None, :]
        weight = tl.load(codes + output[:, None] * inputs + column[None, :], mask=inside, other=0)
        if BITS == 8:
            weight = weight.to(tl.float32)
    else:
        GROUPS: tl.constexpr = COLUMNS // GROUP
        groups = inputs // GROUP
        group = first // GROUP + tl.arange(0, GROUPS)
        inside = valid[:, None] & (group < groups)[None, :]
        at = output[:, None] * groups + group[None, :]
        if BITS == 4:
            HALF: tl.constexpr = GROUP // 2
            pair = tl.arange(0, HALF)[None, None, :]
            both = tl.load(codes + at[:, :, None] * HALF + pair, mask=inside[:, :, None], other=0)
            code = tl.interleave(both & 15, both >> 4)
        else:
            one = tl.arange(0, GROUP)[None, None, :]
            code = tl.load(codes + at[:, :, None] * GROUP + one, mask=inside[:, :, None], other=0)
        if TABLE:
            value = tl.load(values + code.to(tl.int32))
        elif BITS == 8:
            value = code.to(tl.int8, bitcast=True).to(tl.float32)
        else:
            value = code.to(tl.float32) - ZERO
        factor = tl.load(scale + at, mask=inside, other=0.0).to(tl.float32)
        value = value * factor[:, :, None]
        if OFFSETS:
            shift = tl.load(offset + at, mask=inside, other=0.0).to(tl.float32)
            value += shift[:, :, None]
        weight = tl.reshape(value, [BLOCK, COLUMNS])
    return weight


# Not compiled anew for one row, so that one row and several run the same instructions.
@triton.jit(do_not_specialize=["rows"])  # type: ignore[untyped-decorator]
def _few(
    x: tl.tensor,
    codes: tl.tensor,
    scale: tl.tensor,
    offset: tl.tensor,
    values: tl.tensor,
    out: tl.tensor,
    rows: tl.tensor,
    outputs: tl.tensor,
    inputs: tl.tensor,
    BITS: tl.constexpr,
    GROUP: tl.constexpr,
    OFFSETS: tl.constexpr,
    TABLE: tl.constexpr,
    ZERO: tl.constexpr,
    BLOCK: tl.constexpr,
    COLUMNS: tl.constexpr,
    ROWS: tl.constexpr,
) -> None:
    output = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)).to(tl.int64)
    valid = output < outputs
    row = tl.arange(0, ROWS)[:, None]
    total = tl.full([ROWS, BLOCK], 0.0, tl.float32)
    for first in range(0, inputs, COLUMNS):
        column = first + tl.arange(0, COLUMNS)[None, :]
        given = tl.load(x + row * inputs + column, mask=(row < rows) & (column < inputs), other=0.0)
        weight = _weights(
            codes, scale, offset, values, output, valid, first, inputs,
            BITS, GROUP, OFFSETS, TABLE, ZERO, BLOCK, COLUMNS,
        )  # fmt: skip
        high = weight.to(given.dtype)
        total += tl.dot(given, tl.trans(high), input_precision="ieee")
        # What rounding took; codes of 8 bits are whole numbers, which every dtype has.
        if GROUP > 0 and given.dtype != tl.float32:
            low = (weight - high.to(tl.float32)).to(given.dtype)
            total += tl.dot(given, tl.trans(low), input_precision="ieee")
    if BITS == 8 and GROUP == 0:
        total *= tl.load(scale + output, mask=valid, other=0.0)[None, :]
    tl.store(out + row * outputs + output[None, :], total, mask=(row < rows) & valid[None, :])


@triton.jit  # type: ignore[untyped-decorator]
def _open(
    codes: tl.tensor,
    scale: tl.tensor,
    offset: tl.tensor,
    values: tl.tensor,
    dense: tl.tensor,
    start: tl.tensor,
    rows: tl.tensor,
    inputs: tl.tensor,
    BITS: tl.constexpr,
    GROUP: tl.constexpr,
    OFFSETS: tl.constexpr,
    TABLE: tl.constexpr,
    ZERO: tl.constexpr,
    BLOCK: tl.constexpr,
    COLUMNS: tl.constexpr,
) -> None:
    row = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)).to(tl.int64)
    valid = row < rows
    first = tl.program_id(1) * COLUMNS
    column = (first + tl.arange(0, COLUMNS))[None, :]
    weight = _weights(
        codes, scale, offset, values, start + row, valid, first, inputs,
        BITS, GROUP, OFFSETS, TABLE, ZERO, BLOCK, COLUMNS,
    )  # fmt: skip
    if GROUP == 0:
        weight *= tl.load(scale + start + row, mask=valid, other=0.0)[:, None]
    tl.store(
        dense + row[:, None] * inputs + column, weight, mask=valid[:, None] & (column < inputs)
    )
