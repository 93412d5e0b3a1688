"""Products of many rows with a stored matrix."""

from __future__ import annotations

import ctypes
from ctypes import c_int32, c_int64, c_void_p

import torch
from torch import Tensor

from kernels.native.library import Library, MatrixFields

# Of `enum Format` in src/matrix.h.
FORMATS = {torch.float32: 0, torch.bfloat16: 1}


class ManyFields(ctypes.Structure):
    """`Many` of src/many.h."""

    _fields_ = (
        ("matrix", c_void_p),
        ("rows", c_int64),
        ("x", c_void_p),
        ("y", c_void_p),
        ("x_stride", c_int64),
        ("y_stride", c_int64),
        ("x_format", c_int32),
        ("y_format", c_int32),
        ("add", c_int32),
    )


def project_many(
    found: Library, matrix: MatrixFields, x: Tensor, out: Tensor | None = None
) -> Tensor:
    """x [rows, inputs] to [rows, outputs] in x's dtype, or added to `out` and returned.

    x, out: float32 or bfloat16, each row in one piece.
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
        FORMATS[x.dtype],
        FORMATS[y.dtype],
        out is not None,
    )
    found.call.biplane_project_many(ctypes.byref(fields))
    return y
