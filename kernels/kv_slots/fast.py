"""Copies of keys and values out of their slots of a pool and into them, by runs and by slots."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from kernels.kv_slots.runs import Run


def gather_runs(plane: Tensor, runs: Sequence[Run]) -> Tensor:
    """Copy the runs of plane [kv_heads, slots, dim] into one [kv_heads, tokens, dim] tensor."""
    return torch.cat([plane[:, first : first + length] for first, length in runs], dim=1)


def write_runs(plane: Tensor, rows: Tensor, runs: Sequence[Run]) -> None:
    """Write rows [tokens, kv_heads, dim] to their slots of plane [kv_heads, slots, dim]."""
    at = 0
    for first, length in runs:
        plane[:, first : first + length].copy_(rows[at : at + length].transpose(0, 1))
        at += length
    assert at == rows.shape[0], "rows and slots differ in number"


def write_slots(k: Tensor, v: Tensor, keys: Tensor, values: Tensor, slots: Tensor) -> None:
    """Write rows k, v [tokens, kv_heads, dim] to slots [tokens] of keys, values, in place."""
    order = slots.long()
    keys.index_copy_(1, order, k.transpose(0, 1))
    values.index_copy_(1, order, v.transpose(0, 1))
