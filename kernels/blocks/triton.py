"""Matrices of blocks on a GPU: what their form says, read by one kernel for every form.

Only the rows' dtype rounds: for one row float32 products of the exact weights are summed; for more
rows the matrix is dequantised block by block to the rows' dtype for the dense product. Codes of 4
bits stay in 4, others take a byte; scales and offsets are float32.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.blocks.forms import columns_of
from kernels.blocks.weight import BlockWeight
from kernels.matmul.triton import by_blocks, check_row

# Outputs per program, and inputs that it reads at once.
ROWS, COLUMNS = 4, 512


class DeviceBlocks:
    """A stored matrix, unpacked on the host and moved.

    Attributes:
        recordable: whether a CUDA graph can contain the product of one row.
    """

    recordable = True

    def __init__(
        self, weight: BlockWeight, device: torch.device, order: Tensor | None = None
    ) -> None:
        """order: see `block_matrix`."""
        form = weight.form
        self._shape, self._form = (weight.outputs, weight.inputs), form
        columns = weight.inputs // 2 if form.bits == 4 else weight.inputs
        groups = weight.inputs // form.group
        # Some rows at a time: the host holds little more than the file.
        self._codes = torch.empty(weight.outputs, columns, dtype=torch.uint8, device=device)
        self._scale = torch.empty(weight.outputs, groups, device=device)
        self._offset = torch.empty_like(self._scale) if form.offsets else None
        for rows in weight.chunks():
            some = weight.unpacked(rows)
            codes = some.codes
            self._codes[rows] = codes[:, ::2] | codes[:, 1::2] << 4 if form.bits == 4 else codes
            self._scale[rows] = some.group_scales()
            offsets = some.group_offsets()
            if self._offset is not None and offsets is not None:
                self._offset[rows] = offsets
        values = form.values or (0,) * 16
        self._values = torch.tensor(values, dtype=torch.float32, device=device)
        self._columns = None if order is None else columns_of(order.argsort()).to(device)

    def project(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`; weights are rounded to x's dtype."""
        if x.shape[0] == 1:
            return self.project_row(x[0]).unsqueeze(0)
        x = x if self._columns is None else x[:, self._columns]
        return by_blocks(x, *self._shape, self._open)

    def project_row(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`; x [inputs] contiguous."""
        outputs, inputs = self._shape
        check_row(x, inputs)
        x = x if self._columns is None else x[self._columns]
        out = torch.empty(outputs, dtype=x.dtype, device=x.device)
        _row_blocks[(triton.cdiv(outputs, ROWS),)](
            x, *self._held(), out, outputs, inputs, **self._constants(), num_warps=4
        )
        return out

    def tensors(self) -> tuple[Tensor, ...]:
        """See `kernels.matmul.Matrix`."""
        held = (self._codes, self._scale)
        return held if self._offset is None else (*held, self._offset)

    def _held(self) -> tuple[Tensor, ...]:
        # Without offsets the scales stand in their place and are not read there.
        offset = self._scale if self._offset is None else self._offset
        return self._codes, self._scale, offset, self._values

    def _constants(self) -> dict[str, int]:
        form = self._form
        return {
            "BITS": form.bits,
            "GROUP": form.group,
            "TABLE": bool(form.values),
            "OFFSETS": form.offsets,
            "ZERO": form.zero,
            "BLOCK": ROWS,
            "COLUMNS": COLUMNS,
        }

    def _open(self, first: int, dense: Tensor) -> None:
        """Write rows [first, first + len(dense)) to `dense` [rows, inputs]."""
        rows, inputs = dense.shape
        grid = (triton.cdiv(rows, ROWS), triton.cdiv(inputs, COLUMNS))
        _open_blocks[grid](
            *self._held(), dense, first, rows, inputs, **self._constants(), num_warps=4
        )


@triton.jit  # type: ignore[untyped-decorator]
def _weights(
    codes: tl.tensor,
    scale: tl.tensor,
    offset: tl.tensor,
    values: tl.tensor,
    row: tl.tensor,
    column: tl.tensor,
    inside: tl.tensor,
    inputs: tl.tensor,
    BITS: tl.constexpr,
    GROUP: tl.constexpr,
    TABLE: tl.constexpr,
    OFFSETS: tl.constexpr,
    ZERO: tl.constexpr,
) -> tl.tensor:
    """The weights of rows [n, 1] at columns [1, m], float32; zero where not inside."""
    at = row * inputs + column
    if BITS == 4:
        both = tl.load(codes + at // 2, mask=inside, other=0)
        code = (both >> ((column % 2) * 4).to(tl.uint8)) & 15
    else:
        code = tl.load(codes + at, mask=inside, other=0)
    if TABLE:
        value = tl.load(values + code.to(tl.int32), mask=inside, other=0.0)
    elif BITS == 8:
        value = code.to(tl.int8, bitcast=True).to(tl.float32)
    else:
        value = code.to(tl.float32) - ZERO
    group = row * (inputs // GROUP) + column // GROUP
    weight = value * tl.load(scale + group, mask=inside, other=0.0)
    if OFFSETS:
        weight += tl.load(offset + group, mask=inside, other=0.0)
    return weight


@triton.jit  # type: ignore[untyped-decorator]
def _row_blocks(
    x: tl.tensor,
    codes: tl.tensor,
    scale: tl.tensor,
    offset: tl.tensor,
    values: tl.tensor,
    out: tl.tensor,
    outputs: tl.tensor,
    inputs: tl.tensor,
    BITS: tl.constexpr,
    GROUP: tl.constexpr,
    TABLE: tl.constexpr,
    OFFSETS: tl.constexpr,
    ZERO: tl.constexpr,
    BLOCK: tl.constexpr,
    COLUMNS: tl.constexpr,
) -> None:
    row = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)).to(tl.int64)
    valid = row < outputs
    total = tl.full([BLOCK, COLUMNS], 0.0, tl.float32)
    for first in range(0, inputs, COLUMNS):
        column = first + tl.arange(0, COLUMNS)
        inside = valid[:, None] & (column < inputs)[None, :]
        given = tl.load(x + column, mask=column < inputs, other=0.0).to(tl.float32)
        weight = _weights(
            codes, scale, offset, values, row[:, None], column[None, :], inside, inputs,
            BITS, GROUP, TABLE, OFFSETS, ZERO,
        )  # fmt: skip
        total += weight * given[None, :]
    tl.store(out + row, tl.sum(total, 1), mask=valid)


@triton.jit  # type: ignore[untyped-decorator]
def _open_blocks(
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
    TABLE: tl.constexpr,
    OFFSETS: tl.constexpr,
    ZERO: tl.constexpr,
    BLOCK: tl.constexpr,
    COLUMNS: tl.constexpr,
) -> None:
    row = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)).to(tl.int64)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (row < rows)[:, None] & (column < inputs)[None, :]
    weight = _weights(
        codes, scale, offset, values, (start + row)[:, None], column[None, :], inside, inputs,
        BITS, GROUP, TABLE, OFFSETS, ZERO,
    )  # fmt: skip
    tl.store(dense + row[:, None] * inputs + column[None, :], weight, mask=inside)
