"""The Qwen3.5 text architecture for training: whole sequences, differentiable, plain torch.

Parameter names are those of the published checkpoints, so `state_dict` is the file content.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from assets.demo.delta import delta_rule
from assets.demo.fused import CausalConvSilu, RmsScale, UnitScale
from assets.demo.shape import Shape


class CenteredNorm(nn.Module):
    """RMS norm whose stored weight is its scale minus one."""

    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(size))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return RmsScale.apply(x, 1.0 + self.weight.float(), self.eps)


class GatedNorm(nn.Module):
    """RMS norm with a plain weight, multiplied by silu of a gate."""

    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x: Tensor, gate: Tensor) -> Tensor:
        return RmsScale.apply(x, self.weight.float(), self.eps) * F.silu(gate)


class Linear(nn.Linear):
    """A bias-free projection whose float32 master weight is cast to the input's dtype."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(inputs, outputs, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight.to(x.dtype))


class CausalConv(nn.Module):
    """silu of a depthwise causal convolution over tokens."""

    def __init__(self, channels: int, kernel: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(channels, 1, kernel))

    def forward(self, x: Tensor) -> Tensor:
        return CausalConvSilu.apply(x, self.weight[:, 0])


class DeltaMixer(nn.Module):
    """Gated DeltaNet layer: [batch, tokens, hidden] to the same."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        keys = shape.linear_key_heads * shape.linear_key_dim
        values = shape.linear_value_heads * shape.linear_value_dim
        self.sizes = (keys, keys, values)
        self.in_proj_qkv = Linear(shape.hidden, 2 * keys + values)
        self.in_proj_z = Linear(shape.hidden, values)
        self.in_proj_b = Linear(shape.hidden, shape.linear_value_heads)
        self.in_proj_a = Linear(shape.hidden, shape.linear_value_heads)
        self.conv1d = CausalConv(2 * keys + values, shape.conv_kernel)
        self.A_log = nn.Parameter(torch.zeros(shape.linear_value_heads))
        self.dt_bias = nn.Parameter(torch.ones(shape.linear_value_heads))
        self.norm = GatedNorm(shape.linear_value_dim, shape.eps)
        self.out_proj = Linear(values, shape.hidden)

    def forward(self, x: Tensor, chunk: int) -> Tensor:
        shape, lead = self.shape, x.shape[:2]
        mixed = self.conv1d(self.in_proj_qkv(x))
        query, key, value = mixed.split(self.sizes, dim=-1)
        by_key = (*lead, shape.linear_key_heads, shape.linear_key_dim)
        by_value = (*lead, shape.linear_value_heads, shape.linear_value_dim)
        query = UnitScale.apply(query.reshape(by_key), shape.linear_key_dim**-0.5)
        key = UnitScale.apply(key.reshape(by_key), 1.0)
        beta = self.in_proj_b(x).float().sigmoid()
        rate = F.softplus(self.in_proj_a(x).float() + self.dt_bias.float())
        log_decay = -self.A_log.float().exp() * rate
        out = delta_rule(query, key, value.reshape(by_value), log_decay, beta, chunk)
        out = self.norm(out, self.in_proj_z(x).view(by_value))
        return self.out_proj(out.reshape(*lead, -1))


class Attention(nn.Module):
    """Full attention with grouped keys, q/k norms, partial rotary and an output gate."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.q_proj = Linear(shape.hidden, 2 * shape.heads * shape.head_dim)
        self.k_proj = Linear(shape.hidden, shape.kv_heads * shape.head_dim)
        self.v_proj = Linear(shape.hidden, shape.kv_heads * shape.head_dim)
        self.o_proj = Linear(shape.heads * shape.head_dim, shape.hidden)
        self.q_norm = CenteredNorm(shape.head_dim, shape.eps)
        self.k_norm = CenteredNorm(shape.head_dim, shape.eps)

    def rotate(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """Rotate the leading rotary dimensions of x [batch, heads, tokens, head_dim]."""
        first, second, rest = x.split(
            [cos.shape[-1], cos.shape[-1], x.shape[-1] - 2 * cos.shape[-1]], dim=-1
        )
        return torch.cat((first * cos - second * sin, second * cos + first * sin, rest), dim=-1)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        shape, lead = self.shape, x.shape[:2]
        query, gate = self.q_proj(x).view(*lead, shape.heads, 2 * shape.head_dim).chunk(2, dim=-1)
        key = self.k_proj(x).view(*lead, shape.kv_heads, shape.head_dim)
        value = self.v_proj(x).view(*lead, shape.kv_heads, shape.head_dim).transpose(1, 2)
        query = self.rotate(self.q_norm(query).transpose(1, 2), cos, sin)
        key = self.rotate(self.k_norm(key).transpose(1, 2), cos, sin)
        groups = shape.heads // shape.kv_heads
        # Plain products: the fused CPU attention's backward takes four times as long at this size.
        scores = query.reshape(lead[0], shape.kv_heads, -1, shape.head_dim) @ key.mT
        scores = scores.view(*query.shape[:3], -1).mul_(shape.head_dim**-0.5)
        later = torch.ones(lead[1], lead[1], dtype=torch.bool).triu_(1)
        shares = scores.masked_fill_(later, -torch.inf).softmax(-1)
        out = shares.view(lead[0], shape.kv_heads, groups * lead[1], -1) @ value
        out = out.view(query.shape)
        out = out.transpose(1, 2) * gate.sigmoid()
        return self.o_proj(out.reshape(*lead, -1))


class Mlp(nn.Module):
    """Gated feed-forward layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.gate_proj = Linear(shape.hidden, shape.intermediate)
        self.up_proj = Linear(shape.hidden, shape.intermediate)
        self.down_proj = Linear(shape.intermediate, shape.hidden)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    """One pre-norm block."""

    def __init__(self, shape: Shape, kind: str) -> None:
        super().__init__()
        self.kind = kind
        if kind == "linear_attention":
            self.linear_attn = DeltaMixer(shape)
        else:
            self.self_attn = Attention(shape)
        self.mlp = Mlp(shape)
        self.input_layernorm = CenteredNorm(shape.hidden, shape.eps)
        self.post_attention_layernorm = CenteredNorm(shape.hidden, shape.eps)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, chunk: int) -> Tensor:
        normed = self.input_layernorm(x)
        if self.kind == "linear_attention":
            x = x + self.linear_attn(normed, chunk)
        else:
            x = x + self.self_attn(normed, cos, sin)
        return x + self.mlp(self.post_attention_layernorm(x))


class Decoder(nn.Module):
    """Embedding, layers and final norm."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(shape.vocab, shape.hidden)
        self.layers = nn.ModuleList(Layer(shape, kind) for kind in shape.layer_types)
        self.norm = CenteredNorm(shape.hidden, shape.eps)


class Network(nn.Module):
    """The whole model with tied embeddings.

    Attributes:
        shape: sizes.
        model: the decoder; the name matches the checkpoint's prefix.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.model = Decoder(shape)

    def hidden(self, ids: Tensor, dtype: torch.dtype, chunk: int = 64) -> Tensor:
        """Final normed rows [batch, tokens, hidden] of ids [batch, tokens], computed in `dtype`."""
        tokens = ids.shape[1]
        padded = F.pad(ids, (0, -tokens % chunk))
        pairs = self.shape.rotary_dim // 2
        frequency = self.shape.rope_theta ** -(torch.arange(pairs).float() / pairs)
        angles = torch.arange(padded.shape[1]).float()[:, None] * frequency
        cos, sin = angles.cos().to(dtype), angles.sin().to(dtype)
        x = self.model.embed_tokens(padded).to(dtype)
        for layer in self.model.layers:
            x = layer(x, cos, sin, chunk)
        return self.model.norm(x)[:, :tokens]

    def logits(self, rows: Tensor) -> Tensor:
        """Vocabulary logits of rows [..., hidden], in the rows' dtype."""
        return F.linear(rows, self.model.embed_tokens.weight.to(rows.dtype))


def initialise(network: Network, seed: int) -> None:
    """Fill every parameter deterministically, with decays spread over short and long memories."""
    draw = torch.Generator().manual_seed(seed)
    depth_scale = (2 * network.shape.layers) ** -0.5
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if name.endswith("A_log"):
                parameter.copy_(torch.empty_like(parameter).uniform_(1, 8, generator=draw).log())
            elif name.endswith("dt_bias"):
                # Steps log-uniform in [1e-3, 0.1]: the inverse of softplus gives the bias.
                low, high = math.log(1e-3), math.log(0.1)
                step = torch.empty_like(parameter).uniform_(low, high, generator=draw).exp()
                parameter.copy_(step + torch.log(-torch.expm1(-step)))
            elif name.endswith("conv1d.weight"):
                parameter.uniform_(-0.4, 0.4, generator=draw)
            elif name.endswith("embed_tokens.weight"):
                parameter.normal_(0, 0.02, generator=draw)
            elif parameter.dim() == 2:
                scale = parameter.shape[1] ** -0.5
                if name.endswith(("out_proj.weight", "o_proj.weight", "down_proj.weight")):
                    scale *= depth_scale
                parameter.normal_(0, scale, generator=draw)
