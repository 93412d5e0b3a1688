"""What a layer class is, and how layers of other families are added.

A family names one mixer class per layer type and one feed-forward class. Another family is new
classes and one more entry in `FAMILY_LAYERS`, not a change to the ones here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from engine.model.config import ModelConfig
from engine.model.run_context import RunContext

Shapes = dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class LayerSource:
    """Where a layer finds its tensors while it is built.

    Attributes:
        read: tensor of that name below the layer's own prefix, as stored.
        dtype, device: of the weights that are kept.
    """

    read: Callable[[str], Tensor]
    dtype: torch.dtype
    device: torch.device

    def weight(self, *names: str) -> Tensor:
        """The named matrices [outputs, inputs] one above the other, in the model's dtype."""
        parts = [self.read(name).to(self.dtype) for name in names]
        return self.keep(parts[0] if len(parts) == 1 else torch.cat(parts))

    def scale(self, name: str, plus: float = 0.0) -> Tensor:
        """A small tensor in float32, `plus` added (norm weights are stored minus one)."""
        return self.keep(self.read(name).float() + plus)

    def keep(self, tensor: Tensor) -> Tensor:
        """A contiguous tensor on the device that does not alias the file."""
        moved = tensor.to(self.device)
        return moved.clone(memory_format=torch.contiguous_format)


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

    def tensors(self) -> tuple[Tensor, ...]:
        """Every weight the layer keeps, for counting bytes."""
        ...


class LayerClass(Protocol):
    """The class of a layer; `index` counts the layers of its type from 0."""

    def __call__(self, config: ModelConfig, source: LayerSource, index: int) -> Layer: ...

    def shapes(self, config: ModelConfig) -> Shapes: ...
