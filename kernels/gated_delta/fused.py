"""Convolution and gated delta rule for many tokens on a CPU, in one pass over blocks of them.

The convolution's float32 tiles stay in the second-level cache; from there queries and keys are
normalised to unit length and written by head, rounded once, in the layout the chunked rule reads.
They are not rounded if the processor is only fast at float32.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.causal_conv import window_after
from kernels.cpu import fast_bfloat16
from kernels.gated_delta.fast import delta_chunks

CHUNK = 64
# Blocks bound the working set; results do not depend on them, since chunks are independent.
BLOCK_TOKENS = 512
TILE_TOKENS, TILE_CHANNELS = 256, 1024
UNIT_EPS = 1e-6


def conv_delta(
    x: Tensor, window: Tensor, taps: Tensor, log_decay: Tensor, beta: Tensor, state: Tensor
) -> Tensor:
    """Run tokens through both; a tail shorter than 64 is a separate chunk.

    x: [tokens, channels] in the model's dtype: queries, keys, values by head;
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

    Queries also carry the factor key_dim ** -0.5. x holds whole chunks.
    """
    heads, key_dim, value_dim = state_shape
    tokens, channels = x.shape
    key_width = (channels - heads * value_dim) // 2
    count, key_heads = tokens // chunk, key_width // key_dim
    dtype = x.dtype if fast_bfloat16() else torch.float32
    queries, keys = (torch.empty(count, key_heads, chunk, key_dim, dtype=dtype) for _ in range(2))
    values = torch.empty(count, heads, chunk, value_dim, dtype=dtype)
    # Whole chunks, at least one.
    step = max(TILE_TOKENS // chunk, 1)
    for at in range(0, count, step):
        chunks = slice(at, at + step)
        rows = x[at * chunk : (at + step) * chunk]
        window = window_after(x, before, at * chunk)
        for out, first, scale in (
            (queries[chunks], 0, key_dim**-0.5),
            (keys[chunks], key_width, 1.0),
            (values[chunks], 2 * key_width, None),
        ):
            _convolve(rows[:, first:], window[:, first:], taps[:, first:], scale, out)
    return queries, keys, values


def _convolve(x: Tensor, before: Tensor, taps: Tensor, unit: float | None, out: Tensor) -> None:
    """Convolve the channels of `out` [chunks, heads, chunk, dim], a few heads at a time.

    x, before and taps start with those channels. Each head's row is normalised to length `unit`, or
    left unchanged if that is None.
    """
    count, heads, chunk, dim = out.shape
    tokens, kept = x.shape[0], before.shape[0]
    group = max(TILE_CHANNELS // dim, 1)
    for first in range(0, heads, group):
        some = out[:, first : first + group]
        part = slice(first * dim, first * dim + some.shape[1] * dim)
        rows = torch.empty(kept + tokens, some.shape[1] * dim)
        rows[:kept] = before[:, part]
        rows[kept:] = x[:, part]
        total = rows[:tokens] * taps[0, part]
        for tap in range(1, kept + 1):
            total.addcmul_(rows[tap : tap + tokens], taps[tap, part])
        by_head = F.silu(total, inplace=True).view(count, chunk, -1, dim)
        if unit is not None:
            length = torch.linalg.vector_norm(by_head, dim=-1, keepdim=True)
            by_head.mul_(length.square_().add_(UNIT_EPS).rsqrt_().mul_(unit))
        some.copy_(by_head.transpose(1, 2))
