"""Bias-free projections by a stored matrix, whatever the format of its weights.

A single row has its own path everywhere: decode reads every weight for one token.
"""

from __future__ import annotations

from copy import copy
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.cpu import fast_bfloat16
from kernels.native.fields import MatrixFields
from kernels.native.library import library
from kernels.native.many import project_many, serves_many
from kernels.native.rows import MOST_FEW, dense_fields, project_rows

WIDE_OUTPUTS = 4096


class Matrix(Protocol):
    """A matrix [outputs, inputs] that rows are multiplied by."""

    def project(self, x: Tensor) -> Tensor:
        """x [tokens, inputs] to [tokens, outputs], both in the model's dtype."""
        ...

    def project_row(self, x: Tensor) -> Tensor:
        """One row x [inputs] to [outputs]."""
        ...

    def tensors(self) -> tuple[Tensor, ...]:
        """Every tensor it holds, for counting bytes."""
        ...


class Rows(Protocol):
    """A stored matrix [outputs, columns] that may still lie in its file: a tensor, or like one."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def dtype(self) -> torch.dtype: ...

    def __len__(self) -> int: ...

    def __getitem__(self, which: slice | Tensor, /) -> Tensor: ...


def fields_of(matrix: Matrix) -> MatrixFields | None:
    """The matrix as the C kernels take it; None if they do not support its format."""
    found: MatrixFields | None = getattr(matrix, "fields", None)
    return found


def project_few(matrix: Matrix, x: Tensor) -> Tensor:
    """1 to 16 rows x [rows, inputs] to [rows, outputs], each with the bits that it has alone."""
    few = getattr(matrix, "few", None)
    if few is None:
        return torch.stack([matrix.project_row(row) for row in x])
    found: Tensor = few(x)
    return found


def few_logits(matrix: Matrix, x: Tensor) -> Tensor:
    """The same in float32, as far as the format's kernels give it."""
    # The C kernels give float32 for float32; PyTorch's product wants one dtype.
    wide = x.float() if fields_of(matrix) else x
    return project_few(matrix, wide).float()


def first_outputs(matrix: Matrix, count: int) -> Matrix | None:
    """The first outputs of a matrix as one of its own, nothing copied; None if it cannot be cut."""
    if isinstance(matrix, DenseMatrix):
        return type(matrix)(matrix.tensors()[0][:count])
    cut = getattr(matrix, "first_outputs", None)
    fields = fields_of(matrix)
    if cut is not None:
        found: Matrix = cut(count)
        return found
    if fields is None:
        return None
    fewer = copy(matrix)
    own = {name: getattr(fields, name) for name, _ in fields._fields_}
    fewer.fields = MatrixFields(**own | {"outputs": count})  # type: ignore[attr-defined]
    return fewer


def stays_on_device(matrix: Matrix) -> bool:
    """Whether few rows' product needs nothing from the host, as a CUDA graph requires."""
    return isinstance(matrix, DenseMatrix) or getattr(matrix, "recordable", False)


def product(x: Tensor, weight: Tensor) -> Tensor:
    """x [tokens, inputs] by weight [outputs, inputs], both of one dtype: [tokens, outputs].

    Computed in float32 if that is what the processor is fast at.
    """
    if x.dtype == torch.float32 or x.device.type != "cpu" or fast_bfloat16():
        return F.linear(x, weight)
    return wide_product(x, weight)


def wide_product(x: Tensor, weight: Tensor, scale: Tensor | None = None) -> Tensor:
    """x [tokens, inputs] by weight [outputs, inputs] of any dtype, computed in float32.

    scale: [outputs] float32, one per output. Returns [tokens, outputs] in x's dtype.
    """
    out, wide = x.new_empty(len(x), len(weight)), x.float()
    # In blocks: a float32 copy of a whole vocabulary would be larger than many models.
    for first in range(0, len(weight), WIDE_OUTPUTS):
        rows = slice(first, first + WIDE_OUTPUTS)
        part = F.linear(wide, weight[rows].float())
        out[:, rows] = part if scale is None else part.mul_(scale[rows])
    return out


class DenseMatrix:
    """Weights in the dtype of the rows.

    bfloat16 on a CPU without the C kernels: `mv` reads 20 to 26 GB/s, `linear` 15 to 19.

    Attributes:
        fields: the matrix as the C kernels take it; None if they do not support it.
    """

    def __init__(self, weight: Tensor) -> None:
        """weight: [outputs, inputs], not copied."""
        self._weight = weight
        self._library = library() if weight.device.type == "cpu" else None
        self.fields = dense_fields(weight) if self._library else None

    def project(self, x: Tensor) -> Tensor:
        if self._library and self.fields:
            # For few rows PyTorch reads the matrix at half of memory's speed, and without bfloat16
            # instructions it makes a float32 copy in each pass.
            if x.dtype == torch.bfloat16 and 0 < len(x) <= MOST_FEW:
                return project_rows(self._library, self.fields, x)
            if serves_many(self._library, self.fields, x):
                return project_many(self._library, self.fields, x)
        return product(x, self._weight)

    def project_row(self, x: Tensor) -> Tensor:
        if self._weight.device.type != "cuda" and not (self._library and self.fields):
            return torch.mv(self._weight, x)
        return self.few(x.unsqueeze(0))[0]

    def few(self, x: Tensor) -> Tensor:
        """See `project_few`."""
        if self._library and self.fields:
            return project_rows(self._library, self.fields, x, alone=True)
        if self._weight.device.type != "cuda":
            return torch.stack([torch.mv(self._weight, row) for row in x])
        from kernels.matmul.triton import dense_few

        return dense_few(x, self._weight)

    def tensors(self) -> tuple[Tensor, ...]:
        return (self._weight,)
