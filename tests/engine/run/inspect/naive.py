"""An independent forward pass: weights from the file, the kernels' plain versions, no cache."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import Tensor

from kernels.attention.plain import attention
from kernels.causal_conv.plain import causal_conv
from kernels.gated_delta.plain import L2_EPS, gated_delta
from kernels.norms.plain import gated_rms_norm, rms_norm
from kernels.rope import pair_order
from kernels.rope.plain import rope

EPS = 1e-6


@dataclass(frozen=True, slots=True)
class FullRows:
    """q [tokens, heads, dim], k and v [tokens, kv_heads, dim], rotated."""

    q: Tensor
    k: Tensor
    v: Tensor


@dataclass(frozen=True, slots=True)
class LinearRows:
    """What the plain rule takes: q, k, v not normalised, log_decay and beta [tokens, heads]."""

    q: Tensor
    k: Tensor
    v: Tensor
    log_decay: Tensor
    beta: Tensor

    @property
    def start(self) -> Tensor:
        return torch.zeros(self.v.shape[1], self.k.shape[2], self.v.shape[2])

    def states(self, values: Tensor | None = None) -> list[Tensor]:
        """The state after each token; `values` in place of those of the model."""
        v, state, after = self.v if values is None else values, self.start, []
        for t in range(len(v)):
            row = slice(t, t + 1)
            _, state = gated_delta(
                self.q[row], self.k[row], v[row], self.log_decay[row], self.beta[row], state
            )
            after.append(state)
        return after

    def unit(self, rows: Tensor) -> Tensor:
        """Of unit length, a row per value head."""
        length = (rows.square().sum(-1, keepdim=True) + L2_EPS).sqrt()
        return (rows / length).repeat_interleave(self.v.shape[1] // rows.shape[1], 1)


@dataclass(slots=True)
class Naive:
    """What each layer saw.

    Attributes:
        layers: by layer.
    """

    layers: list[FullRows | LinearRows] = field(default_factory=list)

    def full(self, layer: int) -> FullRows:
        rows = self.layers[layer]
        assert isinstance(rows, FullRows)
        return rows

    def linear(self, layer: int) -> LinearRows:
        rows = self.layers[layer]
        assert isinstance(rows, LinearRows)
        return rows


def naive_forward(folder: Path, ids: Sequence[int]) -> Naive:
    """Run a dense Qwen3.5 folder over a sequence, in float32."""
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config = config.get("text_config", config)
    weights: dict[str, Tensor] = {}
    for file in sorted(folder.glob("*.safetensors")):
        weights |= load_file(file)
    named = {
        name.replace("model.language_model.", "model."): w.float() for name, w in weights.items()
    }
    x, found = named["model.embed_tokens.weight"][list(ids)], Naive()
    for layer in range(config["num_hidden_layers"]):
        lead = f"model.layers.{layer}."
        own = {n.removeprefix(lead): w for n, w in named.items() if n.startswith(lead)}
        h = rms_norm(x, 1 + own["input_layernorm.weight"], EPS)
        linear = "linear_attn.A_log" in own
        x = x + (_linear if linear else _full)(h, own, config, found)
        h = rms_norm(x, 1 + own["post_attention_layernorm.weight"], EPS)
        gate = F.linear(h, own["mlp.gate_proj.weight"])
        up = F.linear(h, own["mlp.up_proj.weight"])
        x = x + F.linear(F.silu(gate) * up, own["mlp.down_proj.weight"])
    return found


def _linear(h: Tensor, own: dict[str, Tensor], config: dict[str, Any], found: Naive) -> Tensor:
    def given(name: str) -> Tensor:
        return own[f"linear_attn.{name}"]

    taps = given("conv1d.weight").squeeze(1).T
    mixed = F.linear(h, given("in_proj_qkv.weight"))
    convolved, _ = causal_conv(mixed, torch.zeros(len(taps) - 1, mixed.shape[1]), taps)
    key_dim, value_dim = config["linear_key_head_dim"], config["linear_value_head_dim"]
    wide = config["linear_num_key_heads"] * key_dim
    q, k, v = convolved.split([wide, wide, mixed.shape[1] - 2 * wide], -1)
    slope = F.softplus(F.linear(h, given("in_proj_a.weight")) + given("dt_bias"))
    rows = LinearRows(
        q.unflatten(1, (-1, key_dim)),
        k.unflatten(1, (-1, key_dim)),
        v.unflatten(1, (-1, value_dim)),
        -given("A_log").exp() * slope,
        F.linear(h, given("in_proj_b.weight")).sigmoid(),
    )
    found.layers.append(rows)
    out, _ = gated_delta(rows.q, rows.k, rows.v, rows.log_decay, rows.beta, rows.start)
    z = F.linear(h, given("in_proj_z.weight")).view(out.shape)
    return F.linear(
        gated_rms_norm(out, z, given("norm.weight"), EPS).flatten(1), given("out_proj.weight")
    )


def _full(h: Tensor, own: dict[str, Tensor], config: dict[str, Any], found: Naive) -> Tensor:
    dim = config["head_dim"]
    rotary = int(dim * config["rope_parameters"]["partial_rotary_factor"])
    order, places = pair_order(dim, rotary), torch.arange(len(h))

    def turned(rows: Tensor, norm: str) -> Tensor:
        normed = rms_norm(rows, 1 + own[f"self_attn.{norm}.weight"], EPS)
        return rope(normed[..., order], places, rotary, config["rope_parameters"]["rope_theta"])

    q, gate = F.linear(h, own["self_attn.q_proj.weight"]).unflatten(1, (-1, 2, dim)).unbind(2)
    k, v = (
        F.linear(h, own[f"self_attn.{name}_proj.weight"]).unflatten(1, (-1, dim)) for name in "kv"
    )
    rows = FullRows(turned(q, "q_norm"), turned(k, "k_norm"), v)
    found.layers.append(rows)
    out = attention(rows.q, rows.k, rows.v) * gate.sigmoid()
    return F.linear(out.flatten(1), own["self_attn.o_proj.weight"])
