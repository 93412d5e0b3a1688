"""Which versions a device uses."""

from __future__ import annotations

import torch

from kernels.dispatch import CPU, CUDA, kernels_for


def test_the_device_chooses_the_kernels() -> None:
    assert kernels_for(torch.device("cpu")) is CPU
    assert kernels_for(torch.device("cuda")) is CUDA
    assert CPU.version != CUDA.version
