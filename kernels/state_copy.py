"""Copies between the slots of a state plane: fork, donate and copy on write."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor


def copy_slot(pool: Tensor | Sequence[Tensor], source: int, target: int) -> None:
    """Copy slot `source` of a pool of equal buffers to slot `target`; one contiguous copy."""
    assert source != target, "a slot was copied onto itself"
    pool[target].copy_(pool[source])


def zero_slot(pool: Tensor | Sequence[Tensor], slot: int) -> None:
    """Zero a slot: the state before the first token."""
    pool[slot].zero_()
