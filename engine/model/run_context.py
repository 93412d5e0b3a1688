"""The inputs shared by all layers of one forward pass."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from engine.planes import KVPlane, StatePlane
from kernels.dispatch import Kernels
from kernels.kv_slots import Extent


@dataclass(frozen=True, slots=True)
class RunContext:
    """One forward pass over positions [start, start + tokens).

    Attributes:
        extents: physical KV slots of positions [0, start + tokens), coalesced.
        writes: physical KV slots of positions [write_from, start + tokens).
        skip: tokens at the front whose KV is in the pool already (write_from - start).
        live: state slot that is read and then overwritten.
        scan_splits: (token offset, state slot), ascending; the state after that many tokens.
        rope: rotations of these positions, [tokens, rotary_dim / 2] complex64.
    """

    tokens: int
    kv: KVPlane
    extents: tuple[Extent, ...]
    writes: tuple[Extent, ...]
    skip: int
    states: StatePlane
    live: int
    scan_splits: tuple[tuple[int, int], ...]
    gather: bool
    rope: Tensor
    kernels: Kernels
