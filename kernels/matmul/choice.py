"""Selects the class that runs a quantised matrix on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from kernels.cpu import fast_int8
from kernels.matmul.int4 import GROUP, Int4Matrix, Int4Weight
from kernels.matmul.int8 import Int8Matrix, Int8Weight, Int8WideMatrix
from kernels.matmul.matrix import Matrix
from kernels.matmul.packed import PackedInt4, PackedInt8
from kernels.native.fields import MOST_INPUTS
from kernels.native.library import library

if TYPE_CHECKING:
    from kernels.matmul.triton import DeviceMatrix


def int8_matrix(weight: Int8Weight, device: torch.device) -> Matrix:
    """The matrix of `weight` on `device`, moved there if necessary."""
    if device.type == "cpu":
        found = library()
        if found and weight.codes.shape[1] <= MOST_INPUTS:
            return PackedInt8(found, weight)
        return Int8Matrix(weight) if fast_int8() else Int8WideMatrix(weight)
    return int8_on_device(weight, device)


def int4_matrix(weight: Int4Weight, device: torch.device) -> Matrix:
    """The matrix of `weight` on `device`, moved there if necessary."""
    if device.type == "cpu":
        found = library()
        return PackedInt4(found, weight) if found else Int4Matrix(weight)
    return int4_on_device(weight, device)


def int8_on_device(weight: Int8Weight, device: torch.device) -> DeviceMatrix:
    """Weights of 8 bits, one scale per output, as a GPU multiplies them."""
    from kernels.matmul.triton import DeviceMatrix, Layout

    outputs, inputs = weight.codes.shape
    parts = weight.codes.to(device), weight.scale.to(device)
    return DeviceMatrix((outputs, inputs), Layout(8), *parts)


def int4_on_device(weight: Int4Weight, device: torch.device) -> DeviceMatrix:
    """Weights of 4 bits, a scale and an offset per group of inputs, as a GPU multiplies them."""
    from kernels.matmul.triton import DeviceMatrix, Layout

    outputs, groups = weight.scale.shape
    layout = Layout(4, GROUP, offsets=True, zero=8)
    parts = (part.to(device) for part in (weight.codes, weight.scale, weight.offset))
    return DeviceMatrix((outputs, groups * GROUP), layout, *parts)
