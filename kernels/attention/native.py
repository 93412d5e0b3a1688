"""Attention in C (src/attend_rows.c, src/heads.c): reads the slots in place.

Neither the location of the slots nor the number of threads changes a bit of a result.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_int64

import torch
from torch import Tensor

from kernels.kv_slots import Extent
from kernels.native.fields import AttentionFields, HeadsFields, PoolFields
from kernels.native.library import Library

# Of `enum Format` in src/matrix.h.
FORMATS = {torch.float32: 0, torch.bfloat16: 1}
# Rows of `attend_rows`.
MOST_ROWS = 16
MOST_DIMS = 256


def supports(keys: Tensor) -> bool:
    """Whether the kernels read a pool like keys [kv_heads, slots, dim]."""
    dim = keys.shape[-1]
    return keys.device.type == "cpu" and keys.dtype in FORMATS and dim % 16 == 0 < dim <= MOST_DIMS


def pool_of(keys: Tensor, values: Tensor) -> PoolFields:
    """The pool of keys, values [kv_heads, slots, dim], which must outlive it."""
    assert supports(keys), f"no kernel for {keys.dtype} and {keys.shape[-1]} dims"
    assert keys.dtype == values.dtype, "keys and values differ in dtype"
    assert keys.stride() == values.stride(), "keys and values differ in layout"
    assert keys.stride()[1:] == (keys.shape[-1], 1), "slots are not side by side"
    return PoolFields(
        FORMATS[keys.dtype],
        keys.shape[0],
        keys.shape[-1],
        0,
        keys.data_ptr(),
        values.data_ptr(),
        keys.stride(0),
    )


def extents_of(extents: Sequence[Extent]) -> tuple[ctypes.Array[c_int64], int]:
    """The extents as C reads them, and how many tokens they hold; none may be empty."""
    flat = [number for extent in extents for number in extent]
    return (c_int64 * len(flat))(*flat), sum(flat[1::2])


def attend_rows(
    library: Library, q: Tensor, keys: Tensor, values: Tensor, extents: Sequence[Extent]
) -> Tensor:
    """Causal attention of a sequence's last rows over all of it: [rows, heads, dim] float32.

    q: [rows, heads, dim] float32 contiguous, 1 to 16 rows; keys, values: the pool, float32 or
    bfloat16; extents: the whole sequence, the rows' own slots included, none of them empty.
    Raises MemoryError.
    """
    rows, heads, dim = q.shape
    places, length = extents_of(extents)
    assert q.dtype == torch.float32, "queries are not float32"
    assert q.is_contiguous(), "queries are not contiguous"
    assert 0 < rows <= min(length, MOST_ROWS), "too few or too many rows"
    out = torch.empty(rows, heads, dim)
    fields = AttentionFields(
        pool_of(keys, values),
        ctypes.addressof(places),
        length,
        rows,
        heads,
        q.data_ptr(),
        out.data_ptr(),
        heads * dim,
        heads * dim,
    )
    library.call.biplane_attend_rows(ctypes.byref(fields))
    return out


def attend_many(
    library: Library, q: Tensor, keys: Tensor, values: Tensor, extents: Sequence[Extent]
) -> Tensor:
    """As `attend_rows` for any number of rows: [tokens, heads, dim] in q's dtype.

    q: [tokens, heads, dim] float32 or bfloat16, heads adjacent. With a bfloat16 pool, queries and
    shares are rounded to bfloat16 if the processor has products of it. A row's result does not
    depend on the other rows. Raises MemoryError.
    """
    tokens, heads, dim = q.shape
    places, length = extents_of(extents)
    assert q.dtype in FORMATS, f"no kernel for queries in {q.dtype}"
    assert q.stride()[1:] == (dim, 1), "heads are not side by side"
    assert 0 < tokens <= length, "too few or too many rows"
    out = torch.empty(tokens, heads, dim, dtype=q.dtype)
    fields = AttentionFields(
        pool_of(keys, values),
        ctypes.addressof(places),
        length,
        tokens,
        heads,
        q.data_ptr(),
        out.data_ptr(),
        q.stride(0),
        heads * dim,
        None,
        FORMATS[q.dtype],
    )
    library.call.biplane_attend_many(ctypes.byref(fields))
    return out


def turn_heads_(
    library: Library,
    qk: Tensor,
    v: Tensor,
    keys: Tensor,
    values: Tensor,
    extents: Sequence[Extent],
    *,
    skip: int,
    scales: Tensor,
    rope: Tensor,
    eps: float,
) -> None:
    """Norm and rotate queries and keys in place, and write keys and values to their slots.

    qk: [rows, heads + kv_heads, dim], v: [rows, kv_heads, dim], both float32 or bfloat16, a row's
    heads adjacent, at the last positions of the sequence in `extents`; the first `skip` rows
    are not written; scales: [heads + kv_heads, dim] float32; rope: [rows, rotary / 2] complex64.
    """
    rows, dim = qk.shape[0], qk.shape[-1]
    places, length = extents_of(extents)
    assert qk.dtype == v.dtype, "queries and values differ in dtype"
    assert qk.dtype in FORMATS, f"no kernel for rows in {qk.dtype}"
    for x in (qk, v, scales):
        assert x.stride()[-2:] == (dim, 1), "heads are not side by side"
    assert scales.dtype == torch.float32, "scales are not float32"
    assert rope.dtype == torch.complex64, "rotations are not complex"
    assert rope.is_contiguous(), "rotations are not contiguous"
    assert rope.shape[0] == v.shape[0] == rows <= length, "rows differ in number"
    fields = HeadsFields(
        pool_of(keys, values),
        ctypes.addressof(places),
        length,
        rows,
        qk.shape[1] - keys.shape[0],
        skip,
        2 * rope.shape[-1],
        qk.data_ptr(),
        v.data_ptr(),
        qk.stride(0),
        v.stride(0),
        scales.data_ptr(),
        rope.data_ptr(),
        eps,
        FORMATS[qk.dtype],
    )
    library.call.biplane_turn_heads(ctypes.byref(fields))
