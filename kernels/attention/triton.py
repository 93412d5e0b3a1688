"""Causal attention over scattered token slots: many rows for prefill, few rows for decode.

Keys and values are read in place in the pool, through a list of slots in logical order, so a result
depends neither on the layout nor on how many rows run together.

Source: Dao, "FlashAttention-2" (2023); for few rows Dao et al., "Flash-Decoding" (2023).
"""

from __future__ import annotations

import math

import torch
import triton
import triton.language as tl
from torch import Tensor

# Programs of one row of a decode step over all key heads: enough to fill a large GPU. Independent
# of the length, so that one CUDA graph serves every length.
PROGRAMS = 128
MERGED_DIMS = 64
# The least number of rows of a tensor-core product.
MIN_ROWS = 16
# Scores are kept in base 2, where the exponential is one instruction.
LOG2_E = math.log2(math.e)


def attend_slots(q: Tensor, keys: Tensor, values: Tensor, slots: Tensor) -> Tensor:
    """Causal attention of the last rows of a sequence over all of it, own rows included.

    q: [tokens, heads, dim], at the last `tokens` positions, last dimension contiguous;
    keys, values: the pool, [kv_heads, pool_slots, dim] in q's dtype; slots: [total] int32, the
    slot of every position. Returns [tokens, heads, dim] in q's dtype.
    """
    tokens, heads, dim = q.shape
    kv_heads, total = keys.shape[0], slots.shape[0]
    assert 0 < tokens <= total, "more rows than positions"
    _check(q, keys, values, slots)
    group = heads // kv_heads
    rows, columns, warps = _tile(q)
    out = torch.empty(tokens, heads, dim, dtype=q.dtype, device=q.device)
    _attend_rows[(triton.cdiv(tokens * group, rows), kv_heads)](
        q,
        keys,
        values,
        slots,
        out,
        dim**-0.5 * LOG2_E,
        tokens,
        total,
        *q.stride()[:2],
        *keys.stride()[:2],
        *values.stride()[:2],
        GROUP=group,
        DIM=dim,
        WIDTH=_width(dim),
        ROWS=rows,
        COLUMNS=columns,
        num_warps=warps,
        num_stages=2,
    )
    return out


def attend_few(q: Tensor, keys: Tensor, values: Tensor, slots: Tensor, lengths: Tensor) -> Tensor:
    """Attention of few rows over a sequence, of which only the device knows what each may see.

    q: [rows, heads, dim]; keys, values: [kv_heads, pool_slots, dim] in q's dtype; slots: [capacity]
    int32, of which the first `lengths[i]` count for row i, including its own; lengths: [rows]
    int32, from 1 to capacity. Returns [rows, heads, dim] in q's dtype. Slots past the length are
    never read. Each row runs by itself, so it has the bits that it has alone.
    """
    rows, heads, dim = q.shape
    kv_heads = keys.shape[0]
    assert lengths.dtype == torch.int32, "lengths are 32-bit integers"
    assert lengths.shape == (rows,), "rows and lengths differ in number"
    assert lengths.is_contiguous(), "lengths are not contiguous"
    _check(q, keys, values, slots)
    group = heads // kv_heads
    splits = max(1, PROGRAMS // triton.next_power_of_2(kv_heads))
    columns = _row_columns(q)
    partial = torch.empty(rows, heads, splits, dim, dtype=torch.float32, device=q.device)
    sizes = torch.empty(rows, heads, splits, dtype=torch.float32, device=q.device)
    out = torch.empty(rows, heads, dim, dtype=q.dtype, device=q.device)
    _attend_split[(kv_heads, splits, rows)](
        q,
        keys,
        values,
        slots,
        lengths,
        partial,
        sizes,
        dim**-0.5 * LOG2_E,
        *q.stride()[:2],
        *keys.stride()[:2],
        *values.stride()[:2],
        GROUP=group,
        DIM=dim,
        WIDTH=_width(dim),
        ROWS=max(MIN_ROWS, triton.next_power_of_2(group)),
        COLUMNS=columns,
        num_warps=4,
        num_stages=2,
    )
    _merge_splits[(rows * heads, triton.cdiv(dim, MERGED_DIMS))](
        partial, sizes, out, SPLITS=splits, DIM=dim, WIDTH=MERGED_DIMS, num_warps=4
    )
    return out


def _check(q: Tensor, keys: Tensor, values: Tensor, slots: Tensor) -> None:
    assert q.shape[-2] % keys.shape[0] == 0, "query heads are not a multiple of key heads"
    assert q.dtype == keys.dtype == values.dtype, "queries, keys and values differ in dtype"
    assert q.stride(-1) == keys.stride(-1) == values.stride(-1) == 1, "dims are not contiguous"
    assert slots.dtype == torch.int32, "slots are 32-bit integers"
    assert slots.is_contiguous(), "slots are not contiguous"


def _width(dim: int) -> int:
    """Dims per program: Triton's blocks are powers of two."""
    return max(MIN_ROWS, triton.next_power_of_2(dim))  # type: ignore[no-any-return]


def _tile(q: Tensor) -> tuple[int, int, int]:
    """Rows, columns and warps of a prefill program.

    At dim 256 in 16 bits this takes 96 KiB of shared memory on Hopper and 68 KiB on Ampere, and
    spills no registers. Exact float32 products use no tensor cores, so they get small tiles.
    """
    if q.device.type == "cpu" or q.dtype == torch.float32:
        return MIN_ROWS, 16, 4
    return 64, 32, 8 if q.shape[-1] > 128 else 4


def _row_columns(q: Tensor) -> int:
    """Positions that a decode program reads at once."""
    if q.device.type == "cpu" or q.dtype == torch.float32:
        return 16
    return 32 if q.shape[-1] > 128 else 64


@triton.jit  # type: ignore[untyped-decorator]
def _attend_rows(
    q: tl.tensor,
    keys: tl.tensor,
    values: tl.tensor,
    slots: tl.tensor,
    out: tl.tensor,
    scale: tl.tensor,
    tokens: tl.tensor,
    total: tl.tensor,
    q_token: tl.tensor,
    q_head: tl.tensor,
    k_head: tl.tensor,
    k_slot: tl.tensor,
    v_head: tl.tensor,
    v_slot: tl.tensor,
    GROUP: tl.constexpr,
    DIM: tl.constexpr,
    WIDTH: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
) -> None:
    # The longest rows start first, so that no long one starts last.
    block = tl.num_programs(0) - 1 - tl.program_id(0)
    kv_head = tl.program_id(1).to(tl.int64)
    # The rows of one key head: all its query heads of a token, then those of the next token.
    row = block * ROWS + tl.arange(0, ROWS)
    token = row // GROUP
    head = kv_head * GROUP + row % GROUP
    d = tl.arange(0, WIDTH)
    inside = (token < tokens)[:, None] & (d < DIM)[None, :]
    query_at = token.to(tl.int64)[:, None] * q_token + head[:, None] * q_head + d[None, :]
    query = tl.load(q + query_at, mask=inside, other=0.0)
    position = total - tokens + token
    end = tl.minimum(total, total - tokens + (block * ROWS + ROWS - 1) // GROUP + 1)

    best = tl.full([ROWS], float("-inf"), tl.float32)
    weight = tl.full([ROWS], 0.0, tl.float32)
    sums = tl.full([ROWS, WIDTH], 0.0, tl.float32)
    for first in range(0, end, COLUMNS):
        column = first + tl.arange(0, COLUMNS)
        valid = column < total
        slot = tl.load(slots + column, mask=valid, other=0).to(tl.int64)
        wanted = valid[:, None] & (d < DIM)[None, :]
        key_at = kv_head * k_head + slot[:, None] * k_slot + d[None, :]
        key = tl.load(keys + key_at, mask=wanted, other=0.0)
        score = tl.dot(query, tl.trans(key), input_precision="ieee") * scale
        seen = valid[None, :] & (column[None, :] <= position[:, None])
        score = tl.where(seen, score, float("-inf"))
        higher = tl.maximum(best, tl.max(score, 1))
        share = tl.exp2(score - higher[:, None])
        fade = tl.exp2(best - higher)
        value_at = kv_head * v_head + slot[:, None] * v_slot + d[None, :]
        value = tl.load(values + value_at, mask=wanted, other=0.0)
        weight = weight * fade + tl.sum(share, 1)
        sums = sums * fade[:, None]
        sums += tl.dot(share.to(value.dtype), value, input_precision="ieee")
        best = higher
    heads = tl.num_programs(1) * GROUP
    out_at = (token.to(tl.int64)[:, None] * heads + head[:, None]) * DIM + d[None, :]
    tl.store(out + out_at, sums / weight[:, None], mask=inside)


@triton.jit  # type: ignore[untyped-decorator]
def _attend_split(
    q: tl.tensor,
    keys: tl.tensor,
    values: tl.tensor,
    slots: tl.tensor,
    lengths: tl.tensor,
    partial: tl.tensor,
    sizes: tl.tensor,
    scale: tl.tensor,
    q_row: tl.tensor,
    q_head: tl.tensor,
    k_head: tl.tensor,
    k_slot: tl.tensor,
    v_head: tl.tensor,
    v_slot: tl.tensor,
    GROUP: tl.constexpr,
    DIM: tl.constexpr,
    WIDTH: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
) -> None:
    kv_head = tl.program_id(0).to(tl.int64)
    split = tl.program_id(1)
    splits = tl.num_programs(1)
    of = tl.program_id(2).to(tl.int64)
    total = tl.load(lengths + of)
    span = tl.cdiv(tl.cdiv(total, COLUMNS), splits) * COLUMNS
    start = split * span
    end = tl.minimum(start + span, total)
    row = tl.arange(0, ROWS)
    head = kv_head * GROUP + row
    d = tl.arange(0, WIDTH)
    inside = (row < GROUP)[:, None] & (d < DIM)[None, :]
    query = tl.load(q + of * q_row + head[:, None] * q_head + d[None, :], mask=inside, other=0.0)

    best = tl.full([ROWS], float("-inf"), tl.float32)
    weight = tl.full([ROWS], 0.0, tl.float32)
    sums = tl.full([ROWS, WIDTH], 0.0, tl.float32)
    for first in range(start, end, COLUMNS):
        column = first + tl.arange(0, COLUMNS)
        valid = column < end
        slot = tl.load(slots + column, mask=valid, other=0).to(tl.int64)
        wanted = valid[:, None] & (d < DIM)[None, :]
        key_at = kv_head * k_head + slot[:, None] * k_slot + d[None, :]
        key = tl.load(keys + key_at, mask=wanted, other=0.0)
        score = tl.dot(query, tl.trans(key), input_precision="ieee") * scale
        score = tl.where(valid[None, :], score, float("-inf"))
        higher = tl.maximum(best, tl.max(score, 1))
        share = tl.exp2(score - higher[:, None])
        fade = tl.exp2(best - higher)
        value_at = kv_head * v_head + slot[:, None] * v_slot + d[None, :]
        value = tl.load(values + value_at, mask=wanted, other=0.0)
        weight = weight * fade + tl.sum(share, 1)
        sums = sums * fade[:, None]
        sums += tl.dot(share.to(value.dtype), value, input_precision="ieee")
        best = higher
    # A split past the end has a log-sum-exp of minus infinity and leaves its part unwritten.
    heads = tl.num_programs(0) * GROUP
    part = (of * heads + head) * splits + split
    tl.store(sizes + part, best + tl.log2(weight), mask=row < GROUP)
    part_at = part[:, None] * DIM + d[None, :]
    if start < end:
        tl.store(partial + part_at, sums / weight[:, None], mask=inside)


@triton.jit  # type: ignore[untyped-decorator]
def _merge_splits(
    partial: tl.tensor,
    sizes: tl.tensor,
    out: tl.tensor,
    SPLITS: tl.constexpr,
    DIM: tl.constexpr,
    WIDTH: tl.constexpr,
) -> None:
    head = tl.program_id(0).to(tl.int64)
    d = tl.program_id(1) * WIDTH + tl.arange(0, WIDTH)
    split = tl.arange(0, SPLITS)
    size = tl.load(sizes + head * SPLITS + split)
    share = tl.exp2(size - tl.max(size, 0))
    part_at = (head * SPLITS + split)[:, None] * DIM + d[None, :]
    wanted = (size > float("-inf"))[:, None] & (d < DIM)[None, :]
    part = tl.load(partial + part_at, mask=wanted, other=0.0)
    merged = tl.sum(part * share[:, None], 0) / tl.sum(share, 0)
    tl.store(out + head * DIM + d, merged, mask=d < DIM)
