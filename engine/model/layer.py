"""The interfaces of layers, and how layers of other families are added.

A family names one mixer class per layer type and one feed-forward class. Another family consists of
new classes and one more entry in `FAMILY_LAYERS`, without changes to the existing ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import torch
from torch import Tensor

from engine.model.config import ModelConfig
from engine.model.few_rows import DeviceRun, Stretch
from engine.planes import KVPlane, StatePlane
from kernels.dispatch import Kernels
from kernels.kv_slots import Extent
from kernels.matmul import DenseMatrix, Matrix
from kernels.native.layers import NormBefore

if TYPE_CHECKING:
    from engine.model.expert_pool import ExpertPool


Shapes = dict[str, tuple[int, ...]]
Build = Callable[[], Tensor]


@dataclass(frozen=True, slots=True)
class RunContext:
    """One forward pass over positions [start, start + tokens).

    Attributes:
        extents: physical KV slots of positions [0, start + tokens), coalesced.
        writes: physical KV slots of positions [write_from, start + tokens).
        skip: leading tokens whose KV is in the pool already (write_from - start).
        live: state slot that is read and then overwritten.
        scan_splits: (token offset, state slot), ascending; the state after that many tokens.
        rope: rotations of these positions, [tokens, rotary_dim / 2] complex64.
        apart: the sequences whose rows these are, if each row is to have the bits of a step;
            extents, writes and live are then theirs.
    """

    tokens: int
    kv: KVPlane
    extents: tuple[Extent, ...]
    writes: tuple[Extent, ...]
    skip: int
    states: StatePlane
    live: int
    scan_splits: tuple[tuple[int, int], ...]
    gather: bool
    rope: Tensor
    kernels: Kernels
    apart: tuple[Stretch, ...] = ()


class MatrixMaker(Protocol):
    """Converts the weights of a checkpoint to the format in which they run."""

    def make(self, key: str, build: Build) -> Matrix:
        """The matrix stored as `key`, unique in the model; `build` returns [outputs, inputs]."""
        ...

    def lacks(self, key: str) -> bool:
        """Whether making that matrix while the model loads saves work later."""
        ...


class StoredMaker(Protocol):
    """Makes matrices of what a file stores, without rounding it again."""

    def matrix(self, parts: Sequence[tuple[str, Tensor | None]]) -> Matrix:
        """Stored matrices by name, or rows [n] int64 of them, below one another."""
        ...


class DenseMaker:
    """Keeps weights in the model's dtype."""

    def __init__(self, dtype: torch.dtype, device: torch.device) -> None:
        self._dtype, self._device = dtype, device

    def make(self, key: str, build: Build) -> Matrix:
        """See MatrixMaker."""
        return DenseMatrix(own(build().to(self._dtype), self._device))

    def lacks(self, key: str) -> bool:
        """See MatrixMaker."""
        return False


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a stored matrix, as a part of one that is kept.

    Attributes:
        name: of the stored matrix, below the layer's own prefix.
        order: [rows] int64, which of its rows in which order; None takes all as they are.
    """

    name: str
    order: Tensor | None = None


@dataclass(frozen=True, slots=True)
class LayerSource:
    """The tensors of one layer.

    Attributes:
        read: returns the tensor of that name below the layer's own prefix, as stored.
        part: the same, but only a slice of its first dimension; may be called after loading.
        dtype, device: of the weights that are kept.
        maker: converts large matrices to their format.
        blocks: makes them of the file's own blocks instead; None if there are none.
        applied: whether norms and decays are stored as they are applied: not minus one, and not as
            a logarithm.
        experts: the pool of routed experts.
        prefix: of the layer, unique in the model.
    """

    read: Callable[[str], Tensor]
    part: Callable[[str, int], Tensor]
    dtype: torch.dtype
    device: torch.device
    maker: MatrixMaker
    blocks: StoredMaker | None
    applied: bool
    experts: ExpertPool
    prefix: str

    def matrix(self, *names: str) -> Matrix:
        """The named matrices [outputs, inputs] stacked vertically."""
        return self.stacked(names[0], *map(Rows, names))

    def stacked(self, name: str, *parts: Rows) -> Matrix:
        """Rows of some matrices stacked vertically, stored under `name`."""
        if self.blocks is not None:
            return self.blocks.matrix([(self.prefix + part.name, part.order) for part in parts])
        return self.made(name, lambda: self._stack(parts))

    def made(self, name: str, build: Build) -> Matrix:
        """A matrix assembled by `build`, stored under `name`."""
        return self.maker.make(self.prefix + name, build)

    def rows(self, name: str) -> Tensor:
        """The named matrix in the model's dtype, as a matrix's `build`."""
        return self.read(name).to(self.dtype)

    def scale(self, name: str) -> Tensor:
        """A small tensor in float32."""
        return own(self.read(name).float(), self.device)

    def norm(self, name: str) -> Tensor:
        """The scale of a norm in float32; the families store theirs minus one."""
        return own(self.read(name).float() + (0.0 if self.applied else 1.0), self.device)

    def speed(self, name: str) -> Tensor:
        """What the steps of a decay are multiplied by, in float32; stored as log(-speed)."""
        stored = self.scale(name)
        return stored if self.applied else -stored.exp()

    def _stack(self, parts: tuple[Rows, ...]) -> Tensor:
        whole = {name: self.rows(name) for name in dict.fromkeys(part.name for part in parts)}
        stack = [
            whole[part.name] if part.order is None else whole[part.name][part.order]
            for part in parts
        ]
        return stack[0] if len(stack) == 1 else torch.cat(stack)

    def keep(self, tensor: Tensor) -> Tensor:
        """A contiguous tensor on the device that does not alias the file."""
        return own(tensor, self.device)


def own(tensor: Tensor, device: torch.device) -> Tensor:
    """A contiguous tensor on the device that keeps no larger one alive."""
    moved = tensor.to(device)
    alone = moved.untyped_storage().nbytes() == moved.nbytes
    return moved if alone and moved.is_contiguous() else moved.contiguous().clone()


class Layer(Protocol):
    """A mixer or a feed-forward layer; input and output are normed rows in the model's dtype."""

    @classmethod
    def shapes(cls, config: ModelConfig) -> Shapes:
        """Names below the layer's prefix, and the shapes the file must have."""
        ...

    def forward(self, x: Tensor, run: RunContext) -> Tensor:
        """x [tokens, hidden] to [tokens, hidden]."""
        ...

    def step(self, x: Tensor, run: RunContext) -> Tensor:
        """One token: x [hidden] to [hidden]."""
        ...

    def few(self, x: Tensor, run: DeviceRun) -> Tensor:
        """x [1 to 16 rows, hidden] to [rows, hidden] on a device, each with the bits of a step."""
        ...

    def tensors(self) -> tuple[Tensor, ...]:
        """Every weight the layer keeps, for counting bytes."""
        ...


Fused = Callable[[Tensor, RunContext], None]


@runtime_checkable
class Fusable(Protocol):
    """A layer that can run few rows whole: its norm, itself, and its output added."""

    def fused(self, norm: NormBefore) -> Fused | None:
        """Adds layer(norm(x)) to x [1 to 16 rows, hidden] float32; None without the library."""
        ...


@runtime_checkable
class Apart(Protocol):
    """A layer that can run few rows, each with the bits of a step."""

    def apart(self, x: Tensor) -> Tensor:
        """x [1 to 16 rows, hidden] to [rows, hidden] float32."""
        ...


@runtime_checkable
class Whole(Protocol):
    """A layer that can run any number of rows whole."""

    def whole(self, norm: NormBefore) -> Fused | None:
        """Adds layer(norm(x)) to x [rows, hidden] float32; None without the library."""
        ...


class LayerClass(Protocol):
    """The class of a layer; `index` counts the layers of its type from 0."""

    def __call__(self, config: ModelConfig, source: LayerSource, index: int) -> Layer: ...

    def shapes(self, config: ModelConfig) -> Shapes: ...
