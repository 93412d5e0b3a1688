"""The full-attention layer for few rows in one call (src/attention_rows.c)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from kernels.attention.native import FORMATS, MOST_DIMS, extents_of, pool_of
from kernels.kv_slots import Extent
from kernels.native.fields import (
    AttentionLayerFields,
    MatrixFields,
    PoolFields,
    SeenFields,
    SequenceFields,
)
from kernels.native.layers import NormBefore
from kernels.native.library import Library, library


@dataclass(frozen=True, slots=True)
class AttentionShape:
    """The sizes of a layer, and the dtype of keys and values."""

    heads: int
    kv_heads: int
    dim: int
    rotary: int
    dtype: torch.dtype

    @property
    def fits(self) -> bool:
        """Whether the library runs layers of this shape."""
        return self.dim % 16 == 0 < self.dim <= MOST_DIMS and self.dtype in FORMATS


class FusedAttention:
    """`AttentionLayer` of src/layers.h, with the norm before it."""

    def __init__(
        self,
        found: Library,
        norm: NormBefore,
        shape: AttentionShape,
        scales: Tensor,
        inputs: MatrixFields,
        output: MatrixFields,
    ) -> None:
        """scales: of queries and keys, [heads + kv_heads, dim] float32."""
        self._call = found.call.biplane_attention_rows
        # The library only holds addresses.
        self._kept = (norm, scales)
        self._fields = AttentionLayerFields(
            norm.fields(),
            shape.heads,
            shape.kv_heads,
            shape.dim,
            shape.rotary,
            scales.data_ptr(),
            inputs,
            output,
        )
        self._layer = ctypes.pointer(self._fields)
        self._pool: tuple[tuple[int, int, int], PoolFields] | None = None

    def __call__(
        self,
        x: Tensor,
        keys: Tensor,
        values: Tensor,
        sequences: Sequence[tuple[Sequence[Extent], int]],
        rope: Tensor,
        skip: int = 0,
        *,
        alone: bool = False,
    ) -> None:
        """x [rows, hidden] float32 += layer(norm(x)); 1 to 16 rows.

        keys, values: the pool, [kv_heads, slots, dim]. sequences: (extents, rows) of those whose
        last rows these are, after each other; rows from `skip` on are written to their slots, and
        only one sequence may have rows before. rope: [rows, rotary / 2] complex64. alone: each row
        has the bits that it has alone. Raises MemoryError.
        """
        placed = [(*extents_of(extents), rows) for extents, rows in sequences]
        array = (SequenceFields * len(placed))(
            *(SequenceFields(ctypes.addressof(at), length, rows) for at, length, rows in placed)
        )
        seen = SeenFields(
            self._pool_of(keys, values),
            ctypes.addressof(array),
            len(placed),
            rope.data_ptr(),
            skip,
            alone,
        )
        self._call(self._layer, x.shape[0], x.data_ptr(), ctypes.byref(seen))

    def _pool_of(self, keys: Tensor, values: Tensor) -> PoolFields:
        """The fields of the pool, rebuilt only if its planes have moved."""
        # By address: a reference would keep a plane alive that a resize has replaced.
        place = (keys.data_ptr(), values.data_ptr(), keys.shape[1])
        if self._pool is None or self._pool[0] != place:
            self._pool = place, pool_of(keys, values)
        return self._pool[1]


def fused_attention(
    norm: NormBefore,
    shape: AttentionShape,
    scales: Tensor,
    inputs: MatrixFields | None,
    output: MatrixFields | None,
) -> FusedAttention | None:
    """The layer in one call; None if the library or the shape does not allow it."""
    found = library()
    if found is None or inputs is None or output is None or not shape.fits:
        return None
    return FusedAttention(found, norm, shape, scales, inputs, output)
