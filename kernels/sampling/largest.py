"""The largest logits of a row: by the C kernels in one pass, or by PyTorch."""

from __future__ import annotations

import torch
from torch import Tensor

from kernels.native.library import library


def largest(logits: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The `count` largest of logits [vocab] float32, descending, and their ids.

    If any logit is NaN, the first value is NaN. Measured for 248,320 logits on a Xeon with AMX:
    0.04 ms for 20 of them where `torch.topk` takes 0.5.
    """
    found = library() if logits.device.type == "cpu" else None
    if found is None or logits.dtype != torch.float32 or not logits.is_contiguous():
        values, ids = torch.topk(logits, count)
        return values, ids
    values, ids = torch.empty(count), torch.empty(count, dtype=torch.long)
    found.call.biplane_largest(
        logits.data_ptr(), len(logits), count, values.data_ptr(), ids.data_ptr()
    )
    return values, ids
