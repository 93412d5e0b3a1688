"""Greedy generation with explicit state, in float32: a yardstick that knows no cache."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor

from assets.demo.network import Attention, DeltaMixer, Layer, Network
from assets.demo.template import render


@dataclass(slots=True)
class State:
    """What the layers remember of the tokens so far.

    Attributes:
        length: tokens so far.
        windows: per linear layer, the last conv inputs [kernel - 1, channels].
        deltas: per linear layer, the delta-rule state [value_heads, key_dim, value_dim].
        keys, values: per full layer, [heads, tokens, head_dim].
    """

    length: int = 0
    windows: dict[int, Tensor] = field(default_factory=dict)
    deltas: dict[int, Tensor] = field(default_factory=dict)
    keys: dict[int, Tensor] = field(default_factory=dict)
    values: dict[int, Tensor] = field(default_factory=dict)


def _linear_step(mixer: DeltaMixer, x: Tensor, state: State, index: int) -> Tensor:
    """One Gated DeltaNet layer over x [tokens, hidden], token by token."""
    shape, tokens = mixer.shape, x.shape[0]
    raw = mixer.in_proj_qkv(x)
    taps = mixer.conv1d.weight[:, 0]
    kernel = taps.shape[1]
    window = state.windows.get(index, raw.new_zeros(kernel - 1, raw.shape[1]))
    padded = torch.cat((window, raw))
    state.windows[index] = padded[-(kernel - 1) :]
    rows = (padded[tap : tap + tokens] * taps[:, tap] for tap in range(kernel))
    mixed = F.silu(sum(rows, start=torch.zeros_like(raw)))
    query, key, value = mixed.split(mixer.sizes, dim=-1)
    repeat = shape.linear_value_heads // shape.linear_key_heads

    def heads(part: Tensor) -> Tensor:
        part = part.view(tokens, shape.linear_key_heads, shape.linear_key_dim)
        part = part * torch.rsqrt(part.square().sum(-1, keepdim=True) + 1e-6)
        return part.repeat_interleave(repeat, dim=1)

    query, key = heads(query) * shape.linear_key_dim**-0.5, heads(key)
    value = value.view(tokens, shape.linear_value_heads, shape.linear_value_dim)
    beta = mixer.in_proj_b(x).sigmoid()
    decay = (-mixer.A_log.exp() * F.softplus(mixer.in_proj_a(x) + mixer.dt_bias)).exp()
    empty = x.new_zeros(shape.linear_value_heads, shape.linear_key_dim, shape.linear_value_dim)
    memory = state.deltas.get(index, empty)
    outs = []
    for token in range(tokens):
        memory = memory * decay[token, :, None, None]
        row = key[token].unsqueeze(1)
        change = (value[token].unsqueeze(1) - row @ memory) * beta[token, :, None, None]
        memory = memory + row.mT @ change
        outs.append((query[token].unsqueeze(1) @ memory).squeeze(1))
    state.deltas[index] = memory
    out = mixer.norm(torch.stack(outs), mixer.in_proj_z(x).view(value.shape))
    return mixer.out_proj(out.reshape(tokens, -1))


def _full_step(layer: Attention, x: Tensor, state: State, index: int, angles: Tensor) -> Tensor:
    """One full-attention layer over x [tokens, hidden] after the tokens in `state`."""
    shape, tokens = layer.shape, x.shape[0]
    query, gate = layer.q_proj(x).view(tokens, shape.heads, -1).chunk(2, dim=-1)
    key = layer.k_norm(layer.k_proj(x).view(tokens, shape.kv_heads, -1)).transpose(0, 1)
    value = layer.v_proj(x).view(tokens, shape.kv_heads, -1).transpose(0, 1)
    query = layer.rotate(layer.q_norm(query).transpose(0, 1), angles.cos(), angles.sin())
    key = layer.rotate(key, angles.cos(), angles.sin())
    if index in state.keys:
        key = torch.cat((state.keys[index], key), dim=1)
        value = torch.cat((state.values[index], value), dim=1)
    state.keys[index], state.values[index] = key, value
    groups = shape.heads // shape.kv_heads
    visible = torch.ones(tokens, key.shape[1], dtype=torch.bool).tril(state.length)
    out = F.scaled_dot_product_attention(
        query, key.repeat_interleave(groups, 0), value.repeat_interleave(groups, 0), visible
    )
    return layer.o_proj((out.transpose(0, 1) * gate.sigmoid()).reshape(tokens, -1))


@torch.inference_mode()
def advance(network: Network, ids: list[int], state: State) -> Tensor:
    """Logits [vocab] after `ids`; mutates `state`."""
    pairs = network.shape.rotary_dim // 2
    frequency = network.shape.rope_theta ** -(torch.arange(pairs).float() / pairs)
    places = torch.arange(state.length, state.length + len(ids)).float()
    angles = places[:, None] * frequency
    x = network.model.embed_tokens(torch.tensor(ids))
    for index, layer in enumerate(network.model.layers):
        assert isinstance(layer, Layer)
        normed = layer.input_layernorm(x)
        if layer.kind == "linear_attention":
            x = x + _linear_step(layer.linear_attn, normed, state, index)
        else:
            x = x + _full_step(layer.self_attn, normed, state, index, angles)
        x = x + layer.mlp(layer.post_attention_layernorm(x))
    state.length += len(ids)
    return network.logits(network.model.norm(x[-1]))


@dataclass(frozen=True, slots=True)
class Reply:
    """One generated answer; `stopped` is False where the token limit cut it off."""

    thinking: str
    content: str
    stopped: bool


def reply(
    network: Network,
    tokenizer: Tokenizer,
    messages: list[dict[str, str]],
    thinking: bool = False,
    limit: int = 160,
) -> Reply:
    """Greedy answer to `messages`, at most `limit` tokens."""
    prompt = render(messages, add_generation_prompt=True, enable_thinking=thinking)
    end, state = tokenizer.token_to_id("<|im_end|>"), State()
    made: list[int] = []
    logits = advance(network, tokenizer.encode(prompt).ids, state)
    while len(made) < limit and (token := int(logits.argmax())) != end:
        made.append(token)
        logits = advance(network, [token], state)
    text = tokenizer.decode(made, skip_special_tokens=False)
    thought, _, content = text.rpartition("</think>")
    return Reply(thought.strip(), content.strip(), len(made) < limit)
