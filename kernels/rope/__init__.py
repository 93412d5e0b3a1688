"""Partial rotary position embedding."""

from kernels.rope.fast import RopeTable, pair_order, rotate_

__all__ = ["RopeTable", "pair_order", "rotate_"]
