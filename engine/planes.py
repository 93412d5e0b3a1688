"""The memory of the two planes: pools of slots that can grow and shrink while the engine is open.

Memory is never zeroed as a whole: a page that was never written costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.cache.extents import Extents, aligned
from kernels.state_copy import copy_slot, zero_slot

LIVE_SLOT = 0
# The last buffer of a state plane takes states that have no slot; a resize never moves it.
SINK_SLOT = -1


class KVPlane:
    """Keys and values of the full-attention layers, one slot per token.

    One tensor per layer, so that a resize needs twice the memory of one layer, not of all.

    Attributes:
        k, v: one per full layer, [kv_heads, slots, head_dim] in the model's dtype.
    """

    def __init__(
        self,
        shape: tuple[int, int, int, int],
        dtype: torch.dtype,
        device: torch.device,
        *,
        pinned: bool = False,
    ) -> None:
        """A plane of `shape` [full_layers, kv_heads, slots, head_dim], contents undefined."""
        layers, self._heads, self.slots, self._dim = shape
        self._dtype, self._device, self._pinned = dtype, device, pinned
        self.k = [self._empty(self.slots) for _ in range(layers)]
        self.v = [self._empty(self.slots) for _ in range(layers)]

    @property
    def parts(self) -> tuple[Tensor, ...]:
        """The keys of every layer, then the values."""
        return (*self.k, *self.v)

    @property
    def slot_bytes(self) -> int:
        """Bytes of one token's keys and values."""
        return 2 * len(self.k) * self._heads * self._dim * self._dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.slots * self.slot_bytes

    def resize(self, slots: int) -> None:
        """Keep the contents of the first min(old, new) slots.

        If memory runs out the allocator's error is raised, and `slots` is what every layer has.
        """
        kept = self.slots = min(slots, self.slots)
        for layers in (self.k, self.v):
            for at, old in enumerate(layers):
                new = self._empty(slots)
                new[:, :kept] = old[:, :kept]
                layers[at] = new
        self.slots = slots

    def move(self, moves: Iterable[tuple[Extents, Extents]]) -> None:
        """Copy extents of slots to others of equal length; sources and targets do not overlap."""
        for sources, targets in moves:
            for first, second, length in aligned(sources, targets):
                for part in self.parts:
                    part[:, second : second + length] = part[:, first : first + length]

    def _empty(self, slots: int) -> Tensor:
        return torch.empty(
            (self._heads, slots, self._dim),
            dtype=self._dtype,
            device=self._device,
            pin_memory=self._pinned,
        )


@dataclass(frozen=True, slots=True)
class StateShape:
    """The parts of one state slot.

    Attributes:
        delta: (linear_layers, value_heads, key_dim, value_dim), float32.
        conv: (linear_layers, kernel - 1, channels), in `dtype`.
        hidden: (hidden,), in `dtype`.
        dtype: the model's.
    """

    delta: tuple[int, int, int, int]
    conv: tuple[int, int, int]
    hidden: tuple[int]
    dtype: torch.dtype

    @property
    def nbytes(self) -> int:
        small = math.prod(self.conv) + math.prod(self.hidden)
        return 4 * math.prod(self.delta) + small * self.dtype.itemsize


class StatePlane:
    """Recurrent states of the linear layers, one slot per checkpoint; slot 0 is the live one.

    Each slot is a separate buffer: a checkpoint is one contiguous copy, and growing or shrinking
    the plane moves nothing. After the slots comes the sink, SINK_SLOT, which has no owner.

    Attributes:
        delta: by slot, [linear_layers, value_heads, key_dim, value_dim] float32.
        conv: by slot, [linear_layers, kernel - 1, channels] in the model's dtype: the last rows of
            the convolution's input, oldest first.
        hidden: by slot, [hidden] in the model's dtype: the final normed row at its position.
    """

    def __init__(self, shape: StateShape, slots: int, device: torch.device) -> None:
        """A plane of `slots` slots, contents undefined except the live slot, which is zero."""
        self.shape = shape
        self._device = device
        self._buffers: list[Tensor] = []
        self.delta: list[Tensor] = []
        self.conv: list[Tensor] = []
        self.hidden: list[Tensor] = []
        for _ in range(slots + 1):
            self._append()
        if slots:
            self.zero(LIVE_SLOT)

    @property
    def slots(self) -> int:
        """Slots without the sink."""
        return len(self._buffers) - 1

    @property
    def slot_bytes(self) -> int:
        return self.shape.nbytes

    @property
    def nbytes(self) -> int:
        """Bytes of the slots, without the sink."""
        return self.slots * self.slot_bytes

    def parts(self, slot: int) -> tuple[Tensor, Tensor, Tensor]:
        """The delta state, the conv window and the hidden row of a slot."""
        return self.delta[slot], self.conv[slot], self.hidden[slot]

    def copy(self, source: int, target: int) -> None:
        """Copy one slot over another: fork, donate and copy on write."""
        # The number after the last slot is the sink.
        assert max(source, target) < self.slots, "no such state slot"
        copy_slot(self._buffers, source, target)

    def zero(self, slot: int) -> None:
        """Set the slot to the state before the first token."""
        zero_slot(self._buffers, slot)

    def move(self, moves: Iterable[tuple[int, int]]) -> None:
        """Copy slots to others."""
        for source, target in moves:
            self.copy(source, target)

    def resize(self, slots: int) -> None:
        """Keep the contents of the first min(old, new) slots.

        If memory runs out the allocator's error is raised, and `slots` is the resulting size.
        """
        assert slots > LIVE_SLOT, "the live slot must remain"
        for pool in (self._buffers, self.delta, self.conv, self.hidden):
            sink = pool.pop()
            del pool[slots:]
            pool.append(sink)
        while self.slots < slots:
            self._append()

    def _append(self) -> None:
        """Add a slot, before the sink if there is one."""
        shape, at = self.shape, len(self._buffers) - 1 if self._buffers else 0
        buffer = torch.empty(shape.nbytes, dtype=torch.uint8, device=self._device)
        delta_bytes = 4 * math.prod(shape.delta)
        conv_end = delta_bytes + math.prod(shape.conv) * shape.dtype.itemsize
        self._buffers.insert(at, buffer)
        self.delta.insert(at, buffer[:delta_bytes].view(torch.float32).view(shape.delta))
        self.conv.insert(at, buffer[delta_bytes:conv_end].view(shape.dtype).view(shape.conv))
        self.hidden.insert(at, buffer[conv_end:].view(shape.dtype).view(shape.hidden))
