"""The rows of a sequence, slot by slot: the reference for the fast copies."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def gather(plane: Tensor, extents: Sequence[tuple[int, int]]) -> Tensor:
    """Rows of plane [kv_heads, slots, dim] in the order of `extents`: [tokens, kv_heads, dim]."""
    slots = [slot for first, length in extents for slot in range(first, first + length)]
    return torch.stack([plane[:, slot] for slot in slots])
