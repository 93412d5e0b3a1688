"""Products of 1 to 16 rows with a stored matrix."""

from __future__ import annotations

import ctypes

import torch
from torch import Tensor

from kernels.native.fields import BFLOAT16, FLOAT32, MatrixFields
from kernels.native.library import Library

MOST_FEW = 16
DENSE_FORMATS = {torch.float32: FLOAT32, torch.bfloat16: BFLOAT16}


def project_rows(found: Library, matrix: MatrixFields, x: Tensor, *, alone: bool = False) -> Tensor:
    """x [rows, inputs] to [rows, outputs], in x's dtype. Raises MemoryError.

    alone: each row has the bits that it has alone.
    """
    wide = x.float().contiguous()
    out = torch.empty(len(x), matrix.outputs)
    found.call.biplane_project_rows(
        ctypes.byref(matrix), len(x), wide.data_ptr(), out.data_ptr(), alone
    )
    return out.to(x.dtype)


def dense_fields(weight: Tensor) -> MatrixFields | None:
    """weight [outputs, inputs], not copied; None if the library does not support its dtype."""
    kind = DENSE_FORMATS.get(weight.dtype)
    if kind is None or weight.device.type != "cpu" or not weight.is_contiguous():
        return None
    outputs, inputs = weight.shape
    return MatrixFields(kind, outputs, inputs, inputs, weight.data_ptr(), None)
