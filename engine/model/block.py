"""One pre-norm block: a mixer and a feed-forward layer around a float32 residual."""

from __future__ import annotations

from torch import Tensor

from engine.model.config import ModelConfig
from engine.model.layer import Layer, LayerClass, Shapes
from engine.model.run_context import RunContext
from engine.model.source import LayerSource
from kernels.norms import rms_norm

NORMS = ("input_layernorm.weight", "post_attention_layernorm.weight")


def block_shapes(config: ModelConfig, mixer: LayerClass, mlp: LayerClass) -> Shapes:
    """Every tensor of a block and its shape in the file."""
    norms = dict.fromkeys(NORMS, (config.hidden_size,))
    return {**norms, **mixer.shapes(config), **mlp.shapes(config)}


class Block:
    """Norms and the residual stay float32: one rounding less per layer than bfloat16."""

    def __init__(self, config: ModelConfig, source: LayerSource, mixer: Layer, mlp: Layer) -> None:
        self._eps, self._dtype = config.eps, source.dtype
        self._before_mixer, self._before_mlp = (source.scale(name, plus=1.0) for name in NORMS)
        self._mixer, self._mlp = mixer, mlp

    def forward(self, x: Tensor, run: RunContext) -> Tensor:
        """x [tokens, hidden] float32, changed in place and returned."""
        x.add_(self._mixer.forward(self._norm(x, self._before_mixer), run))
        return x.add_(self._mlp.forward(self._norm(x, self._before_mlp), run))

    def step(self, x: Tensor, run: RunContext) -> Tensor:
        """x [hidden] float32, changed in place and returned."""
        x.add_(self._mixer.step(self._norm(x, self._before_mixer), run))
        return x.add_(self._mlp.step(self._norm(x, self._before_mlp), run))

    def _norm(self, x: Tensor, scale: Tensor) -> Tensor:
        return rms_norm(x, scale, self._eps, self._dtype)

    def tensors(self) -> tuple[Tensor, ...]:
        """Every weight of the block."""
        own = (self._before_mixer, self._before_mlp)
        return (*self._mixer.tensors(), *self._mlp.tensors(), *own)
