"""Convolution and gated delta rule of many tokens on a CPU, in one sweep over blocks of them.

The convolution's float32 rows of 64 tokens stay in the second-level cache; from there queries and
keys are brought to unit length and written by head, once rounded, as the chunked rule reads them.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.causal_conv import window_after
from kernels.gated_delta import delta_chunks

CHUNK = 64
# Blocks bound the working set; chunks are independent of them, so results do not depend on it.
BLOCK_TOKENS = 512
UNIT_EPS = 1e-6


def conv_delta(
    x: Tensor, window: Tensor, taps: Tensor, log_decay: Tensor, beta: Tensor, state: Tensor
) -> Tensor:
    """Run tokens through both; the tail shorter than 64 is one chunk of its own.

    x: [tokens, channels] in the model's dtype, channels are queries, keys, values by head;
    window: the kernel - 1 rows before x, oldest first; taps: [kernel, channels] float32;
    log_decay, beta: [tokens, value_heads] float32;
    state: [value_heads, key_dim, value_dim] float32, mutated in place.
    Returns [tokens, value_heads, value_dim] in x's dtype. Does not mutate the window.
    """
    tokens = x.shape[0]
    heads, _, value_dim = state.shape
    out = torch.empty(tokens, heads, value_dim, dtype=x.dtype)
    whole = tokens - tokens % CHUNK
    parts = [(s, min(s + BLOCK_TOKENS, whole), CHUNK) for s in range(0, whole, BLOCK_TOKENS)]
    if whole < tokens:
        parts.append((whole, tokens, tokens - whole))
    for first, end, chunk in parts:
        before = window_after(x, window, first)
        queries, keys, values = _by_head(x[first:end], before, taps, state.shape, chunk)
        found = delta_chunks(queries, keys, values, log_decay[first:end], beta[first:end], state)
        count = (end - first) // chunk
        shape = (count, chunk, heads, value_dim)
        out[first:end].view(shape).copy_(found.transpose(1, 2))
    return out


def _by_head(
    x: Tensor, before: Tensor, taps: Tensor, state_shape: torch.Size, chunk: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Convolved queries and keys of unit length, and values: [chunks, heads, chunk, dim] each.

    Queries carry the factor key_dim ** -0.5 too. x holds whole chunks.
    """
    heads, key_dim, value_dim = state_shape
    tokens, channels = x.shape
    kept, count = before.shape[0], tokens // chunk
    key_width = (channels - heads * value_dim) // 2
    key_heads = key_width // key_dim
    queries, keys = (x.new_empty(count, key_heads, chunk, key_dim) for _ in range(2))
    values = x.new_empty(count, heads, chunk, value_dim)
    rows = torch.empty(chunk + kept, channels)
    total = torch.empty(chunk, channels)
    for at in range(count):
        first = at * chunk
        rows[:kept] = window_after(x, before, first)
        rows[kept:] = x[first : first + chunk]
        torch.mul(rows[:chunk], taps[0], out=total)
        for tap in range(1, kept + 1):
            total.addcmul_(rows[tap : tap + chunk], taps[tap])
        F.silu(total, inplace=True)
        both = total[:, : 2 * key_width].view(chunk, 2, key_heads, key_dim)
        length = torch.linalg.vector_norm(both, dim=-1, keepdim=True)
        scale = length.square_().add_(UNIT_EPS).rsqrt_()
        scale[:, 0].mul_(key_dim**-0.5)
        both.mul_(scale)
        queries[at].copy_(both[:, 0].transpose(0, 1))
        keys[at].copy_(both[:, 1].transpose(0, 1))
        value = total[:, 2 * key_width :].view(chunk, heads, value_dim)
        values[at].copy_(value.transpose(0, 1))
    return queries, keys, values
