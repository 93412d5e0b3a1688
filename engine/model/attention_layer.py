"""The full-attention layer with an output gate."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from engine.model.config import ModelConfig
from engine.model.few_rows import DeviceRun, joined
from engine.model.layer import Fused, LayerSource, Rows, RunContext, Shapes
from kernels.attention import attend_row
from kernels.attention.layer import AttentionShape, FusedAttention, fused_attention
from kernels.attention.native import turn_heads_
from kernels.kv_slots import write_extents
from kernels.matmul import fields_of, project_few
from kernels.native.layers import MixerEnds, NormBefore, mixer_ends
from kernels.norms import root_scale
from kernels.rope import pair_order, rotate_


class AttentionLayer:
    """Grouped-query attention with q/k norms, partial rotary and a sigmoid gate.

    Source: Qwen3_5Attention in transformers' modeling_qwen3_5.py. The file's q_proj holds, per
    head, the query rows and then the gate rows; here one matrix holds all queries, keys, values,
    gates in that order. Heads are stored with rotary pairs adjacent (`kernels.rope`).
    """

    def __init__(self, config: ModelConfig, source: LayerSource, index: int) -> None:
        self._config = config
        self._index, self._dtype = index, source.dtype
        self._shape = AttentionShape(
            config.heads, config.kv_heads, config.head_dim, config.rotary_dim, source.dtype
        )
        order = pair_order(config.head_dim, config.rotary_dim)
        self._inputs = source.stacked("self_attn.inputs", *_input_rows(config, order))
        self._output = source.matrix("self_attn.o_proj.weight")
        scales = [
            source.norm(f"self_attn.{name}_norm.weight")[order].expand(count, -1)
            for name, count in (("q", config.heads), ("k", config.kv_heads))
        ]
        self._scales = source.keep(torch.cat(scales))
        heads, shared = config.heads * config.head_dim, config.kv_heads * config.head_dim
        self._splits = (heads + shared, shared, heads)

    @classmethod
    def shapes(cls, config: ModelConfig) -> Shapes:
        hidden, dim = config.hidden_size, config.head_dim
        return {
            "self_attn.q_proj.weight": (2 * config.heads * dim, hidden),
            "self_attn.k_proj.weight": (config.kv_heads * dim, hidden),
            "self_attn.v_proj.weight": (config.kv_heads * dim, hidden),
            "self_attn.o_proj.weight": (hidden, config.heads * dim),
            "self_attn.q_norm.weight": (dim,),
            "self_attn.k_norm.weight": (dim,),
        }

    def forward(self, x: Tensor, run: RunContext) -> Tensor:
        qk, value, gate = self._inputs.project(x).split_with_sizes(self._splits, dim=-1)
        by_head = (x.shape[0], -1, self._config.head_dim)
        q, k = self._turned(qk.view(by_head), run.rope)
        v = value.view(by_head)
        keys, values = run.kv.k[self._index], run.kv.v[self._index]
        write_extents(keys, k[run.skip :], run.writes)
        write_extents(values, v[run.skip :], run.writes)
        out = run.kernels.attend(q, keys, values, run.extents, run.gather)
        gated = out.reshape(gate.shape) * gate.sigmoid()
        return self._output.project(gated)

    def step(self, x: Tensor, run: RunContext) -> Tensor:
        qk, value, gate = self._inputs.project_row(x).split_with_sizes(self._splits)
        q, k = self._turned(qk.view(-1, self._config.head_dim), run.rope[0])
        keys, values = run.kv.k[self._index], run.kv.v[self._index]
        for first, _ in run.writes:
            keys[:, first] = k
            values[:, first] = value.view(k.shape)
        out = attend_row(q, keys, values, run.extents, run.gather)
        return self._output.project_row(out.view(-1).mul_(gate.sigmoid()))

    def few(self, x: Tensor, run: DeviceRun) -> Tensor:
        config, ops = self._config, run.ops
        rows = project_few(self._inputs, x)
        qk, value, gate = rows.split_with_sizes(self._splits, dim=-1)
        by_head = (len(x), -1, config.head_dim)
        normed = ops.norm(qk.view(by_head), self._scales, config.eps, torch.float32)
        turned = rotate_(normed, run.rope).to(x.dtype)
        q, k = turned.split_with_sizes((config.heads, config.kv_heads), dim=1)
        v = value.view(by_head)
        keys, values = run.kv.k[self._index], run.kv.v[self._index]
        parts = []
        for one, at in run.each():
            ops.write(k[at], v[at], keys, values, one.written)
            parts.append(ops.attend(q[at], keys, values, one.slots, one.lengths))
        out = joined(parts).view(gate.shape)
        return project_few(self._output, out * gate.sigmoid())

    def fused(self, norm: NormBefore) -> Fused | None:
        """See Fusable."""
        matrices = fields_of(self._inputs), fields_of(self._output)
        whole = fused_attention(norm, self._shape, self._scales, *matrices)
        return None if whole is None else partial(self._few, whole)

    def _few(self, whole: FusedAttention, x: Tensor, run: RunContext) -> None:
        keys, values = run.kv.k[self._index], run.kv.v[self._index]
        apart = [(one.extents, len(one.tokens)) for one in run.apart]
        sequences = apart or [(run.extents, run.tokens)]
        whole(x, keys, values, sequences, run.rope, run.skip, alone=bool(apart))

    def whole(self, norm: NormBefore) -> Fused | None:
        """See Whole."""
        ends = mixer_ends(norm, fields_of(self._inputs), fields_of(self._output), self._dtype)
        return partial(self._many, ends) if ends is not None and self._shape.fits else None

    def _many(self, ends: MixerEnds, x: Tensor, run: RunContext) -> None:
        config = self._config
        qk, value, gate = ends.enter(x).split_with_sizes(self._splits, dim=-1)
        by_head = (x.shape[0], -1, config.head_dim)
        heads = qk.view(by_head)
        keys, values = run.kv.k[self._index], run.kv.v[self._index]
        turn_heads_(
            ends.library,
            heads,
            value.view(by_head),
            keys,
            values,
            run.extents,
            skip=run.skip,
            scales=self._scales,
            rope=run.rope,
            eps=config.eps,
        )
        out = run.kernels.attend(heads[:, : config.heads], keys, values, run.extents, run.gather)
        ends.leave_gated(out.view(gate.shape), gate, x)

    def turned_keys(self, keys: Tensor, rope: Tensor) -> Tensor:
        """Norm and rotate keys [..., kv_heads, dim] alone."""
        return self._rotated(keys, self._scales[self._config.heads :], rope)

    def _turned(self, qk: Tensor, rope: Tensor) -> tuple[Tensor, Tensor]:
        """Norm and rotate qk [..., heads + kv_heads, dim]; queries and keys in its dtype."""
        turned = self._rotated(qk, self._scales, rope)
        q, k = turned.split_with_sizes((self._config.heads, self._config.kv_heads), dim=-2)
        return q, k

    def _rotated(self, x: Tensor, scales: Tensor, rope: Tensor) -> Tensor:
        wide = x.float()
        normed = torch.mul(wide, root_scale(wide, self._config.eps)).mul_(scales)
        return rotate_(normed, rope).to(x.dtype)

    def tensors(self) -> tuple[Tensor, ...]:
        return (*self._inputs.tensors(), *self._output.tensors(), self._scales)


def _input_rows(config: ModelConfig, order: Tensor) -> tuple[Rows, ...]:
    """Rows for all queries, keys, values, gates. order: of the dimensions of a head."""
    dim = config.head_dim
    query = _of_heads(torch.arange(config.heads) * 2, order, dim)
    gate = _of_heads(torch.arange(config.heads) * 2 + 1, torch.arange(dim), dim)
    return (
        Rows("self_attn.q_proj.weight", query),
        *key_value_rows(config),
        Rows("self_attn.q_proj.weight", gate),
    )


def key_value_rows(config: ModelConfig) -> tuple[Rows, ...]:
    """Rows for all keys and values."""
    order = pair_order(config.head_dim, config.rotary_dim)
    keys = _of_heads(torch.arange(config.kv_heads), order, config.head_dim)
    return Rows("self_attn.k_proj.weight", keys), Rows("self_attn.v_proj.weight")


def _of_heads(heads: Tensor, order: Tensor, dim: int) -> Tensor:
    """The rows of these heads, those of each in `order`."""
    return (heads.unsqueeze(1) * dim + order).flatten()
