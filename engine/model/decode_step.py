"""One decoded token on fixed buffers: everything that differs between tokens is in tensors.

The same arithmetic as the layers' own `step`, but with the slot, position and length read on the
device, so that one recording serves every token. Nothing here may make the host wait (`.item()`,
`.tolist()`) or branch on a tensor.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor

from engine.model.attention_layer import AttentionLayer
from engine.model.linear_layer import LinearLayer
from engine.model.mlp import DenseMlp, gated_row
from engine.planes import LIVE_SLOT, KVPlane, StatePlane
from kernels.embedding import DenseEmbedding, Int8Embedding
from kernels.matmul import Matrix, stays_on_device
from kernels.step_ops import StepOps

if TYPE_CHECKING:
    from engine.model.hybrid import HybridModel


@dataclass(frozen=True, slots=True)
class StepBuffers:
    """A step's inputs and outputs besides weights and planes, at fixed addresses.

    Attributes:
        token, position, new_slot: [1] int64; the slot is the KV's of the new token.
        fresh: [1] int32, the same slot, written by the step.
        slots: [capacity] int32, the KV slot of every position before; the step adds the new one.
        length: [1] int32, tokens of the sequence with the new one; written by the step.
        rope: [capacity, rotary_dim / 2] complex64, by position.
        logits: [vocab] float32, written by the step.
    """

    token: Tensor
    position: Tensor
    new_slot: Tensor
    fresh: Tensor
    slots: Tensor
    length: Tensor
    rope: Tensor
    logits: Tensor


class DecodeStep:
    """A model's step over given planes, the live state slot in place."""

    def __init__(
        self,
        model: HybridModel,
        kv: KVPlane,
        states: StatePlane,
        buffers: StepBuffers,
        ops: StepOps,
    ) -> None:
        self._model, self._buffers, self._ops = model, buffers, ops
        self._keys, self._values = tuple(kv.k), tuple(kv.v)
        self._delta, self._conv, self._hidden = states.parts(LIVE_SLOT)

    @torch.inference_mode()
    def __call__(self) -> None:
        """Apply the token in the buffers. Mutates the live state, one KV slot and the buffers."""
        model, buffers = self._model, self._buffers
        buffers.fresh.copy_(buffers.new_slot)
        buffers.slots.index_copy_(0, buffers.position, buffers.fresh)
        buffers.length.copy_(buffers.position + 1)
        rope = buffers.rope.index_select(0, buffers.position)[0]
        row = model._embedding.rows(buffers.token)[0]
        for block in model._blocks:
            norm = partial(self._norm, dtype=block._dtype)
            mixer, mlp = block._mixer, block._mlp
            assert isinstance(mlp, DenseMlp), "the step knows dense feed-forward layers only"
            x = norm(row, block._before_mixer)
            if isinstance(mixer, AttentionLayer):
                row.add_(self._attention(mixer, x, rope))
            else:
                assert isinstance(mixer, LinearLayer), "the step knows no such layer"
                row.add_(self._linear(mixer, x))
            x = norm(row, block._before_mlp)
            row.add_(gated_row(x, mlp._gate_up, mlp._down))
        last = self._norm(row, model._norm, dtype=model.dtype)
        self._hidden.copy_(last)
        buffers.logits.copy_(model._head.project_row(last))

    def _norm(self, x: Tensor, scale: Tensor, *, dtype: torch.dtype) -> Tensor:
        return self._ops.norm(x, scale, self._model.config.eps, dtype)

    def _attention(self, layer: AttentionLayer, x: Tensor, rope: Tensor) -> Tensor:
        buffers, ops, dim = self._buffers, self._ops, self._model.config.head_dim
        qk, value, gate = layer._inputs.project_row(x).split_with_sizes(layer._splits)
        q, k = layer._turned(qk.view(-1, dim), rope)
        keys, values = self._keys[layer._index], self._values[layer._index]
        ops.write(k.unsqueeze(0), value.view(1, -1, dim), keys, values, buffers.fresh)
        out = ops.attend(q, keys, values, buffers.slots, buffers.length)
        return layer._output.project_row(out.view(-1).mul_(gate.sigmoid()))

    def _linear(self, layer: LinearLayer, x: Tensor) -> Tensor:
        config, ops, index = self._model.config, self._ops, layer._index
        heads, width = config.linear_value_heads, config.value_width
        row = layer._inputs.project_row(x)
        mixed, rest = row.split_with_sizes((config.conv_channels, width + 2 * heads))
        z, b, a = rest.float().split_with_sizes((width, heads, heads))
        convolved = ops.convolve(mixed, self._conv[index], layer._taps)
        qk, v = convolved.split_with_sizes((2 * config.key_width, width))
        decay = F.softplus(a + layer._step_bias).mul_(layer._speed).exp_()
        by_head = (heads, config.linear_value_dim)
        out = ops.delta(
            qk.view(2, config.linear_key_heads, config.linear_key_dim),
            v.view(by_head),
            decay.unsqueeze(1),
            b.sigmoid().unsqueeze(1),
            self._delta[index],
        )
        normed = ops.gated_norm(out, z.view(by_head), layer._norm, config.eps, x.dtype)
        return layer._output.project_row(normed.view(-1))


def steps_on_device(model: HybridModel) -> bool:
    """Whether a step of the model runs without the host.

    A mixture of experts does not: the host decides which experts run.
    """
    if not isinstance(model._embedding, DenseEmbedding | Int8Embedding):
        return False
    matrices: list[Matrix] = [model._head]
    for block in model._blocks:
        mixer, mlp = block._mixer, block._mlp
        if not isinstance(mlp, DenseMlp) or not isinstance(mixer, AttentionLayer | LinearLayer):
            return False
        matrices += (mixer._inputs, mixer._output, mlp._gate_up, mlp._down)
    return all(stays_on_device(matrix) for matrix in matrices)
