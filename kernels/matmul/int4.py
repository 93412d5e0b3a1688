"""Matrices of 4-bit integers: groups of weights along the input share a scale and an offset.

A few rows go through PyTorch's own product on packed codes, which multiplies in 16 bits at about
0.16 TFLOP/s; beyond DENSE_ROWS rows the matrix is unpacked first and the dense product used.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from kernels.matmul.matrix import product

GROUP = 32
LEVELS = 15.0
# Narrower ranges to try per group: clipping the extremes often rounds the rest better.
SHRINK = (0.95, 0.9, 0.85)
# How often a line is then fitted to the codes: twice takes 8 % of the square error away.
FITS = 2
# The packed product works on blocks of this many outputs.
BLOCK_OUTPUTS = 64
# From about this many rows on, unpacking the matrix costs less than its packed product.
DENSE_ROWS = 128
BLOCK_ROWS = 256


@dataclass(frozen=True, slots=True)
class Int4Weight:
    """A quantised matrix as stored: weight = (code - 8) * scale + offset.

    Attributes:
        codes: [outputs, inputs / 2] uint8, two codes each, the even input's in the low half.
        scale, offset: [outputs, inputs / GROUP] bfloat16.
    """

    codes: Tensor
    scale: Tensor
    offset: Tensor

    def unpacked(self) -> Tensor:
        """The codes, [outputs, inputs] uint8."""
        pairs = torch.stack((self.codes & 15, self.codes >> 4), -1)
        return pairs.flatten(1)

    def dense(self) -> Tensor:
        """The dequantised weights, [outputs, inputs] float32."""
        grouped = self.unpacked().view(*self.scale.shape, GROUP).float().sub_(8.0)
        grouped.mul_(self.scale.float().unsqueeze(-1)).add_(self.offset.float().unsqueeze(-1))
        return grouped.flatten(1)


def fits_int4(outputs: int, inputs: int) -> bool:
    """Whether a matrix of this shape fits 4 bits; outputs can be padded, inputs cannot."""
    return inputs % GROUP == 0 and outputs > 0


def quantize_int4(weight: Tensor) -> Int4Weight:
    """Round weight [outputs, inputs] to 16 steps per group, for little square error."""
    # In blocks of rows, since a dozen float32 copies are made along the way.
    starts = range(0, len(weight), BLOCK_ROWS)
    parts = [_quantized(weight[first : first + BLOCK_ROWS]) for first in starts]
    return Int4Weight(
        torch.cat([part.codes for part in parts]),
        torch.cat([part.scale for part in parts]),
        torch.cat([part.offset for part in parts]),
    )


def _quantized(weight: Tensor) -> Int4Weight:
    outputs = weight.shape[0]
    groups = weight.float().view(outputs, -1, GROUP)
    low, high = groups.aminmax(dim=-1, keepdim=True)
    best = _Rounded.of(groups, (high - low) / LEVELS, (high + low) / 2)
    for shrink in SHRINK:
        best = best.or_better(_Rounded.of(groups, (high - low) * shrink / LEVELS, (high + low) / 2))
    for _ in range(FITS):
        best = best.or_better(best.fitted(groups))
    pairs = best.codes.to(torch.uint8).view(outputs, -1, 2)
    return Int4Weight(
        pairs[..., 0] | pairs[..., 1] << 4,
        best.scale.squeeze(-1).bfloat16(),
        best.offset.squeeze(-1).bfloat16(),
    )


@dataclass(frozen=True, slots=True)
class _Rounded:
    """Groups in 16 steps.

    Attributes:
        codes: [outputs, groups, GROUP] float32.
        scale, offset, error: [outputs, groups, 1] float32; the sum of squares.
    """

    codes: Tensor
    scale: Tensor
    offset: Tensor
    error: Tensor

    @classmethod
    def of(cls, groups: Tensor, scale: Tensor, middle: Tensor) -> _Rounded:
        """With steps of `scale`, the middle of which is at `middle`."""
        scale = scale.clamp_min(1e-8).bfloat16().float()
        offset = (middle + scale / 2).bfloat16().float()
        codes = ((groups - offset) / scale + 8.0).round_().clamp_(0, LEVELS)
        rounded = codes.sub(8.0).mul_(scale).add_(offset)
        error = rounded.sub_(groups).square_().sum(-1, keepdim=True)
        return cls(codes, scale, offset, error)

    def or_better(self, other: _Rounded) -> _Rounded:
        """Of each group the one that is nearer."""
        better = other.error < self.error
        mine, others = dataclasses.astuple(self), dataclasses.astuple(other)
        return _Rounded(
            *(torch.where(better, new, old) for new, old in zip(others, mine, strict=True))
        )

    def fitted(self, groups: Tensor) -> _Rounded:
        """With the line through these codes that is nearest to the weights, rounded again."""
        codes = self.codes.mean(-1, keepdim=True)
        weights = groups.mean(-1, keepdim=True)
        apart = self.codes - codes
        spread = apart.square().sum(-1, keepdim=True).clamp_min(1e-9)
        scale = (apart * (groups - weights)).sum(-1, keepdim=True) / spread
        return self.of(groups, scale, weights + scale * (LEVELS / 2 - codes))


class Int4Matrix:
    """A quantised matrix laid out for PyTorch's `_weight_int4pack_mm_for_cpu`."""

    def __init__(self, weight: Int4Weight) -> None:
        codes, scale, offset = weight.unpacked(), weight.scale, weight.offset
        self._outputs = codes.shape[0]
        missing = -self._outputs % BLOCK_OUTPUTS
        if missing:
            codes, scale, offset = (_padded(t, missing) for t in (codes, scale, offset))
        self._packed = torch.ops.aten._convert_weight_to_int4pack_for_cpu(codes.int(), 1)
        self._scales = torch.stack((scale.mT, offset.mT), -1).contiguous()

    def project(self, x: Tensor) -> Tensor:
        if x.shape[0] > DENSE_ROWS and _halves() is not None:
            return product(x, self._unpacked().to(x.dtype).mT)[:, : self._outputs]
        few = torch.ops.aten._weight_int4pack_mm_for_cpu(
            x.bfloat16(), self._packed, GROUP, self._scales
        )
        return few[:, : self._outputs].to(x.dtype)  # type: ignore[no-any-return]

    def project_row(self, x: Tensor) -> Tensor:
        return self.project(x.unsqueeze(0))[0]

    def _unpacked(self) -> Tensor:
        """The weights as [inputs, outputs padded] bfloat16."""
        inputs = 2 * self._packed.shape[1]
        blocks = self._packed.view(-1, inputs, BLOCK_OUTPUTS // 2)
        halves = (blocks & 15, blocks >> 4) if _halves() else (blocks >> 4, blocks & 15)
        shape = (inputs, len(blocks), 2, BLOCK_OUTPUTS // 2)
        dense = torch.empty(shape, dtype=torch.bfloat16)
        for at, half in enumerate(halves):
            dense[:, :, at].copy_(half.to(torch.bfloat16).transpose(0, 1))
        grouped = dense.view(-1, GROUP, self._packed.shape[0]).sub_(8.0)
        # Interleaved, they would be read with stride two, which is not vectorised.
        scale, offset = (part.contiguous() for part in self._scales.unsqueeze(1).unbind(-1))
        return grouped.mul_(scale).add_(offset).view(inputs, -1)

    def tensors(self) -> tuple[Tensor, ...]:
        return (self._packed, self._scales)


def _padded(tensor: Tensor, rows: int) -> Tensor:
    return torch.cat((tensor, tensor.new_zeros(rows, tensor.shape[1])))


@cache
def _halves() -> bool | None:
    """How this machine's packed layout splits a block of 64 outputs; it depends on vector width.

    True: the low nibbles are the first 32 outputs, the high ones the rest. None: neither that nor
    the reverse, so matrices are not unpacked.
    """
    first = torch.zeros(BLOCK_OUTPUTS, GROUP, dtype=torch.int32)
    first[: BLOCK_OUTPUTS // 2] = torch.arange(1, GROUP + 1, dtype=torch.int32) % 15 + 1
    packed = torch.ops.aten._convert_weight_to_int4pack_for_cpu(first, 1)
    blocks = packed.view(GROUP, BLOCK_OUTPUTS // 2)
    expected = first[0].to(torch.uint8).unsqueeze(1).expand_as(blocks)
    if torch.equal(blocks, expected):
        return True
    if torch.equal(blocks, expected << 4):
        return False
    return None
