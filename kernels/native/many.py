"""Products of many rows with a stored matrix."""

from __future__ import annotations

import ctypes

import torch
from torch import Tensor

from kernels.native.fields import ManyFields, MatrixFields
from kernels.native.library import Library
from kernels.native.rows import DENSE_FORMATS


def project_many(
    found: Library, matrix: MatrixFields, x: Tensor, out: Tensor | None = None
) -> Tensor:
    """x [rows, inputs] to [rows, outputs] in x's dtype, or added to `out` and returned.

    x, out: float32 or bfloat16. Raises MemoryError.
    """
    assert x.shape[1] == matrix.inputs, f"rows of {x.shape[1]} for {matrix.inputs} inputs"
    x = x if x.stride(1) == 1 else x.contiguous()
    y = torch.empty(len(x), matrix.outputs, dtype=x.dtype) if out is None else out
    assert y.shape == (len(x), matrix.outputs), f"{tuple(y.shape)} for {len(x)} rows"
    assert y.stride(1) == 1, "rows of the result are in pieces"
    fields = ManyFields(
        ctypes.addressof(matrix),
        len(x),
        x.data_ptr(),
        y.data_ptr(),
        x.stride(0),
        y.stride(0),
        DENSE_FORMATS[x.dtype],
        DENSE_FORMATS[y.dtype],
        out is not None,
    )
    if not found.call.biplane_project_many(ctypes.byref(fields)):
        raise MemoryError("no memory for a product's workspace")
    return y
