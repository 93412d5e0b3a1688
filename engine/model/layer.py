"""What a layer class is, and how layers of other families are added.

A family names one mixer class per layer type and one feed-forward class. Another family is new
classes and one more entry in `FAMILY_LAYERS`, not a change to the ones here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from torch import Tensor

from engine.model.config import ModelConfig
from engine.model.run_context import RunContext
from engine.model.source import LayerSource
from kernels.native.layers import NormBefore

Shapes = dict[str, tuple[int, ...]]


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


Fused = Callable[[Tensor, RunContext], None]


@runtime_checkable
class Fusable(Protocol):
    """A layer that can run few rows whole: its norm, itself, and its output added."""

    def fused(self, norm: NormBefore) -> Fused | None:
        """Adds layer(norm(x)) to x [1 to 16 rows, hidden] float32; None without the library."""
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
