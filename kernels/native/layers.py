"""Fused layers: the norm before a layer, the layer, and the addition of its output.

For few rows, one call each: PyTorch allocates nothing, and the GIL is released meanwhile.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from kernels.native.fields import (
    FLOAT32,
    KeptFields,
    LinearFields,
    LiveFields,
    MatrixFields,
    MlpFields,
    NormFields,
    StateFields,
)
from kernels.native.library import Library, library
from kernels.native.many import project_gated, project_many, project_normed

_HEAD_STEP, _MOST_HEAD, _MOST_KERNEL = 16, 256, 8


@dataclass(frozen=True, slots=True)
class NormBefore:
    """The RMS norm in front of a layer: scale [hidden] float32."""

    scale: Tensor
    eps: float

    def fields(self) -> NormFields:
        return NormFields(self.scale.data_ptr(), self.eps, len(self.scale))


class MixerEnds:
    """Both ends of a mixer for many rows: the norm with the first projection, and the last.

    Attributes:
        library: runs them and the operations in between.
    """

    def __init__(
        self,
        found: Library,
        norm: NormBefore,
        inputs: MatrixFields,
        output: MatrixFields,
        dtype: torch.dtype,
    ) -> None:
        """dtype: of the rows in between."""
        self.library, self._kept, self._dtype = found, norm, dtype
        self._norm, self._inputs, self._output = norm.fields(), inputs, output

    def enter(self, x: Tensor) -> Tensor:
        """x [rows, hidden] float32, normed, times the first matrix. Raises MemoryError."""
        return project_normed(self.library, self._inputs, self._norm, x, self._dtype)

    def leave(self, rows: Tensor, x: Tensor) -> None:
        """x [rows, hidden] float32 += rows times the last matrix. Raises MemoryError."""
        project_many(self.library, self._output, rows, x)

    def leave_gated(self, rows: Tensor, gate: Tensor, x: Tensor) -> None:
        """The same with rows times sigmoid(gate), both in one dtype. Raises MemoryError."""
        project_gated(self.library, self._output, rows, gate, x)


def mixer_ends(
    norm: NormBefore,
    inputs: MatrixFields | None,
    output: MatrixFields | None,
    dtype: torch.dtype,
) -> MixerEnds | None:
    """The ends of a mixer; None if the library or the matrices do not allow it."""
    found = library()
    if found is None or inputs is None or output is None:
        return None
    if FLOAT32 in (inputs.format, output.format):
        return None
    return MixerEnds(found, norm, inputs, output, dtype)


@dataclass(frozen=True, slots=True)
class LinearShape:
    """The sizes of a Gated DeltaNet layer, and the dtype of its convolution's window."""

    key_heads: int
    value_heads: int
    key_dim: int
    value_dim: int
    window_dtype: torch.dtype

    def fits(self, kernel: int) -> bool:
        """Whether the library runs layers of this shape."""
        heads = (self.key_dim, self.value_dim)
        return (
            all(dim % _HEAD_STEP == 0 and dim <= _MOST_HEAD for dim in heads)
            and self.value_heads % self.key_heads == 0
            and 2 <= kernel <= _MOST_KERNEL
            and self.window_dtype in (torch.float32, torch.bfloat16)
        )


class FusedLinear:
    """`LinearLayer` of src/layers.h: a Gated DeltaNet layer with the norm before it."""

    def __init__(
        self,
        found: Library,
        norm: NormBefore,
        shape: LinearShape,
        small: tuple[Tensor, Tensor, Tensor, Tensor],
        inputs: MatrixFields,
        output: MatrixFields,
    ) -> None:
        """small: taps [kernel, channels], speed and step bias [value_heads], gate norm."""
        self._call = found.call.biplane_linear_rows
        # The library only holds addresses.
        self._kept = (norm, small)
        self._fields = LinearFields(
            norm.fields(),
            shape.key_heads,
            shape.value_heads,
            shape.key_dim,
            shape.value_dim,
            len(small[0]),
            shape.window_dtype == torch.float32,
            *(tensor.data_ptr() for tensor in small),
            inputs,
            output,
        )
        self._layer = ctypes.pointer(self._fields)
        self._live = (LiveFields * 1)()

    def __call__(
        self,
        x: Tensor,
        delta: Tensor,
        window: Tensor,
        splits: Sequence[tuple[int, Tensor, Tensor]] = (),
    ) -> None:
        """x [rows, hidden] float32 += layer(norm(x)); 1 to 16 rows.

        delta [value_heads, key_dim, value_dim] float32 and window [kernel - 1, channels] are the
        live state, advanced; splits, ascending: (rows, delta, window), which receive the state
        after that many rows. Raises MemoryError.
        """
        live = self._live[0]
        live.rows, live.delta, live.window = x.shape[0], delta.data_ptr(), window.data_ptr()
        array = (StateFields * len(splits))(
            *(StateFields(after, d.data_ptr(), w.data_ptr()) for after, d, w in splits)
        )
        self._call(self._layer, x.shape[0], x.data_ptr(), self._live, 1, array, len(splits), False)

    def apart(
        self, x: Tensor, lives: Sequence[tuple[int, Tensor, Tensor, KeptFields | None]]
    ) -> None:
        """The same with rows of several live states after each other, each row's bits its own.

        lives: (rows, delta, window, kept). With kept, a live state is only read, and what its rows
        would do to it is written there; without, it has one row. Raises MemoryError.
        """
        array = (LiveFields * len(lives))(
            *(
                LiveFields(
                    *(rows, delta.data_ptr(), window.data_ptr()),
                    None if kept is None else ctypes.pointer(kept),
                )
                for rows, delta, window, kept in lives
            )
        )
        self._call(self._layer, x.shape[0], x.data_ptr(), array, len(lives), None, 0, True)


class FusedMlp:
    """`GatedMlp` of src/layers.h, with the norm before it if there is one.

    Attributes:
        takes_many: whether it runs any number of rows, not just 1 to 16.
    """

    def __init__(
        self,
        found: Library,
        norm: NormBefore | None,
        gate_up: MatrixFields,
        down: MatrixFields,
    ) -> None:
        self._call = found.call.biplane_mlp_rows
        self._kept = norm
        self.takes_many = FLOAT32 not in (gate_up.format, down.format)
        before = norm.fields() if norm else NormFields(None, 0.0, gate_up.inputs)
        self._fields = MlpFields(before, gate_up, down)
        self._layer = ctypes.pointer(self._fields)

    def __call__(
        self, x: Tensor, out: Tensor, share: Tensor | None = None, *, alone: bool = False
    ) -> None:
        """out [rows, hidden] float32 += share [rows] * layer(x).

        x [rows, hidden] float32 may be out. alone: each of up to 16 rows has the bits that it has
        alone. Raises MemoryError.
        """
        shares = None if share is None else share.data_ptr()
        self._call(self._layer, x.shape[0], x.data_ptr(), out.data_ptr(), shares, alone)


def fused_linear(
    norm: NormBefore,
    shape: LinearShape,
    small: tuple[Tensor, Tensor, Tensor, Tensor],
    inputs: MatrixFields | None,
    output: MatrixFields | None,
) -> FusedLinear | None:
    """The layer in one call; None if the library or the shape does not allow it."""
    found = library()
    if found is None or inputs is None or output is None or not shape.fits(len(small[0])):
        return None
    return FusedLinear(found, norm, shape, small, inputs, output)


def fused_mlp(
    norm: NormBefore | None, gate_up: MatrixFields | None, down: MatrixFields | None
) -> FusedMlp | None:
    """The layer in one call; None if the library does not allow it."""
    found = library()
    if found is None or gate_up is None or down is None:
        return None
    return FusedMlp(found, norm, gate_up, down)
