"""One pre-norm block: a mixer and a feed-forward layer around a float32 residual."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.model.config import ModelConfig
from engine.model.few_rows import DeviceRun
from engine.model.layer import (
    Apart,
    Fusable,
    Fused,
    Layer,
    LayerClass,
    LayerSource,
    RunContext,
    Shapes,
    Whole,
)
from kernels.native.layers import NormBefore
from kernels.norms import rms_norm

NORMS = ("input_layernorm.weight", "post_attention_layernorm.weight")


def block_shapes(config: ModelConfig, mixer: LayerClass, mlp: LayerClass) -> Shapes:
    """Every tensor of a block and its shape in the file."""
    norms = dict.fromkeys(NORMS, (config.hidden_size,))
    return {**norms, **mixer.shapes(config), **mlp.shapes(config)}


class Block:
    """Norms and the residual stay float32: one rounding less per layer than bfloat16.

    Attributes:
        mixer, mlp: its layers, in this order.
        before_mixer, before_mlp: the scales of the norms before them.
    """

    def __init__(self, config: ModelConfig, source: LayerSource, mixer: Layer, mlp: Layer) -> None:
        self._eps, self._dtype = config.eps, source.dtype
        self.before_mixer, self.before_mlp = map(source.norm, NORMS)
        self.mixer, self.mlp = mixer, mlp
        self._fused_mixer = self._fused(mixer, self.before_mixer)
        self._whole_mixer = self._whole(mixer, self.before_mixer)
        self._fused_mlp = self._fused(mlp, self.before_mlp)
        self._whole_mlp = self._whole(mlp, self.before_mlp)

    def forward(self, x: Tensor, run: RunContext) -> Tensor:
        """x [tokens, hidden] float32, changed in place and returned."""
        fuses = run.kernels.fuses
        if self._whole_mixer and fuses:
            self._whole_mixer(x, run)
        else:
            self._add(self.mixer, self.before_mixer, x, run)
        if self._whole_mlp and fuses:
            self._whole_mlp(x, run)
        else:
            self._add(self.mlp, self.before_mlp, x, run)
        return x

    def few(self, x: Tensor, run: RunContext) -> Tensor:
        """The same for 1 to 16 tokens: whole layers in one call each, if possible."""
        if self._fused_mixer:
            self._fused_mixer(x, run)
        else:
            self._add(self.mixer, self.before_mixer, x, run)
        if self._fused_mlp:
            self._fused_mlp(x, run)
        else:
            self._add(self.mlp, self.before_mlp, x, run)
        return x

    def few_on_device(self, x: Tensor, run: DeviceRun) -> Tensor:
        """The same on a device, each row with the bits of a step."""
        for layer, scale in ((self.mixer, self.before_mixer), (self.mlp, self.before_mlp)):
            x.add_(layer.few(run.ops.norm(x, scale, self._eps, self._dtype), run))
        return x

    @property
    def runs_apart(self) -> bool:
        """Whether `few` can give each row the bits of a step: see RunContext.apart."""
        mlp = self._fused_mlp is not None or isinstance(self.mlp, Apart)
        return self._fused_mixer is not None and mlp

    def _add(self, layer: Layer, scale: Tensor, x: Tensor, run: RunContext) -> Tensor:
        if run.apart:
            assert isinstance(layer, Apart), "the layer cannot run rows apart"
            # One by one, as in a step: the norm of several rows may have other bits.
            return x.add_(layer.apart(torch.stack([self._norm(row, scale) for row in x])))
        if run.tokens > 1:
            return x.add_(layer.forward(self._norm(x, scale), run))
        row = x[0]
        row.add_(layer.step(self._norm(row, scale), run))
        return x

    def _fused(self, layer: Layer, scale: Tensor) -> Fused | None:
        if scale.device.type != "cpu" or not isinstance(layer, Fusable):
            return None
        return layer.fused(NormBefore(scale, self._eps))

    def _whole(self, layer: Layer, scale: Tensor) -> Fused | None:
        if scale.device.type != "cpu" or not isinstance(layer, Whole):
            return None
        return layer.whole(NormBefore(scale, self._eps))

    def _norm(self, x: Tensor, scale: Tensor) -> Tensor:
        return rms_norm(x, scale, self._eps, self._dtype)

    def tensors(self) -> tuple[Tensor, ...]:
        """Every weight of the block."""
        own = (self.before_mixer, self.before_mlp)
        return (*self.mixer.tensors(), *self.mlp.tensors(), *own)
