"""Plain float32 versions of every operation, one obvious loop each: what the fast ones must equal.

None of these is fast and none is used by the engine. They do not mutate their inputs.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

L2_EPS = 1e-6


def gated_delta(
    q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor, beta: Tensor, state: Tensor
) -> tuple[Tensor, Tensor]:
    """The gated delta rule, token by token (Yang et al. 2024, equation 10).

    q, k: [tokens, key_heads, key_dim], not normalised; v: [tokens, value_heads, value_dim];
    log_decay, beta: [tokens, value_heads]; state: [value_heads, key_dim, value_dim].
    Returns the outputs [tokens, value_heads, value_dim] and the final state, both float32.
    """
    repeat = v.shape[1] // k.shape[1]
    q, k, v = q.float(), k.float(), v.float()
    q = q / (q.square().sum(-1, keepdim=True) + L2_EPS).sqrt() * q.shape[-1] ** -0.5
    k = k / (k.square().sum(-1, keepdim=True) + L2_EPS).sqrt()
    q, k = q.repeat_interleave(repeat, 1), k.repeat_interleave(repeat, 1)
    out = torch.zeros_like(v)
    state = state.float().clone()
    for t in range(v.shape[0]):
        state = state * log_decay[t].float().exp()[:, None, None]
        predicted = torch.einsum("hk,hkv->hv", k[t], state)
        delta = (v[t] - predicted) * beta[t].float()[:, None]
        state = state + torch.einsum("hk,hv->hkv", k[t], delta)
        out[t] = torch.einsum("hk,hkv->hv", q[t], state)
    return out, state


def causal_conv(x: Tensor, window: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Depthwise causal convolution and SiLU.

    x: [tokens, channels]; window: the kernel - 1 rows before x, oldest first;
    weight: [kernel, channels]. Returns [tokens, channels] float32 and the next window.
    """
    kernel = weight.shape[0]
    rows = torch.cat((window, x)).float()
    out = torch.stack([(rows[t : t + kernel] * weight.float()).sum(0) for t in range(x.shape[0])])
    return out * out.sigmoid(), torch.cat((window, x))[-(kernel - 1) :]


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Causal attention of the last rows of a sequence over all of it.

    q: [tokens, heads, dim]; k, v: [all_tokens, kv_heads, dim], the last row of q stands at the
    last row of k. Returns [tokens, heads, dim] float32.
    """
    tokens, total, repeat = q.shape[0], k.shape[0], q.shape[1] // k.shape[1]
    k = k.float().repeat_interleave(repeat, 1)
    v = v.float().repeat_interleave(repeat, 1)
    out = torch.empty(q.shape, dtype=torch.float32)
    for t in range(tokens):
        seen = total - tokens + t + 1
        scores = torch.einsum("hd,shd->hs", q[t].float(), k[:seen]) * q.shape[-1] ** -0.5
        out[t] = torch.einsum("hs,shd->hd", scores.softmax(-1), v[:seen])
    return out


def gather(plane: Tensor, runs: Sequence[tuple[int, int]]) -> Tensor:
    """Rows of plane [kv_heads, slots, dim] in the order of `runs`: [tokens, kv_heads, dim]."""
    slots = [slot for first, length in runs for slot in range(first, first + length)]
    return torch.stack([plane[:, slot] for slot in slots])


def rms_norm(x: Tensor, scale: Tensor, eps: float) -> Tensor:
    """x [..., dim] over its root mean square, times scale [dim]; float32."""
    wide = x.float()
    return wide / (wide.square().mean(-1, keepdim=True) + eps).sqrt() * scale.float()


def gated_rms_norm(x: Tensor, gate: Tensor, scale: Tensor, eps: float) -> Tensor:
    """`rms_norm(x)` times SiLU of the gate [..., dim]; float32."""
    wide = gate.float()
    return rms_norm(x, scale, eps) * wide * wide.sigmoid()


def rope(x: Tensor, positions: Tensor, rotary_dim: int, theta: float) -> Tensor:
    """Rotate the leading `rotary_dim` dims of x [tokens, heads, dim], pairs (2i, 2i + 1)."""
    out = x.float().clone()
    for pair in range(rotary_dim // 2):
        angle = positions.float() * (1.0 / theta ** (2 * pair / rotary_dim))
        cos, sin = angle.cos()[:, None], angle.sin()[:, None]
        a, b = x[..., 2 * pair].float(), x[..., 2 * pair + 1].float()
        out[..., 2 * pair] = a * cos - b * sin
        out[..., 2 * pair + 1] = b * cos + a * sin
    return out


def swiglu(gate_up: Tensor) -> Tensor:
    """SiLU of the first half of the last dimension times the second half; float32."""
    gate, up = gate_up.float().chunk(2, dim=-1)
    return gate * gate.sigmoid() * up
