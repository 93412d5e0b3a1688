"""Which class runs a quantised matrix on a device."""

from __future__ import annotations

import torch

from kernels.int4 import Int4Matrix, Int4Weight
from kernels.int8 import Int8Matrix, Int8Weight
from kernels.matrix import Matrix


def int8_matrix(weight: Int8Weight, device: torch.device) -> Matrix:
    """The matrix of `weight` on `device`."""
    assert device.type == "cpu"
    return Int8Matrix(weight)


def int4_matrix(weight: Int4Weight, device: torch.device) -> Matrix:
    """The matrix of `weight` on `device`."""
    assert device.type == "cpu"
    return Int4Matrix(weight)
