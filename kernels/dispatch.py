"""Selects the implementation of each operation, once per model, by its device.

Operations that are the same torch code everywhere (norms, rope, SwiGLU, copies) are not selected
here; they are imported where they are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from kernels import cpu, gated_delta, triton_driver
from kernels.attention import cpu as attention_cpu
from kernels.attention import cuda as attention_cuda
from kernels.gated_delta import Rule, ScanSplit
from kernels.gated_delta import cuda as gated_delta_cuda
from kernels.kv_slots import Extent
from kernels.native.library import in_use, native_version


class Sweep(Protocol):
    """See `kernels.gated_delta.unfused.sweep`."""

    def __call__(
        self,
        rows: Tensor,
        rule: Rule,
        window: Tensor,
        state: Tensor,
        splits: Sequence[ScanSplit] = (),
        /,
    ) -> Tensor: ...


class DeltaStep(Protocol):
    """See `kernels.gated_delta.fast.gated_delta_step`."""

    def __call__(
        self, qk: Tensor, v: Tensor, decay: Tensor, beta: Tensor, state: Tensor, /
    ) -> Tensor: ...


class Attend(Protocol):
    """See `kernels.attention.fast.attend`."""

    def __call__(
        self, q: Tensor, keys: Tensor, values: Tensor, extents: Sequence[Extent], gather: bool, /
    ) -> Tensor: ...


@dataclass(frozen=True, slots=True)
class Kernels:
    """The implementations for one device.

    Attributes:
        version: part of the cache's namespace; changes whenever any result may change in a bit,
            including with the processor's features.
        name: what runs, in a few words for users.
        fuses: whether layers may run few rows whole, without calling the operations below.
    """

    version: str
    name: str
    fuses: bool
    sweep: Sweep
    delta_step: DeltaStep
    attend: Attend


CPU = Kernels(
    f"cpu-7 {cpu.features()} {native_version()}",
    in_use(),
    True,
    gated_delta.sweep,
    gated_delta.gated_delta_step,
    attention_cpu.attend,
)
CUDA = Kernels(
    "cuda-fla-5",
    "Triton and FLA",
    False,
    gated_delta_cuda.sweep,
    gated_delta_cuda.gated_delta_step,
    attention_cuda.attend,
)


def kernels_for(device: torch.device) -> Kernels:
    """The kernels of `device`."""
    if device.type != "cuda":
        return CPU
    triton_driver.use_compiled()
    return CUDA
