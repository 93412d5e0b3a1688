"""The operations of one decode step whose arguments all lie on the device.

None of them may make the host wait or branch on a tensor: a step is recorded once and replayed.
There is a version in plain torch, which runs anywhere, and one launch each on CUDA.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels import causal_conv, gated_delta, norms


class Attend(Protocol):
    """See `kernels.device.attention.attend_row_slots`."""

    def __call__(
        self, q: Tensor, keys: Tensor, values: Tensor, slots: Tensor, length: Tensor, /
    ) -> Tensor: ...


class Write(Protocol):
    """See `kernels.device.kv_write.write_slots`."""

    def __call__(
        self, k: Tensor, v: Tensor, keys: Tensor, values: Tensor, slots: Tensor, /
    ) -> None: ...


class Convolve(Protocol):
    """See `kernels.causal_conv.causal_conv_step`."""

    def __call__(self, x: Tensor, window: Tensor, taps: Tensor, /) -> Tensor: ...


class Delta(Protocol):
    """See `kernels.gated_delta.gated_delta_step`."""

    def __call__(
        self, qk: Tensor, v: Tensor, decay: Tensor, beta: Tensor, state: Tensor, /
    ) -> Tensor: ...


class Norm(Protocol):
    """See `kernels.norms.rms_norm`."""

    def __call__(self, x: Tensor, scale: Tensor, eps: float, dtype: torch.dtype, /) -> Tensor: ...


class GatedNorm(Protocol):
    """See `kernels.norms.gated_rms_norm`."""

    def __call__(
        self, x: Tensor, gate: Tensor, scale: Tensor, eps: float, dtype: torch.dtype, /
    ) -> Tensor: ...


@dataclass(frozen=True, slots=True)
class StepOps:
    """What a decode step is made of, besides projections and what is elementwise.

    Attributes:
        attend: the newest row over the slots of a sequence.
        write: new keys and values to their slots.
        convolve: one token; moves the window on.
        delta: one token of the gated delta rule; moves the state on.
    """

    attend: Attend
    write: Write
    convolve: Convolve
    delta: Delta
    norm: Norm
    gated_norm: GatedNorm


def attend_row_slots(
    q: Tensor, keys: Tensor, values: Tensor, slots: Tensor, length: Tensor
) -> Tensor:
    """Attention of the newest token over the first `length` of `slots`, by a mask over all.

    q: [heads, dim]; keys, values: [kv_heads, pool_slots, dim]; slots: [capacity] int32, all within
    the pool; length: [1] int32. Returns [heads, dim] in q's dtype.
    """
    seen = torch.arange(slots.shape[0], device=slots.device) < length
    order = slots.long()
    # What lies past the length may be no number at all, which a mask alone would let through.
    k, v = (
        plane.index_select(1, order).masked_fill_(~seen.view(1, -1, 1), 0.0)
        for plane in (keys, values)
    )
    grouped = q.view(1, keys.shape[0], -1, q.shape[-1])
    out = F.scaled_dot_product_attention(
        grouped, k.unsqueeze(0), v.unsqueeze(0), attn_mask=seen.view(1, 1, 1, -1)
    )
    return out.reshape(q.shape)


def write_slots(k: Tensor, v: Tensor, keys: Tensor, values: Tensor, slots: Tensor) -> None:
    """Write rows k, v [tokens, kv_heads, dim] to slots [tokens] of keys, values, in place."""
    order = slots.long()
    keys.index_copy_(1, order, k.transpose(0, 1))
    values.index_copy_(1, order, v.transpose(0, 1))


TORCH = StepOps(
    attend_row_slots,
    write_slots,
    causal_conv.causal_conv_step,
    gated_delta.gated_delta_step,
    norms.rms_norm,
    norms.gated_rms_norm,
)


def device_ops() -> StepOps:
    """The Triton versions. Imported here: it takes seconds, and a CPU needs none of it."""
    from kernels.device import attention, conv, delta_step, kv_write
    from kernels.device import norms as device_norms

    return StepOps(
        attention.attend_row_slots,
        kv_write.write_slots,
        conv.conv_step_,
        delta_step.gated_delta_step,
        device_norms.rms_norm,
        device_norms.gated_rms_norm,
    )


def ops_for(device: torch.device) -> StepOps:
    """The versions for tensors on `device`."""
    return device_ops() if device.type == "cuda" else TORCH
