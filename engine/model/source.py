"""The source of a layer's tensors while it is built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import torch
from torch import Tensor

from kernels.matmul import DenseMatrix, Matrix

if TYPE_CHECKING:
    from engine.model.expert_pool import ExpertPool

Build = Callable[[], Tensor]


class MatrixMaker(Protocol):
    """Converts the weights of a checkpoint to the format in which they run."""

    def make(self, key: str, build: Build) -> Matrix:
        """The matrix kept under `key`, unique in the model; `build` gives [outputs, inputs]."""
        ...

    def lacks(self, key: str) -> bool:
        """Whether making that matrix while the model loads saves work later."""
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
class LayerSource:
    """The tensors of one layer.

    Attributes:
        read: tensor of that name below the layer's own prefix, as stored.
        part: the same, but only a slice of its first dimension; may be called after loading.
        dtype, device: of the weights that are kept.
        maker: converts large matrices to their format.
        experts: the pool of routed experts.
        prefix: of the layer, unique in the model.
    """

    read: Callable[[str], Tensor]
    part: Callable[[str, int], Tensor]
    dtype: torch.dtype
    device: torch.device
    maker: MatrixMaker
    experts: ExpertPool
    prefix: str

    def matrix(self, *names: str) -> Matrix:
        """The named matrices [outputs, inputs] one above the other."""
        return self.made(names[0], lambda: self.rows(*names))

    def made(self, name: str, build: Build) -> Matrix:
        """A matrix assembled by `build`, stored under `name`."""
        return self.maker.make(self.prefix + name, build)

    def rows(self, *names: str) -> Tensor:
        """The named tensors one above the other, in the model's dtype, as a matrix's `build`."""
        parts = [self.read(name).to(self.dtype) for name in names]
        return parts[0] if len(parts) == 1 else torch.cat(parts)

    def small(self, name: str) -> Tensor:
        """A matrix too small or too sensitive for another format, in the model's dtype."""
        return own(self.read(name).to(self.dtype), self.device)

    def scale(self, name: str, plus: float = 0.0) -> Tensor:
        """A small tensor in float32, `plus` added (norm weights are stored minus one)."""
        return own(self.read(name).float() + plus, self.device)

    def keep(self, tensor: Tensor) -> Tensor:
        """A contiguous tensor on the device that does not alias the file."""
        return own(tensor, self.device)


def own(tensor: Tensor, device: torch.device) -> Tensor:
    """A contiguous tensor on the device that keeps no larger one alive."""
    moved = tensor.to(device)
    alone = moved.untyped_storage().nbytes() == moved.nbytes
    return moved if alone and moved.is_contiguous() else moved.contiguous().clone()
