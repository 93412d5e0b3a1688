"""How fast a GPU reads, copies and multiplies, measured on sizes that hide launch overhead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch

from engine.bench.harness import fastest
from engine.bench.machine import device_seconds

READ_COLUMNS = 4096


@dataclass(frozen=True, slots=True)
class GpuEffort:
    """How much to measure.

    Attributes:
        read_bytes: data read once per call, far more than the second-level cache holds.
        sides: of the square matrices to multiply.
        calls: made back to back and timed together.
        repeats: of each measurement; the fastest counts.
    """

    read_bytes: int = 2 << 30
    sides: tuple[int, ...] = (4096, 8192)
    calls: int = 10
    repeats: int = 3


@dataclass(frozen=True, slots=True)
class GpuRates:
    """The measured rates.

    Attributes:
        read_bytes_s: of device memory.
        copy_bytes_s: within device memory, bytes read plus bytes written.
        gemm_flop_s: of bfloat16 products, two operations per multiply-add, at the fastest size.
    """

    read_bytes_s: float
    copy_bytes_s: float
    gemm_flop_s: float


def cuda_device() -> torch.device | None:
    """The CUDA device to measure, None if there is none."""
    return torch.device("cuda") if torch.cuda.is_available() else None


@torch.inference_mode()
def measure_gpu(device: torch.device, effort: GpuEffort) -> GpuRates:
    """Measure; takes a few seconds and twice effort.read_bytes of device memory."""

    def taken(call: Callable[[], object]) -> float:
        return per_call(call, device, effort)

    data = torch.ones(effort.read_bytes // 2, dtype=torch.bfloat16, device=device)
    matrix, wide = data.view(-1, READ_COLUMNS), data.view(torch.float32)
    row = torch.ones(READ_COLUMNS, dtype=torch.bfloat16, device=device)
    read = min(taken(partial(torch.mv, matrix, row)), taken(wide.sum))
    target = torch.empty_like(data)
    copy = taken(partial(target.copy_, data))
    nbytes = data.nbytes
    del data, matrix, wide, target
    flop_s = 0.0
    for side in effort.sides:
        a, b = (torch.randn(side, side, device=device).to(torch.bfloat16) for _ in range(2))
        flop_s = max(flop_s, 2 * side**3 / taken(partial(torch.mm, a, b)))
    return GpuRates(nbytes / read, 2 * nbytes / copy, flop_s)


def per_call(call: Callable[[], object], device: torch.device, effort: GpuEffort) -> float:
    """Seconds per call over effort.calls calls back to back; the fastest of effort.repeats."""

    def many() -> None:
        for _ in range(effort.calls):
            call()

    return fastest(partial(device_seconds, many, device), effort.repeats) / effort.calls
