"""Matrices of blocks on a GPU: what their form says, read by the kernel of every format.

Codes of 4 bits stay in 4, others take a byte; scales and offsets are float32.
"""

from __future__ import annotations

import torch
from torch import Tensor

from kernels.blocks.forms import columns_of
from kernels.blocks.weight import BlockWeight
from kernels.matmul.triton import DeviceMatrix, Layout


class DeviceBlocks(DeviceMatrix):
    """A stored matrix, unpacked on the host and moved."""

    def __init__(
        self, weight: BlockWeight, device: torch.device, order: Tensor | None = None
    ) -> None:
        """order: see `block_matrix`."""
        form = weight.form
        four = form.bits == 4
        columns = weight.inputs // 2 if four else weight.inputs
        groups = weight.inputs // form.group
        # Some rows at a time: the host holds little more than the file.
        codes = torch.empty(weight.outputs, columns, dtype=torch.uint8, device=device)
        scale = torch.empty(weight.outputs, groups, device=device)
        offset = torch.empty_like(scale) if form.offsets else None
        for rows in weight.chunks():
            some = weight.unpacked(rows)
            codes[rows] = some.codes[:, ::2] | some.codes[:, 1::2] << 4 if four else some.codes
            scale[rows] = some.group_scales()
            offsets = some.group_offsets()
            if offset is not None and offsets is not None:
                offset[rows] = offsets
        values = None
        if form.values:
            values = torch.tensor(form.values, dtype=torch.float32, device=device)
        layout = Layout(
            form.bits,
            form.group,
            offsets=form.offsets,
            table=bool(form.values),
            zero=form.zero,
        )
        shape = (weight.outputs, weight.inputs)
        super().__init__(shape, layout, codes, scale, offset, values)
        self._columns = None if order is None else columns_of(order.argsort()).to(device)

    def project(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`."""
        return super().project(x if self._columns is None else x[:, self._columns])
