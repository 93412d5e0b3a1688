"""Copying keys and values from and to their slots of a pool, by extents and by slots."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from kernels.kv_slots.extents import Extent


def gather_extents(plane: Tensor, extents: Sequence[Extent]) -> Tensor:
    """Copy the extents of plane [kv_heads, slots, dim] into one [kv_heads, tokens, dim] tensor."""
    return torch.cat([plane[:, first : first + length] for first, length in extents], dim=1)


def write_extents(plane: Tensor, rows: Tensor, extents: Sequence[Extent]) -> None:
    """Write rows [tokens, kv_heads, dim] to their slots of plane [kv_heads, slots, dim]."""
    at = 0
    for first, length in extents:
        plane[:, first : first + length].copy_(rows[at : at + length].transpose(0, 1))
        at += length
    assert at == rows.shape[0], "rows and slots differ in number"


def write_slots(k: Tensor, v: Tensor, keys: Tensor, values: Tensor, slots: Tensor) -> None:
    """Write rows k, v [tokens, kv_heads, dim] to slots [tokens] of keys, values, in place."""
    order = slots.long()
    keys.index_copy_(1, order, k.transpose(0, 1))
    values.index_copy_(1, order, v.transpose(0, 1))
