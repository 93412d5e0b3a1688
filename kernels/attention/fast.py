"""Attention with PyTorch's own products, tuned for a CPU: for many tokens, and for one.

Prefill reads a single run in place and gathers several; decode reads every run in place and merges
the parts by their log-sum-exp. With `gather` both copy the sequence into a workspace first, so that
results do not depend on where its slots are.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.cpu import fast_bfloat16
from kernels.kv_slots import Extent, gather_extents


def attend(
    q: Tensor, keys: Tensor, values: Tensor, extents: Sequence[Extent], gather: bool
) -> Tensor:
    """Causal attention of the last rows of a sequence over all of it, own rows included.

    q: [tokens, heads, dim], at the last `tokens` positions; keys, values: the pool;
    extents: the whole sequence, coalesced. Returns [tokens, heads, dim] in q's dtype.
    """
    if gather or len(extents) > 1:
        k, v = gather_extents(keys, extents), gather_extents(values, extents)
    else:
        first, length = extents[0]
        k, v = keys[:, first : first + length], values[:, first : first + length]
    if q.device.type == "cpu" and q.dtype != torch.float32 and not fast_bfloat16():
        return _rows(q.float(), k.float(), v.float()).to(q.dtype)
    return _rows(q, k, v)


def _rows(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """The same with k, v [kv_heads, tokens, dim] of the whole sequence."""
    tokens, prefix = q.shape[0], k.shape[1] - q.shape[0]
    if tokens > 1 and prefix and q.device.type == "cpu":
        return _after_prefix(q, k, v, prefix)
    mask = None
    if tokens > 1 and prefix:
        mask = torch.ones(tokens, prefix + tokens, dtype=torch.bool, device=q.device).tril_(prefix)
    out = F.scaled_dot_product_attention(
        q.transpose(0, 1).unsqueeze(0),
        k.unsqueeze(0),
        v.unsqueeze(0),
        attn_mask=mask,
        is_causal=mask is None and tokens > 1,
        enable_gqa=True,
    )
    return out[0].transpose(0, 1)


def _after_prefix(q: Tensor, k: Tensor, v: Tensor, prefix: int) -> Tensor:
    """Attention of q [tokens, heads, dim] over a prefix visible to all of it, and over itself.

    The two parts are merged by their log-sum-exp: masking both would cost a pass over every score.
    """
    rows = q.transpose(0, 1).unsqueeze(0)
    parts, sizes = [], []
    for part, causal in ((slice(0, prefix), False), (slice(prefix, None), True)):
        out, size = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
            rows, k[:, part].unsqueeze(0), v[:, part].unsqueeze(0), is_causal=causal
        )
        parts.append(out[0].float())
        sizes.append(size[0].float())
    share = torch.stack(sizes).softmax(0).unsqueeze(-1)
    merged: Tensor = parts[0].mul_(share[0]).addcmul_(parts[1], share[1])
    return merged.to(q.dtype).transpose(0, 1)


def attend_row(
    q: Tensor, keys: Tensor, values: Tensor, extents: Sequence[Extent], gather: bool
) -> Tensor:
    """Attention of the newest token q [heads, dim] over the sequence `extents`: [heads, dim].

    On a CPU the prefix is never copied unless `gather` is set.
    """
    grouped = q.view(1, keys.shape[0], -1, q.shape[-1])
    if gather or (len(extents) > 1 and q.device.type != "cpu"):
        k, v = gather_extents(keys, extents), gather_extents(values, extents)
        return _row(grouped, k, v)
    if len(extents) == 1:
        first, length = extents[0]
        return _row(grouped, keys[:, first : first + length], values[:, first : first + length])
    parts, sizes = [], []
    for first, length in extents:
        part, size = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
            grouped,
            keys[:, first : first + length].unsqueeze(0),
            values[:, first : first + length].unsqueeze(0),
        )
        parts.append(part)
        sizes.append(size)
    share = torch.stack(sizes).softmax(0).unsqueeze(-1)
    merged = (torch.stack(parts).float() * share).sum(0)
    return merged.view(q.shape).to(q.dtype)


def _row(grouped: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Attention of grouped [1, kv_heads, group, dim] over k, v [kv_heads, tokens, dim]."""
    out = F.scaled_dot_product_attention(grouped, k.unsqueeze(0), v.unsqueeze(0))
    return out.reshape(-1, out.shape[-1])


def attend_few(q: Tensor, keys: Tensor, values: Tensor, slots: Tensor, lengths: Tensor) -> Tensor:
    """Attention of each row over the first of `slots`, by masking the rest.

    q: [rows, heads, dim]; keys, values: [kv_heads, pool_slots, dim]; slots: [capacity] int32, all
    within the pool; lengths: [rows] int32, how many of them each row sees, its own included.
    Returns [rows, heads, dim] in q's dtype, each with the bits that it has alone.
    """
    order = slots.long()
    place = torch.arange(slots.shape[0], device=slots.device)
    found = []
    for row, length in zip(q, lengths.split(1), strict=True):
        seen = place < length
        # Values past the length may be NaN, which a mask alone would let through.
        k, v = (
            plane.index_select(1, order).masked_fill_(~seen.view(1, -1, 1), 0.0)
            for plane in (keys, values)
        )
        grouped = row.reshape(1, keys.shape[0], -1, q.shape[-1])
        out = F.scaled_dot_product_attention(
            grouped, k.unsqueeze(0), v.unsqueeze(0), attn_mask=seen.view(1, 1, 1, -1)
        )
        found.append(out.reshape(row.shape))
    return torch.stack(found)
