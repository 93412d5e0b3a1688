"""The gated delta rule, token by token in float32: the reference for the fast versions."""

from __future__ import annotations

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
