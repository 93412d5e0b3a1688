"""Matrices in the layouts of src/matrix.h, written from its words, and what they stand for."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kernels.native.fields import MatrixFields

FORMATS = ("float32", "bfloat16", "int8", "int4")
GROUP = 32


@dataclass(frozen=True, slots=True)
class Packed:
    """A random matrix.

    Attributes:
        fields: for the kernels.
        held: what fields point at.
        weights: [outputs, inputs] float64, what the matrix stands for.
        offsets: int4: [outputs, groups] float64, the part of the weights that is added per group.
    """

    fields: MatrixFields
    held: tuple[Tensor, ...]
    weights: Tensor
    offsets: Tensor | None = None

    def product(self, x: Tensor) -> Tensor:
        """x [rows, inputs] float32 times the matrix in float64, with rows rounded as they are."""
        if self.fields.format == 2:
            return rounded(x[:, None], 32600)[:, 0].double() @ self.weights.T
        if self.offsets is None:
            return x.double() @ self.weights.T
        groups = self.offsets.shape[1]
        spread = x.new_zeros(len(x), groups * GROUP)
        spread[:, : x.shape[1]] = x
        parts: Tensor = spread.unflatten(1, (groups, GROUP))
        steps = rounded(parts, 127).flatten(1)[:, : x.shape[1]].double() @ self.weights.T
        return steps + parts.double().sum(-1) @ self.offsets.T

    def exact(self, x: Tensor) -> Tensor:
        """The product of rows that are not rounded."""
        if self.offsets is None:
            return x.double() @ self.weights.T
        inputs = x.shape[1]
        whole = self.weights + self.offsets.repeat_interleave(GROUP, 1)[:, :inputs]
        return x.double() @ whole.T


def rounded(x: Tensor, most: int) -> Tensor:
    """x with its last dimension rounded to `most` steps of its own, as the kernels do it."""
    step = x.abs().amax(-1, keepdim=True).clamp_min(1e-30) / most
    return (x * (1 / step)).round() * step.double()


def followed_by_nan(x: Tensor) -> Tensor:
    """The same contiguous numbers, with what is not a number before and after them."""
    long = torch.full((x.numel() + 256,), float("nan"), dtype=x.dtype)
    inner = long[128:-128].view(x.shape)
    return inner.copy_(x)


def pack(name: str, weights: Tensor) -> Packed:
    """weights [outputs, inputs] float32 in the format `name`, int4 with random scales."""
    outputs, inputs = weights.shape
    if name in ("float32", "bfloat16"):
        kept = followed_by_nan(weights.to(getattr(torch, name)))
        fields = MatrixFields(FORMATS.index(name), outputs, inputs, inputs, kept.data_ptr(), None)
        return Packed(fields, (kept,), kept.double())
    padded, rows = -(-inputs // 64) * 64, -(-outputs // 16) * 16
    if name == "int8":
        scale = weights.abs().amax(1) / 127
        codes = torch.zeros(rows, padded, dtype=torch.int8)
        codes[:outputs, :inputs] = (weights / scale[:, None]).round()
        scales = torch.zeros(rows)
        scales[:outputs] = scale
        kept = codes.view(rows // 16, 16, padded // 4, 4).transpose(1, 2).contiguous()
        scales = followed_by_nan(scales)
        fields = MatrixFields(2, outputs, inputs, padded, kept.data_ptr(), scales.data_ptr())
        stands_for = codes[:outputs, :inputs].double() * scale[:, None].double()
        return Packed(fields, (kept, scales), stands_for)
    return _pack_int4(weights, rows, padded)


def _pack_int4(weights: Tensor, rows: int, padded: int) -> Packed:
    outputs, inputs = weights.shape
    random = torch.Generator().manual_seed(outputs)
    used = -(-inputs // GROUP)
    codes = torch.zeros(rows, padded, dtype=torch.uint8)
    codes[:outputs, :inputs] = (weights * 3 + 8).round().clamp(0, 15)
    both = torch.zeros(2, rows, padded // GROUP, dtype=torch.bfloat16)
    both[:, :outputs, :used] = torch.randn(2, outputs, used, generator=random) / 8
    eights = codes.view(rows // 16, 16, padded // 8, 2, 4)
    kept = (eights[..., 0, :] | eights[..., 1, :] << 4).transpose(1, 2).contiguous()
    scales = both.view(2, rows // 16, 16, padded // GROUP).permute(1, 3, 0, 2).contiguous()
    scales = followed_by_nan(scales)
    fields = MatrixFields(3, outputs, inputs, padded, kept.data_ptr(), scales.data_ptr())
    step, offset = (half[:outputs, :used].double() for half in both)
    steps = step.repeat_interleave(GROUP, 1)[:, :inputs]
    stands_for = (codes[:outputs, :inputs].double() - 8) * steps
    return Packed(fields, (kept, scales), stands_for, offset)
