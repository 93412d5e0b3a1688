"""Writes of new keys and values to their slots of the pool, both in one launch."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor


def write_slots(k: Tensor, v: Tensor, keys: Tensor, values: Tensor, slots: Tensor) -> None:
    """Write rows k, v [tokens, kv_heads, dim] to their slots of the pool, in its dtype.

    keys, values: [kv_heads, pool_slots, dim]; slots: [tokens] int32, all different; rows whose
    slot is negative are skipped. Rows may be strided except in their last dimension.
    """
    tokens, kv_heads, dim = k.shape
    assert v.shape == k.shape, "keys and values differ in shape"
    assert slots.shape == (tokens,), "slots and rows differ in number"
    assert slots.dtype == torch.int32, "slots are 32-bit integers"
    assert slots.is_contiguous(), "slots are not contiguous"
    assert keys.shape == values.shape, "the pool's planes differ in shape"
    assert keys.shape[::2] == (kv_heads, dim), "rows and pool differ in shape"
    for x in (k, v, keys, values):
        assert x.stride(-1) == 1, "dims are not contiguous"
    _write[(tokens,)](
        k,
        v,
        keys,
        values,
        slots,
        *k.stride()[:2],
        *v.stride()[:2],
        *keys.stride()[:2],
        *values.stride()[:2],
        KV_HEADS=kv_heads,
        DIM=dim,
        HEADS=triton.next_power_of_2(kv_heads),
        WIDTH=triton.next_power_of_2(dim),
        num_warps=4,
    )


@triton.jit  # type: ignore[untyped-decorator]
def _write(
    k: tl.tensor,
    v: tl.tensor,
    keys: tl.tensor,
    values: tl.tensor,
    slots: tl.tensor,
    k_token: tl.tensor,
    k_head: tl.tensor,
    v_token: tl.tensor,
    v_head: tl.tensor,
    keys_head: tl.tensor,
    keys_slot: tl.tensor,
    values_head: tl.tensor,
    values_slot: tl.tensor,
    KV_HEADS: tl.constexpr,
    DIM: tl.constexpr,
    HEADS: tl.constexpr,
    WIDTH: tl.constexpr,
) -> None:
    token = tl.program_id(0).to(tl.int64)
    slot = tl.load(slots + token).to(tl.int64)
    head = tl.arange(0, HEADS).to(tl.int64)[:, None]
    d = tl.arange(0, WIDTH)[None, :]
    inside = (head < KV_HEADS) & (d < DIM)
    key = tl.load(k + token * k_token + head * k_head + d, mask=inside, other=0.0)
    value = tl.load(v + token * v_token + head * v_head + d, mask=inside, other=0.0)
    if slot >= 0:
        tl.store(keys + head * keys_head + slot * keys_slot + d, key, mask=inside)
        tl.store(values + head * values_head + slot * values_slot + d, value, mask=inside)
