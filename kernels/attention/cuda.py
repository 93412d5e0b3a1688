"""Attention of many tokens on CUDA: our Triton kernel reads the slots in place.

Same signature as the package's `attend`. The kernel is imported on first use: it needs Triton.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from kernels.kv_slots import Extent


def attend(
    q: Tensor, keys: Tensor, values: Tensor, extents: Sequence[Extent], gather: bool
) -> Tensor:
    """As `kernels.attention.attend`; never gathers: the layout does not affect a bit here."""
    from kernels.attention.triton import attend_slots

    parts = [
        torch.arange(first, first + length, dtype=torch.int32, device=q.device)
        for first, length in extents
    ]
    return attend_slots(q, keys, values, torch.cat(parts))
