"""Products of many rows with a stored matrix."""

from __future__ import annotations

import ctypes

import torch
from torch import Tensor

from kernels.native.fields import BFLOAT16, ManyFields, MatrixFields, NormFields
from kernels.native.library import Library
from kernels.native.rows import DENSE_FORMATS, MOST_FEW

# Up to this many rows our products with AMX are as fast as oneDNN's: the number of inputs, the most
# rows with at most that many inputs, and the most with more.
_TILE_INPUTS, _TILE_ROWS, _LONG_ROWS = 2048, 1024, 64


def project_many(
    found: Library, matrix: MatrixFields, x: Tensor, out: Tensor | None = None
) -> Tensor:
    """x [rows, inputs] to [rows, outputs] in x's dtype, or added to `out` and returned.

    x, out: float32 or bfloat16. Raises MemoryError.
    """
    y = torch.empty(len(x), matrix.outputs, dtype=x.dtype) if out is None else out
    return _many(found, matrix, x, y, add=out is not None)


def project_normed(
    found: Library, matrix: MatrixFields, norm: NormFields, x: Tensor, dtype: torch.dtype
) -> Tensor:
    """norm(x) [rows, inputs] to [rows, outputs] in `dtype`; x float32. Raises MemoryError."""
    assert x.dtype == torch.float32, "rows before a norm are not float32"
    y = torch.empty(len(x), matrix.outputs, dtype=dtype)
    return _many(found, matrix, x, y, norm=norm)


def project_gated(
    found: Library, matrix: MatrixFields, x: Tensor, gate: Tensor, out: Tensor
) -> Tensor:
    """out [rows, outputs] += x sigmoid(gate), both [rows, inputs], projected. Raises MemoryError.

    x, gate: both float32 or both bfloat16, with contiguous rows.
    """
    assert x.shape == gate.shape, "a gate for every number of the rows"
    assert x.dtype == gate.dtype, "rows and gates differ in dtype"
    assert gate.stride(1) == 1, "rows of gates are in pieces"
    return _many(found, matrix, x, out, add=True, gate=gate)


def _many(
    found: Library,
    matrix: MatrixFields,
    x: Tensor,
    y: Tensor,
    *,
    add: bool = False,
    norm: NormFields | None = None,
    gate: Tensor | None = None,
) -> Tensor:
    assert x.shape[1] == matrix.inputs, f"rows of {x.shape[1]} for {matrix.inputs} inputs"
    x = x if x.stride(1) == 1 else x.contiguous()
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
        add,
        None if norm is None else ctypes.addressof(norm),
        None if gate is None else gate.data_ptr(),
        0 if gate is None else gate.stride(0),
    )
    found.call.biplane_project_many(ctypes.byref(fields))
    return y


def serves_many(found: Library, matrix: MatrixFields, x: Tensor) -> bool:
    """Whether `project_many` is the faster product of rows x with bfloat16 weights.

    Measured: with AMX oneDNN's is faster for long rows and for very many; elsewhere both are equal
    for 512 rows, and ours is up to twice as fast for 64.
    """
    if matrix.format != BFLOAT16 or x.dtype not in DENSE_FORMATS or len(x) <= MOST_FEW:
        return False
    few = len(x) <= _TILE_ROWS if matrix.inputs <= _TILE_INPUTS else len(x) <= _LONG_ROWS
    return found.level != "amx" or few


def norm_rows(found: Library, x: Tensor, scale: Tensor, eps: float, dtype: torch.dtype) -> Tensor:
    """The RMS norm of x [rows, width] float32 contiguous, times scale [width], as `dtype`."""
    out = torch.empty(x.shape, dtype=dtype)
    fields = NormFields(scale.data_ptr(), eps, len(scale))
    found.call.biplane_norm_rows(
        ctypes.byref(fields), len(x), x.data_ptr(), out.data_ptr(), DENSE_FORMATS[dtype]
    )
    return out


def norms_rows(x: Tensor, scale: Tensor, dtype: torch.dtype) -> bool:
    """Whether `norm_rows` supports these."""
    return (
        x.ndim == 2
        and x.dtype == scale.dtype == torch.float32
        and x.is_contiguous()
        and scale.is_contiguous()
        and dtype in DENSE_FORMATS
    )
