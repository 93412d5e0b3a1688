"""The choice among versions of an operation, made once per model by its device.

Operations that are the same torch code everywhere (norms, rope, conv, SwiGLU, copies) are not
chosen here; they are imported where they are used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from kernels import gated_delta, gated_delta_cuda


class DeltaScan(Protocol):
    """See `kernels.gated_delta.gated_delta_scan`."""

    def __call__(
        self, q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor, beta: Tensor, state: Tensor, /
    ) -> Tensor: ...


class DeltaStep(Protocol):
    """See `kernels.gated_delta.gated_delta_step`."""

    def __call__(
        self, qk: Tensor, v: Tensor, decay: Tensor, beta: Tensor, state: Tensor, /
    ) -> Tensor: ...


@dataclass(frozen=True, slots=True)
class Kernels:
    """The versions one device uses.

    Attributes:
        version: part of the cache's namespace; changes whenever results may change in a bit.
    """

    version: str
    delta_scan: DeltaScan
    delta_step: DeltaStep


CPU = Kernels("cpu-1", gated_delta.gated_delta_scan, gated_delta.gated_delta_step)
CUDA = Kernels("cuda-fla-1", gated_delta_cuda.gated_delta_scan, gated_delta_cuda.gated_delta_step)


def kernels_for(device: torch.device) -> Kernels:
    """The kernels of `device`."""
    return CUDA if device.type == "cuda" else CPU
