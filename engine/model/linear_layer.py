"""The Gated DeltaNet layer."""

from __future__ import annotations

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from engine.model.config import ModelConfig
from engine.model.few_rows import DeviceRun, Stretch, joined
from engine.model.layer import Fused, LayerSource, Rows, RunContext, Shapes
from kernels.causal_conv import causal_conv_step
from kernels.gated_delta import Rule, ScanSplit
from kernels.matmul import fields_of, project_few
from kernels.native.fields import KeptFields
from kernels.native.kept import KeptRows
from kernels.native.layers import (
    FusedLinear,
    LinearShape,
    MixerEnds,
    NormBefore,
    fused_linear,
    mixer_ends,
)
from kernels.norms import gated_rms_norm


class LinearLayer:
    """Convolution, gated delta rule and gated norm; its state is in the state plane.

    Source: Qwen3_5GatedDeltaNet in transformers' modeling_qwen3_5.py. The four input projections
    are one matrix: rows for q, k, v (the convolution's channels), z, b, a.
    """

    def __init__(self, config: ModelConfig, source: LayerSource, index: int) -> None:
        self._config = config
        self._index, self._dtype = index, source.dtype
        self._inputs = source.stacked("linear_attn.inputs", *self._input_rows(config))
        self._taps = source.keep(source.read("linear_attn.conv1d.weight").float().squeeze(1).mT)
        self._speed = source.speed("linear_attn.A_log")
        self._step_bias = source.scale("linear_attn.dt_bias")
        self._norm = source.scale("linear_attn.norm.weight")
        self._output = source.matrix("linear_attn.out_proj.weight")
        self._rule = Rule(
            self._taps,
            self._speed,
            self._step_bias,
            self._norm,
            config.eps,
            config.linear_key_heads,
            config.linear_key_dim,
        )
        self._splits = (
            config.conv_channels,
            config.value_width,
            config.linear_value_heads,
            config.linear_value_heads,
        )

    @classmethod
    def _input_rows(cls, config: ModelConfig) -> tuple[Rows, ...]:
        """Rows for q, k, v, z, b, a."""
        return tuple(map(Rows, cls._input_shapes(config)))

    @classmethod
    def _input_shapes(cls, config: ModelConfig) -> Shapes:
        hidden, heads = config.hidden_size, config.linear_value_heads
        return {
            "linear_attn.in_proj_qkv.weight": (config.conv_channels, hidden),
            "linear_attn.in_proj_z.weight": (config.value_width, hidden),
            "linear_attn.in_proj_b.weight": (heads, hidden),
            "linear_attn.in_proj_a.weight": (heads, hidden),
        }

    @classmethod
    def shapes(cls, config: ModelConfig) -> Shapes:
        hidden, values = config.hidden_size, config.value_width
        heads, channels = config.linear_value_heads, config.conv_channels
        return {
            **cls._input_shapes(config),
            "linear_attn.conv1d.weight": (channels, 1, config.conv_kernel),
            "linear_attn.A_log": (heads,),
            "linear_attn.dt_bias": (heads,),
            "linear_attn.norm.weight": (config.linear_value_dim,),
            "linear_attn.out_proj.weight": (hidden, values),
        }

    def forward(self, x: Tensor, run: RunContext) -> Tensor:
        return self._output.project(self._swept(self._inputs.project(x), run))

    def _swept(self, rows: Tensor, run: RunContext) -> Tensor:
        """Everything between the projections: rows [tokens, outputs] to [tokens, values]."""
        states, index = run.states, self._index
        splits = [
            ScanSplit(after)
            if slot == run.live
            else ScanSplit(after, states.delta[slot][index], states.conv[slot][index])
            for after, slot in run.scan_splits
        ]
        state, window = states.delta[run.live][index], states.conv[run.live][index]
        return run.kernels.sweep(rows, self._rule, window, state, splits)

    def step(self, x: Tensor, run: RunContext) -> Tensor:
        config = self._config
        mixed, rest = self._inputs.project_row(x).split_with_sizes(
            (self._splits[0], sum(self._splits[1:]))
        )
        z, b, a = rest.float().split_with_sizes(self._splits[1:])
        convolved = causal_conv_step(mixed, run.states.conv[run.live][self._index], self._taps)
        qk, v = convolved.split_with_sizes((2 * config.key_width, config.value_width))
        decay = F.softplus(a + self._step_bias).mul_(self._speed).exp_()
        heads = (config.linear_value_heads, config.linear_value_dim)
        out = run.kernels.delta_step(
            qk.view(2, config.linear_key_heads, config.linear_key_dim),
            v.view(heads),
            decay.unsqueeze(1),
            b.sigmoid().unsqueeze(1),
            run.states.delta[run.live][self._index],
        )
        if run.scan_splits:
            slot = run.scan_splits[0][1]
            run.states.delta[slot][self._index].copy_(run.states.delta[run.live][self._index])
            run.states.conv[slot][self._index].copy_(run.states.conv[run.live][self._index])
        normed = gated_rms_norm(out, z.view(heads), self._norm, config.eps, x.dtype)
        return self._output.project_row(normed.view(-1))

    def few(self, x: Tensor, run: DeviceRun) -> Tensor:
        config, ops, index = self._config, run.ops, self._index
        mixed, z, b, a = project_few(self._inputs, x).split_with_sizes(self._splits, dim=-1)
        parts = []
        for one, at in run.each():
            kept, n = one.kept.layer(index), one.rows
            convolved, channels = kept.convolved[0, :n], kept.channels[0, :n]
            ops.convolve(mixed[at], one.conv[index], self._taps, convolved, channels)
            ops.rates(a[at], b[at], self._step_bias, self._speed, kept.rates[0, :n])
            state = one.delta[index : index + 1]
            parts.append(ops.delta(kept.convolved, kept.rates, state, n, keep=one.goes_on)[0])
        gate = z.unflatten(1, (config.linear_value_heads, config.linear_value_dim))
        normed = ops.gated_norm(joined(parts), gate, self._norm, config.eps, x.dtype)
        return project_few(self._output, normed.flatten(1))

    def fused(self, norm: NormBefore) -> Fused | None:
        """See Fusable."""
        config = self._config
        shape = LinearShape(
            config.linear_key_heads,
            config.linear_value_heads,
            config.linear_key_dim,
            config.linear_value_dim,
            self._dtype,
        )
        small = (self._taps, self._speed, self._step_bias, self._norm)
        matrices = fields_of(self._inputs), fields_of(self._output)
        whole = fused_linear(norm, shape, small, *matrices)
        return None if whole is None else partial(self._few, whole)

    def _few(self, whole: FusedLinear, x: Tensor, run: RunContext) -> None:
        index, delta, conv = self._index, run.states.delta, run.states.conv
        if run.apart:
            whole.apart(
                x,
                [
                    (
                        len(one.tokens),
                        delta[one.live][index],
                        conv[one.live][index],
                        _kept_fields(one, index),
                    )
                    for one in run.apart
                ],
            )
            return
        splits = [(after, delta[slot][index], conv[slot][index]) for after, slot in run.scan_splits]
        whole(x, delta[run.live][index], conv[run.live][index], splits)

    def whole(self, norm: NormBefore) -> Fused | None:
        """See Whole."""
        matrices = fields_of(self._inputs), fields_of(self._output)
        ends = mixer_ends(norm, *matrices, self._dtype)
        return None if ends is None else partial(self._many, ends)

    def _many(self, ends: MixerEnds, x: Tensor, run: RunContext) -> None:
        ends.leave(self._swept(ends.enter(x), run), x)

    def tensors(self) -> tuple[Tensor, ...]:
        small = (self._taps, self._speed, self._step_bias, self._norm)
        return (*self._inputs.tensors(), *self._output.tensors(), *small)


def _kept_fields(one: Stretch, index: int) -> KeptFields | None:
    """Where the C kernels keep the rows of a stretch, if they do."""
    if one.kept is None:
        return None
    assert isinstance(one.kept, KeptRows), "rows kept elsewhere"
    return one.kept.layer(index)


class GroupedLinearLayer(LinearLayer):
    """The same layer as Qwen3-Next stores it: two input projections, grouped per key head.

    Source: Qwen3NextGatedDeltaNet.fix_query_key_value_ordering in transformers'
    modeling_qwen3_next.py. Per key head: its query rows, its key rows, then the value rows and the
    z rows of all value heads it serves; and likewise b, then a.
    """

    @classmethod
    def _input_rows(cls, config: ModelConfig) -> tuple[Rows, ...]:
        return Rows(_QKVZ, grouped_qkvz(config)), Rows(_BA, grouped_ba(config))

    @classmethod
    def _input_shapes(cls, config: ModelConfig) -> Shapes:
        hidden = config.hidden_size
        return {
            _QKVZ: (config.conv_channels + config.value_width, hidden),
            _BA: (2 * config.linear_value_heads, hidden),
        }


def grouped_qkvz(config: ModelConfig) -> Tensor:
    """The rows of q, k, v, z in a matrix that holds all four per key head."""
    groups, dim = config.linear_key_heads, config.linear_key_dim
    wide = config.linear_value_heads // groups * config.linear_value_dim
    return _ungrouped(groups, (dim, dim, wide, wide))


def grouped_ba(config: ModelConfig) -> Tensor:
    """The rows of b, a in a matrix that holds both per key head."""
    served = config.linear_value_heads // config.linear_key_heads
    return _ungrouped(config.linear_key_heads, (served, served))


def _ungrouped(groups: int, parts: tuple[int, ...]) -> Tensor:
    """The rows of each part of all groups, where a group has these parts one after another."""
    rows = torch.arange(groups * sum(parts)).view(groups, -1)
    return torch.cat([part.flatten() for part in rows.split_with_sizes(parts, 1)])


_QKVZ, _BA = "linear_attn.in_proj_qkvz.weight", "linear_attn.in_proj_ba.weight"
