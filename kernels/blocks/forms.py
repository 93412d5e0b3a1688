"""What the blocks of each type hold, in one form: codes of a few bits in groups, and their scales.

A weight is `scale * value + offset`: the value is its code less the form's zero, or the code's
entry in the form's table; scale and offset are those of its group. `scale` is the head of its span,
a float16, times the group's own integer where the form has them; likewise the offset. All of it is
exact in float32 but the sum with the offset, which is rounded once: the weights are the file's to
the bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

SLICE = 32


@dataclass(frozen=True, slots=True)
class Form:
    """How the weights of a type are stored once they are unpacked.

    Attributes:
        bits: of a code: 4, 5, 6 or 8; codes of 8 bits are signed.
        group: inputs with one scale: 16 or 32.
        span: inputs with one head: 32, or 256 where groups have integers of their own.
        zero: what is subtracted from a code.
        values: what the 16 codes stand for; empty where they are numbers.
        offsets: whether groups have an offset, too.
        unit: a power of two that heads are multiplied by.
    """

    bits: int
    group: int = 32
    span: int = 32
    zero: int = 0
    values: tuple[int, ...] = ()
    offsets: bool = False
    unit: float = 1.0

    @property
    def scaled(self) -> bool:
        """Whether a group has an integer that its span's head is multiplied by."""
        return self.span > self.group

    def code_bytes(self) -> int:
        """The bytes of the codes of one output's SLICE inputs, packed."""
        return SLICE * self.bits // 8

    def weight_bits(self) -> float:
        """The bits of a weight, with its share of scales and offsets, packed."""
        per_group = 8 / self.group if self.scaled else 0
        return self.bits + (16 / self.span + per_group) * (1 + self.offsets)


@dataclass(frozen=True, slots=True)
class Unpacked:
    """Rows of a matrix in their form.

    Attributes:
        codes: [rows, inputs] uint8; of 8 bits, the bytes of int8.
        heads: [rows, inputs / span] float16.
        scales: [rows, inputs / group] int8, where the form has them.
        low: [rows, inputs / span] float16, with offsets: of the offsets; subtracted where scaled.
        minima: [rows, inputs / group] uint8, with offsets where scaled.
    """

    form: Form
    codes: Tensor
    heads: Tensor
    scales: Tensor | None = None
    low: Tensor | None = None
    minima: Tensor | None = None

    def group_scales(self) -> Tensor:
        """[rows, groups] float32."""
        wide = self.heads.float() * self.form.unit
        if self.scales is None:
            return wide
        return self._spread(wide) * self.scales.float()

    def group_offsets(self) -> Tensor | None:
        """[rows, groups] float32; None without offsets."""
        if self.low is None or self.minima is None:
            return None if self.low is None else self.low.float()
        return -(self._spread(self.low.float()) * self.minima.float())

    def _spread(self, per_span: Tensor) -> Tensor:
        return per_span.repeat_interleave(self.form.span // self.form.group, 1)

    def values(self) -> Tensor:
        """[rows, inputs] float32: what codes stand for, before scale and offset."""
        form = self.form
        if form.values:
            return torch.tensor(form.values, dtype=torch.float32)[self.codes.int()]
        codes = self.codes.view(torch.int8) if form.bits == 8 else self.codes
        return codes.float() - form.zero

    def dense(self) -> Tensor:
        """The weights, [rows, inputs] float32."""
        grouped = self.values().view(len(self.codes), -1, self.form.group)
        grouped.mul_(self.group_scales().unsqueeze(-1))
        offsets = self.group_offsets()
        if offsets is not None:
            grouped.add_(offsets.unsqueeze(-1))
        return grouped.flatten(1)


_IQ4 = (-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)


def _signed(*magnitudes: int) -> tuple[int, ...]:
    """Eight magnitudes, then their negatives: the codes' fourth bit is the sign."""
    eight = magnitudes + (0,) * (8 - len(magnitudes))
    return eight + tuple(-each for each in eight)


_IQ2 = _signed(8, 25, 43)
_SPAN = 256
FORMS = {
    "Q8_0": Form(8),
    "Q4_0": Form(4, zero=8),
    "Q4_1": Form(4, offsets=True),
    "Q5_0": Form(5, zero=16),
    "Q5_1": Form(5, offsets=True),
    "Q2_K": Form(4, 16, _SPAN, offsets=True),
    "Q3_K": Form(4, 16, _SPAN, values=(-4, -3, -2, -1, 0, 1, 2, 3) + (0,) * 8),
    "Q4_K": Form(4, 32, _SPAN, offsets=True),
    "Q5_K": Form(5, 32, _SPAN, offsets=True),
    "Q6_K": Form(6, 16, _SPAN, zero=32),
    "IQ4_NL": Form(4, values=_IQ4),
    "IQ4_XS": Form(4, 32, _SPAN, values=_IQ4),
    "IQ2_XXS": Form(4, 32, _SPAN, values=_IQ2, unit=0.125),
    "IQ2_XS": Form(4, 16, _SPAN, values=_IQ2, unit=0.125),
    "IQ2_S": Form(4, 16, _SPAN, values=_IQ2, unit=0.125),
    "IQ3_XXS": Form(4, 32, _SPAN, values=_signed(4, 12, 20, 28, 36, 44, 52, 62), unit=0.25),
    "IQ3_S": Form(4, 32, _SPAN, values=_signed(1, 3, 5, 7, 9, 11, 13, 15)),
}


def columns_of(order: Tensor) -> Tensor:
    """The inputs of each SLICE of `order`, one by one."""
    return (order.unsqueeze(1) * SLICE + torch.arange(SLICE)).flatten()
