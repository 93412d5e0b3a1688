"""Matrices of blocks in the layout of the C kernels (`kernels/native/src/blocks.h`).

Nothing is rounded but the rows that are multiplied, to 8 bits per 32 inputs. A row's results depend
on that row alone, to the bit, however many run with it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import torch
from torch import Tensor

from kernels.blocks.forms import SLICE, Form
from kernels.blocks.grids import grid
from kernels.blocks.weight import BlockWeight
from kernels.matmul.matrix import Matrix, fields_of
from kernels.native import fields
from kernels.native.fields import BlockTableFields, MatrixFields, PackingFields
from kernels.native.library import Library
from kernels.native.many import project_many
from kernels.native.rows import MOST_FEW, project_rows


class NativeMatrix:
    """A matrix that the C kernels multiply by, whatever its format.

    Attributes:
        fields: the matrix as the library takes it.
    """

    def __init__(self, found: Library, taken: MatrixFields, kept: tuple[Tensor, ...]) -> None:
        """kept: the tensors whose addresses `taken` holds."""
        self._library, self.fields, self._kept = found, taken, kept

    def project(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`. Raises MemoryError."""
        if len(x) <= MOST_FEW:
            return project_rows(self._library, self.fields, x)
        return project_many(self._library, self.fields, x)

    def project_row(self, x: Tensor) -> Tensor:
        """See `kernels.matmul.Matrix`. Raises MemoryError."""
        return self.project(x.unsqueeze(0))[0]

    def tensors(self) -> tuple[Tensor, ...]:
        """See `kernels.matmul.Matrix`."""
        return self._kept


class PackedBlocks(NativeMatrix):
    """A stored matrix, packed without a loss."""

    def __init__(self, found: Library, weight: BlockWeight, order: Tensor | None = None) -> None:
        """order: see `block_matrix`."""
        form = weight.form
        packed = _packed(found, weight, form)
        values = (ctypes.c_int8 * 16)(*form.values)
        self._table = BlockTableFields(values, form.unit)
        # In C: the place in a row of each stored SLICE.
        kept = [packed] if order is None else [packed, order.argsort().to(torch.int32)]
        taken = MatrixFields(
            fields.BLOCKS + _shape(form),
            weight.outputs,
            weight.inputs,
            weight.inputs,
            packed.data_ptr(),
            ctypes.addressof(self._table),
            None if order is None else kept[1].data_ptr(),
        )
        super().__init__(found, taken, tuple(kept))


class StackedMatrix(NativeMatrix):
    """Matrices of the same inputs, one below the other: of blocks, or float32."""

    def __init__(self, found: Library, parts: Sequence[Matrix]) -> None:
        taken = [fields_of(part) for part in parts]
        assert all(part is not None for part in taken), "a part that the C kernels do not take"
        self._parts = tuple(parts)
        self._array = (MatrixFields * len(parts))(*(part for part in taken if part is not None))
        for part in self._array:
            assert part.format == fields.FLOAT32 or part.format >= fields.BLOCKS, part.format
            assert part.inputs == self._array[0].inputs, "parts differ in their inputs"
            assert not part.order, "a part whose inputs are in another order"
        inputs = self._array[0].inputs
        whole = MatrixFields(
            fields.STACK,
            sum(part.outputs for part in self._array),
            inputs,
            inputs,
            ctypes.addressof(self._array),
            None,
            None,
            len(parts),
        )
        super().__init__(found, whole, tuple(t for part in parts for t in part.tensors()))


def _shape(form: Form) -> int:
    asked = (form.bits, form.group, form.scaled, form.offsets, bool(form.values), form.zero)
    return fields.SHAPES.index(asked)


def unit_bytes(form: Form) -> int:
    """The bytes of a span of 16 outputs, UNIT_BYTES of src/blocks.h."""
    per_output = form.span * form.bits // 8 + 2 * (1 + form.offsets)
    if form.scaled:
        per_output += form.span // form.group * (1 + form.offsets)
    return fields.BLOCK_OUTPUTS * per_output


def _packed(found: Library, weight: BlockWeight, form: Form) -> Tensor:
    """The units of all blocks of 16 outputs: [blocks, bytes] uint8."""
    blocks = -(-weight.outputs // fields.BLOCK_OUTPUTS)
    out = torch.empty(blocks, weight.inputs // form.span * unit_bytes(form), dtype=torch.uint8)
    entries = grid(weight.kind.name)
    for rows in weight.pieces():
        raw = weight.raw[rows].contiguous()
        taken = PackingFields(
            _shape(form),
            weight.kind.code,
            len(raw),
            weight.inputs,
            raw.data_ptr(),
            None if entries is None else entries.data_ptr(),
            out[rows.start // fields.BLOCK_OUTPUTS].data_ptr(),
        )
        found.call.biplane_pack_blocks(ctypes.byref(taken))
    return out


def check_order(order: Tensor, inputs: int) -> None:
    """Assert that order [inputs / 32] is a permutation."""
    assert order.shape == (inputs // SLICE,), f"an order of {tuple(order.shape)}"
    assert torch.equal(order.sort().values, torch.arange(len(order))), "an order with gaps"
