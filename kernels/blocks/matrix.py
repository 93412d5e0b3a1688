"""Selects what multiplies by a stored matrix on a device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.blocks.forms import FORMS, columns_of
from kernels.blocks.packed import PackedBlocks, StackedMatrix, check_order
from kernels.blocks.weight import BlockWeight
from kernels.matmul.matrix import (
    DenseMatrix,
    Matrix,
    fields_of,
    project_few,
    stays_on_device,
    wide_product,
)
from kernels.native.fields import BLOCKS, FLOAT32
from kernels.native.library import library

if TYPE_CHECKING:
    from kernels.matmul.triton import DeviceMatrix


class OpenedBlocks:
    """A stored matrix where there is no C library: some rows at a time as float32."""

    def __init__(self, weight: BlockWeight, order: Tensor | None) -> None:
        """The bytes are copied: they may lie in a file, or in memory that is used again."""
        self._raw = weight.raw[:].clone()
        self._weight = BlockWeight(self._raw, weight.kind)
        self._columns = None if order is None else columns_of(order.argsort())

    def project(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`."""
        wide = x.float() if self._columns is None else x.float()[:, self._columns]
        out = x.new_empty(len(x), self._weight.outputs)
        for rows in self._weight.chunks():
            out[:, rows] = F.linear(wide, self._weight.rows(rows))
        return out

    def project_row(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`."""
        return self.project(x.unsqueeze(0))[0]

    def tensors(self) -> tuple[Tensor, ...]:
        """See `kernels.matmul.Matrix`."""
        return (self._raw,)


class StoredMatrix(DenseMatrix):
    """Weights in the dtype of the file, for rows of any."""

    def project(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`."""
        met = self._met(x)
        return wide_product(x, self._weight) if met is None else super().project(met).to(x.dtype)

    def project_row(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`."""
        return self.project(x.unsqueeze(0))[0]

    def few(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.project_few`."""
        met = self._met(x)
        if met is None:
            return torch.cat([wide_product(row.unsqueeze(0), self._weight) for row in x])
        return super().few(met).to(x.dtype)

    def _met(self, x: Tensor) -> Tensor | None:
        """The rows in the weights' dtype; None if that would round them."""
        kind = self._weight.dtype
        return x.to(kind) if kind in (x.dtype, torch.float32) else None


class JoinedMatrix:
    """Matrices of the same inputs, one below the other, each multiplied by itself."""

    def __init__(self, parts: Sequence[Matrix]) -> None:
        self._parts = tuple(parts)

    @property
    def recordable(self) -> bool:
        """Whether a CUDA graph can contain the product of few rows."""
        return all(map(stays_on_device, self._parts))

    def project(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`."""
        return torch.cat([part.project(x) for part in self._parts], 1)

    def project_row(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`."""
        return torch.cat([part.project_row(x) for part in self._parts])

    def few(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.project_few`."""
        return torch.cat([project_few(part, x) for part in self._parts], 1)

    def tensors(self) -> tuple[Tensor, ...]:
        """See `kernels.matmul.Matrix`."""
        return tuple(tensor for part in self._parts for tensor in part.tensors())


def block_matrix(
    weight: BlockWeight, device: torch.device, *, order: Tensor | None = None
) -> Matrix:
    """The matrix of `weight` on `device`; nothing of its weights is rounded.

    order: [inputs / 32] int64: 32 inputs i of the matrix are the stored ones order[i]; None: as
    they lie. F32, F16 and BF16 become dense, F16 as float32 unless it fits bfloat16.
    """
    if order is not None:
        check_order(order, weight.inputs)
    if weight.kind.name not in FORMS:
        return StoredMatrix(_dense(weight, order).to(device))
    if device.type != "cpu":
        return device_blocks(weight, device, order)
    found = library()
    return OpenedBlocks(weight, order) if found is None else PackedBlocks(found, weight, order)


def device_blocks(
    weight: BlockWeight, device: torch.device, order: Tensor | None = None
) -> DeviceMatrix:
    """The matrix of `weight` on a GPU, unpacked on the host and moved; order as there.

    Codes of 4 bits stay in 4, others take a byte; scales and offsets are float32.
    """
    from kernels.matmul.triton import DeviceMatrix, Layout

    form, outputs, inputs = weight.form, weight.outputs, weight.inputs
    four = form.bits == 4
    held = (outputs, inputs // 2 if four else inputs)
    codes = torch.empty(held, dtype=torch.uint8, device=device)
    scale = torch.empty(outputs, inputs // form.group, device=device)
    offset = torch.empty_like(scale) if form.offsets else None
    # Some rows at a time: the host holds little more than the file.
    for rows in weight.chunks():
        some = weight.unpacked(rows)
        codes[rows] = some.codes[:, ::2] | some.codes[:, 1::2] << 4 if four else some.codes
        scale[rows] = some.group_scales()
        offsets = some.group_offsets()
        if offset is not None and offsets is not None:
            offset[rows] = offsets
    table = form.values or None
    return DeviceMatrix(
        (outputs, inputs),
        Layout(form.bits, form.group, form.offsets, table is not None, form.zero),
        codes,
        scale,
        offset,
        None if table is None else torch.tensor(table, dtype=torch.float32, device=device),
        None if order is None else columns_of(order.argsort()).to(device),
    )


def stack(parts: Sequence[Matrix]) -> Matrix:
    """The matrices one below the other, as one: of blocks or float32, with the same inputs."""
    if len(parts) == 1:
        return parts[0]
    found, taken = library(), [fields_of(part) for part in parts]
    kinds = [each.format for each in taken if each is not None and not each.order]
    if found is None or len(kinds) < len(parts):
        return JoinedMatrix(parts)
    if any(kind != FLOAT32 and kind < BLOCKS for kind in kinds):
        return JoinedMatrix(parts)
    return StackedMatrix(found, parts)


def _dense(weight: BlockWeight, order: Tensor | None) -> Tensor:
    """Rows of F32, F16 or BF16 in the dtype of a dense matrix."""
    if weight.kind.name == "BF16":
        stored = weight.raw[:].clone().view(torch.bfloat16)
    else:
        stored = weight.dense()
        narrow = stored.bfloat16() if weight.kind.name == "F16" else None
        if narrow is not None and torch.equal(narrow.float(), stored):
            stored = narrow
    return stored if order is None else stored[:, columns_of(order)]
