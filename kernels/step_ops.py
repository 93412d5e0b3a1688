"""The operations of a pass over few rows whose arguments are all on the device.

None of them may make the host wait or branch on a tensor: a pass is captured once and replayed.
Each row has the bits that it has alone. Each operation has a version in plain torch, which runs
anywhere, and a single-launch version for CUDA.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from kernels import attention, causal_conv, kv_slots, norms
from kernels.gated_delta import fast as gated_delta


class Attend(Protocol):
    """See `kernels.attention.fast.attend_few`."""

    def __call__(
        self, q: Tensor, keys: Tensor, values: Tensor, slots: Tensor, lengths: Tensor, /
    ) -> Tensor: ...


class Write(Protocol):
    """See `kernels.kv_slots.fast.write_slots`."""

    def __call__(
        self, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, slots: Tensor, /
    ) -> None: ...


class Convolve(Protocol):
    """See `kernels.causal_conv.fast.conv_few`."""

    def __call__(
        self, x: Tensor, window: Tensor, taps: Tensor, out: Tensor, kept: Tensor, /
    ) -> None: ...


class Rates(Protocol):
    """See `kernels.gated_delta.fast.rates_few`."""

    def __call__(
        self, a: Tensor, b: Tensor, bias: Tensor, speed: Tensor, out: Tensor, /
    ) -> None: ...


class Delta(Protocol):
    """See `kernels.gated_delta.fast.delta_few`."""

    def __call__(
        self, x: Tensor, rates: Tensor, states: Tensor, rows: int, /, *, keep: bool
    ) -> Tensor: ...


class Norm(Protocol):
    """See `kernels.norms.fast.rms_norm`; a scale may also be [n, dim], of rows [..., n, dim]."""

    def __call__(self, x: Tensor, scale: Tensor, eps: float, dtype: torch.dtype, /) -> Tensor: ...


class GatedNorm(Protocol):
    """See `kernels.norms.fast.gated_rms_norm`."""

    def __call__(
        self, x: Tensor, gate: Tensor, scale: Tensor, eps: float, dtype: torch.dtype, /
    ) -> Tensor: ...


@dataclass(frozen=True, slots=True)
class StepOps:
    """The operations besides projections and elementwise ones.

    Attributes:
        attend: attention of the newest rows over the slots of a sequence.
        write: new keys and values to their slots.
        convolve: queries, keys and values of the rows; leaves the window alone.
        rates: decays and betas of the rows.
        delta: the gated delta rule; the state may go on by the rows, at once or later.
        norm: also of heads that have a scale each.
    """

    attend: Attend
    write: Write
    convolve: Convolve
    rates: Rates
    delta: Delta
    norm: Norm
    gated_norm: GatedNorm


def _norm(x: Tensor, scale: Tensor, eps: float, dtype: torch.dtype) -> Tensor:
    rows = [torch.mul(row, norms.root_scale(row, eps)).mul_(scale) for row in x.float()]
    return torch.stack(rows).to(dtype)


def _gated_norm(x: Tensor, gate: Tensor, scale: Tensor, eps: float, dtype: torch.dtype) -> Tensor:
    pairs = zip(x, gate, strict=True)
    return torch.stack([norms.gated_rms_norm(*pair, scale, eps, dtype) for pair in pairs])


TORCH = StepOps(
    attention.attend_few,
    kv_slots.write_slots,
    causal_conv.conv_few,
    gated_delta.rates_few,
    gated_delta.delta_few,
    _norm,
    _gated_norm,
)


def device_ops() -> StepOps:
    """The Triton versions. Imported here: it takes seconds, and a CPU needs none of it."""
    from kernels.attention.triton import attend_few
    from kernels.causal_conv.triton import conv_few
    from kernels.gated_delta.triton import delta_few, rates_few
    from kernels.kv_slots.triton import write_slots
    from kernels.norms.triton import gated_rms_norm, rms_norm

    return StepOps(
        attend_few, write_slots, conv_few, rates_few, delta_few, rms_norm, gated_rms_norm
    )
