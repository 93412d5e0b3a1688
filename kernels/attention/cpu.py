"""Attention of many tokens on a CPU: the C kernel if there is one, else PyTorch's products.

Same signature as the package's `attend`.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from kernels.attention import fast
from kernels.attention.native import attend_many, supports
from kernels.kv_slots import Extent
from kernels.native.library import library


def attend(
    q: Tensor, keys: Tensor, values: Tensor, extents: Sequence[Extent], gather: bool
) -> Tensor:
    """As `kernels.attention.attend`; gathers only if there is no kernel."""
    found = library()
    if found is not None and supports(keys):
        return attend_many(found, q, keys, values, extents)
    return fast.attend(q, keys, values, extents, gather)
