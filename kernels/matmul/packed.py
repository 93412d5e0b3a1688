"""Matrices in the layouts of the C kernels (`kernels/native/src/matrix.h`).

One layout serves any number of rows. Few rows keep 16 bits (8 per 32 inputs for 4-bit weights), so
that decode hardly rounds activations; many rows are rounded to 8 bits each.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.matmul.int4 import GROUP, Int4Weight
from kernels.matmul.int8 import Int8Weight
from kernels.native import fields
from kernels.native.fields import MatrixFields
from kernels.native.library import Library
from kernels.native.many import project_many
from kernels.native.rows import MOST_FEW, project_rows

_LANES = 4


class PackedMatrix:
    """A quantised matrix in blocks of 16 outputs.

    Attributes:
        fields: the matrix as the library takes it.
    """

    def __init__(self, found: Library, kind: int, shape: torch.Size, parts: tuple[Tensor, ...]):
        self._library, self._parts = found, parts
        outputs, inputs = shape
        codes, scales = parts
        self.fields = MatrixFields(
            kind, outputs, inputs, _padded(inputs), codes.data_ptr(), scales.data_ptr()
        )

    def project(self, x: Tensor) -> Tensor:
        """See Matrix."""
        if len(x) <= MOST_FEW:
            return project_rows(self._library, self.fields, x)
        return project_many(self._library, self.fields, x)

    def project_row(self, x: Tensor) -> Tensor:
        """See Matrix."""
        return self.project(x.unsqueeze(0))[0]

    def dense(self) -> Tensor:
        """The dequantised weights, [outputs, inputs] float32."""
        raise NotImplementedError

    def tensors(self) -> tuple[Tensor, ...]:
        """See Matrix."""
        return self._parts


class PackedInt8(PackedMatrix):
    """8 bits, one scale per output."""

    def __init__(self, found: Library, weight: Int8Weight) -> None:
        codes = _blocks(weight.codes)
        scale = F.pad(weight.scale, (0, -len(weight.scale) % fields.BLOCK_OUTPUTS))
        super().__init__(found, fields.INT8, weight.codes.shape, (codes, scale))

    def dense(self) -> Tensor:
        codes, scale = self._parts
        wide = codes.transpose(1, 2).flatten(2).flatten(0, 1).float().mul_(scale.unsqueeze(1))
        return wide[: self.fields.outputs, : self.fields.inputs]


class PackedInt4(PackedMatrix):
    """4 bits, a scale and an offset per group of 32 inputs."""

    def __init__(self, found: Library, weight: Int4Weight) -> None:
        outputs, inputs = len(weight.codes), 2 * weight.codes.shape[1]
        shape = torch.Size((outputs, inputs))
        super().__init__(found, fields.INT4, shape, (_nibbles(weight.codes), _steps(weight)))

    def dense(self) -> Tensor:
        codes, steps = self._parts
        wide = torch.stack((codes & 15, codes >> 4), 3).transpose(1, 2)
        grouped = wide.reshape(len(codes) * fields.BLOCK_OUTPUTS, -1, GROUP).float().sub_(8.0)
        scale, offset = steps.float().permute(2, 0, 3, 1).flatten(1, 2).unbind(0)
        grouped.mul_(scale.unsqueeze(-1)).add_(offset.unsqueeze(-1))
        return grouped.flatten(1)[: self.fields.outputs, : self.fields.inputs]


def _padded(inputs: int) -> int:
    return inputs + -inputs % fields.PADDED_INPUTS


def _blocks(codes: Tensor) -> Tensor:
    """codes [outputs, inputs] int8 as [outputs / 16, inputs / 4, 16, 4], padded with zeros."""
    outputs, inputs = codes.shape
    padding = (0, _padded(inputs) - inputs, 0, -outputs % fields.BLOCK_OUTPUTS)
    if any(padding):
        codes = F.pad(codes, padding)
    # Four inputs are moved together: as one number they are copied fast.
    lanes = codes.view(torch.int32).view(-1, fields.BLOCK_OUTPUTS, _padded(inputs) // _LANES)
    moved = lanes.transpose(1, 2).contiguous()
    return moved.view(torch.int8).view(*moved.shape[:2], fields.BLOCK_OUTPUTS, _LANES)


def _nibbles(codes: Tensor) -> Tensor:
    """codes [outputs, inputs / 2], neighbours in a byte, as [outputs / 16, inputs / 8, 16, 4].

    There a byte holds an input and the fourth after it.
    """
    pairs = F.pad(
        codes,
        (0, (_padded(2 * codes.shape[1]) >> 1) - codes.shape[1], 0, -len(codes) % 16),
    )
    eights = pairs.view(len(pairs), -1, 2, 2)
    first, second = eights.unbind(2)
    low = torch.stack((first & 15, first >> 4), -1)
    high = torch.stack((second & 15, second >> 4), -1)
    lanes = (low | high << 4).view(len(pairs), -1).view(torch.int32)
    moved = lanes.view(-1, fields.BLOCK_OUTPUTS, lanes.shape[1]).transpose(1, 2).contiguous()
    return moved.view(torch.uint8).view(*moved.shape[:2], fields.BLOCK_OUTPUTS, _LANES)


def _steps(weight: Int4Weight) -> Tensor:
    """Scales and offsets as [outputs / 16, inputs / 32, 2, 16] bfloat16, padded with zeros."""
    both = torch.stack((weight.scale, weight.offset))
    groups = _padded(2 * weight.codes.shape[1]) // GROUP
    padding = (0, groups - both.shape[2], 0, -both.shape[1] % fields.BLOCK_OUTPUTS)
    blocks = F.pad(both, padding).view(2, -1, fields.BLOCK_OUTPUTS, groups)
    return blocks.permute(1, 3, 0, 2).contiguous()
