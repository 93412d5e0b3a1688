"""Host memory of the second tier: unpacked KV, and states packed in one format."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.config import StateFormat
from engine.planes import KVPlane, StatePlane, StateShape
from kernels.state_codec import pack, packed_bytes, unpack_part

PARTS = ("delta", "conv")


def pack_state(states: StatePlane, slot: int, form: StateFormat) -> tuple[dict[str, Tensor], float]:
    """A packed copy of one slot on the CPU, and its largest relative error."""
    packed, error = pack_in_place(states, slot, form)
    return {name: part.cpu() for name, part in packed.items()}, error


def pack_in_place(
    states: StatePlane, slot: int, form: StateFormat
) -> tuple[dict[str, Tensor], float]:
    """The same on the plane's device. The hidden row is a few KiB and stays unpacked."""
    parts = {"delta": states.delta[slot], "conv": states.conv[slot]}
    packed, error = pack(parts, form)
    packed["hidden"] = states.hidden[slot].clone()
    return packed, error


def unpack_state(packed: dict[str, Tensor], states: StatePlane, slot: int) -> None:
    """Write a packed state into a slot. Raises KeyError or RuntimeError if it does not fit."""
    for name, target in (
        ("delta", states.delta[slot]),
        ("conv", states.conv[slot]),
        ("hidden", states.hidden[slot]),
    ):
        target.copy_(unpack_part(packed, name, target.dtype))


def packed_slot_bytes(shape: StateShape, form: StateFormat) -> int:
    """Bytes of one packed state."""
    cold = [(shape.delta, torch.float32), (shape.conv, shape.dtype)]
    return packed_bytes(cold, form) + shape.hidden[0] * shape.dtype.itemsize


class HostStates:
    """Packed states by slot number; a slot takes memory once it is first written.

    Attributes:
        form: the format of all of them.
    """

    def __init__(self, form: StateFormat, *, pinned: bool = False) -> None:
        self.form = form
        self._pinned = pinned
        self._slots: dict[int, dict[str, Tensor]] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of the slots written so far."""
        return sum(part.nbytes for held in self._slots.values() for part in held.values())

    def __getitem__(self, slot: int) -> dict[str, Tensor]:
        return self._slots[slot]

    def put(self, slot: int, packed: dict[str, Tensor]) -> None:
        """Store the tensors in slot `slot`, replacing its contents.

        Pinned: a copy from a GPU is queued on the current stream and not waited for.
        """
        held = self._slots.get(slot)
        if held is None and not self._pinned:
            self._slots[slot] = dict(packed)
            return
        if held is None:
            held = self._slots[slot] = {name: _pinned_like(t) for name, t in packed.items()}
        for name, part in packed.items():
            held[name].copy_(part, non_blocking=self._pinned)


def _pinned_like(part: Tensor) -> Tensor:
    return torch.empty(part.shape, dtype=part.dtype, pin_memory=True)


def gather_kv(plane: KVPlane, extents: tuple[tuple[int, int], ...]) -> tuple[Tensor, Tensor]:
    """Contiguous CPU copies of a span, k and v [full_layers, kv_heads, tokens, head_dim]."""
    return (_gathered(plane.k, extents), _gathered(plane.v, extents))


def scatter_kv(k: Tensor, v: Tensor, plane: KVPlane, extents: tuple[tuple[int, int], ...]) -> None:
    """Write k and v [full_layers, kv_heads, tokens, head_dim] into the slots of `extents`."""
    for source, layers in ((k, plane.k), (v, plane.v)):
        for rows, layer in zip(source, layers, strict=True):
            at = 0
            for first, length in extents:
                layer[:, first : first + length] = rows[:, at : at + length]
                at += length


def _gathered(layers: list[Tensor], extents: tuple[tuple[int, int], ...]) -> Tensor:
    spans = [
        torch.cat([layer[:, first : first + length] for first, length in extents], 1).cpu()
        for layer in layers
    ]
    return torch.stack(spans)
