"""Causal attention, token by token in float32: the reference for the fast versions."""

from __future__ import annotations

import torch
from torch import Tensor


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Causal attention of the last rows of a sequence over all of it.

    q: [tokens, heads, dim]; k, v: [all_tokens, kv_heads, dim]; the last rows of q and k are the
    same token. Returns [tokens, heads, dim] float32.
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
