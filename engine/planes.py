"""The memory of the two planes: pools of slots, allocated once and never zeroed as a whole."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kernels.state_copy import copy_slot, zero_slot

LIVE_SLOT = 0


@dataclass(frozen=True, slots=True)
class KVPlane:
    """Keys and values of the full-attention layers, one slot per token.

    Attributes:
        k, v: [full_layers, kv_heads, slots, head_dim] in the model's dtype.
    """

    k: Tensor
    v: Tensor

    @classmethod
    def allocate(
        cls, shape: tuple[int, int, int, int], dtype: torch.dtype, device: torch.device
    ) -> KVPlane:
        """A plane of `shape` [full_layers, kv_heads, slots, head_dim], contents undefined."""
        return cls(*(torch.empty(shape, dtype=dtype, device=device) for _ in range(2)))

    @property
    def slots(self) -> int:
        return self.k.shape[2]

    @property
    def nbytes(self) -> int:
        return self.k.nbytes + self.v.nbytes

    @property
    def slot_bytes(self) -> int:
        return self.nbytes // max(self.slots, 1)


@dataclass(frozen=True, slots=True)
class StatePlane:
    """Recurrent states of the linear layers, one slot per checkpoint; slot 0 is the live one.

    Attributes:
        delta: [slots, linear_layers, value_heads, key_dim, value_dim] float32.
        conv: [slots, linear_layers, kernel - 1, channels] in the model's dtype: the last rows of
            the convolution's input, oldest first.
        hidden: [slots, hidden] in the model's dtype: the final normed row at the state's position.
    """

    delta: Tensor
    conv: Tensor
    hidden: Tensor

    @classmethod
    def allocate(
        cls,
        delta: tuple[int, int, int, int, int],
        conv: tuple[int, int, int, int],
        hidden: tuple[int, int],
        dtype: torch.dtype,
        device: torch.device,
    ) -> StatePlane:
        """A plane of those shapes, contents undefined but for the live slot, which is zero."""
        plane = cls(
            torch.empty(delta, dtype=torch.float32, device=device),
            torch.empty(conv, dtype=dtype, device=device),
            torch.empty(hidden, dtype=dtype, device=device),
        )
        plane.zero(LIVE_SLOT)
        return plane

    @property
    def slots(self) -> int:
        return self.delta.shape[0]

    @property
    def nbytes(self) -> int:
        return self.delta.nbytes + self.conv.nbytes + self.hidden.nbytes

    @property
    def slot_bytes(self) -> int:
        return self.nbytes // self.slots

    def copy(self, source: int, target: int) -> None:
        """Copy one slot over another: fork, donate and copy on write."""
        for pool in (self.delta, self.conv, self.hidden):
            copy_slot(pool, source, target)

    def zero(self, slot: int) -> None:
        """Make the slot the state before the first token."""
        for pool in (self.delta, self.conv, self.hidden):
            zero_slot(pool, slot)
