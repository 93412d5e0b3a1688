"""The operations of one decode step whose arguments are all on the device.

None of them may make the host wait or branch on a tensor: a step is captured once and replayed.
Each has a version in plain torch, which runs anywhere, and a single-launch version for CUDA.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from kernels import attention, causal_conv, gated_delta, kv_slots, norms


class Attend(Protocol):
    """See `kernels.attention.fast.attend_row_slots`."""

    def __call__(
        self, q: Tensor, keys: Tensor, values: Tensor, slots: Tensor, length: Tensor, /
    ) -> Tensor: ...


class Write(Protocol):
    """See `kernels.kv_slots.fast.write_slots`."""

    def __call__(
        self, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, slots: Tensor, /
    ) -> None: ...


class Convolve(Protocol):
    """See `kernels.causal_conv.fast.causal_conv_step`."""

    def __call__(self, x: Tensor, window: Tensor, taps: Tensor, /) -> Tensor: ...


class Delta(Protocol):
    """See `kernels.gated_delta.fast.gated_delta_step`."""

    def __call__(
        self, qk: Tensor, v: Tensor, decay: Tensor, beta: Tensor, state: Tensor, /
    ) -> Tensor: ...


class Norm(Protocol):
    """See `kernels.norms.fast.rms_norm`."""

    def __call__(self, x: Tensor, scale: Tensor, eps: float, dtype: torch.dtype, /) -> Tensor: ...


class GatedNorm(Protocol):
    """See `kernels.norms.fast.gated_rms_norm`."""

    def __call__(
        self, x: Tensor, gate: Tensor, scale: Tensor, eps: float, dtype: torch.dtype, /
    ) -> Tensor: ...


@dataclass(frozen=True, slots=True)
class StepOps:
    """The operations of a decode step besides projections and elementwise ones.

    Attributes:
        attend: attention of the newest row over the slots of a sequence.
        write: new keys and values to their slots.
        convolve: one token; advances the window.
        delta: one token of the gated delta rule; advances the state.
    """

    attend: Attend
    write: Write
    convolve: Convolve
    delta: Delta
    norm: Norm
    gated_norm: GatedNorm


TORCH = StepOps(
    attention.attend_row_slots,
    kv_slots.write_slots,
    causal_conv.causal_conv_step,
    gated_delta.gated_delta_step,
    norms.rms_norm,
    norms.gated_rms_norm,
)


def device_ops() -> StepOps:
    """The Triton versions. Imported here: it takes seconds, and a CPU needs none of it."""
    from kernels.attention.triton import attend_row_slots
    from kernels.causal_conv.triton import conv_step_
    from kernels.gated_delta.triton import gated_delta_step
    from kernels.kv_slots.triton import write_slots
    from kernels.norms.triton import gated_rms_norm, rms_norm

    return StepOps(
        attend_row_slots, write_slots, conv_step_, gated_delta_step, rms_norm, gated_rms_norm
    )


def ops_for(device: torch.device) -> StepOps:
    """The versions for tensors on `device`."""
    return device_ops() if device.type == "cuda" else TORCH
