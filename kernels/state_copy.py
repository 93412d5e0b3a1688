"""Copies between slots of a slot-major pool: fork, donate and copy on write."""

from __future__ import annotations

from torch import Tensor


def copy_slot(pool: Tensor, source: int, target: int) -> None:
    """Copy slot `source` of pool [slots, ...] over slot `target`; one contiguous copy."""
    assert source != target, "a slot was copied onto itself"
    pool[target].copy_(pool[source])


def zero_slot(pool: Tensor, slot: int) -> None:
    """Set slot `slot` of pool [slots, ...] to zero: the state before the first token."""
    pool[slot].zero_()
