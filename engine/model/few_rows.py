"""Few rows of one or several sequences, each with the bits of a step; on a device, all about them.

There a step of one row runs the same kernels, so text does not depend on what else ran with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.cache.extents import to_slots
from engine.model.config import ModelConfig
from engine.planes import KVPlane, StatePlane
from kernels.causal_conv import window_after
from kernels.kv_slots import Extent
from kernels.native.kept import KeptRows
from kernels.native.rows import MOST_FEW
from kernels.step_ops import StepOps


@dataclass(frozen=True, slots=True)
class LayerRows:
    """What rows do to the state of one linear layer: [1, 16, ...] each.

    Attributes:
        convolved: queries, keys and values, float32.
        rates: decays, as factors, and betas, float32.
        channels: the convolution's inputs, in the window's dtype.
    """

    convolved: Tensor
    rates: Tensor
    channels: Tensor


class DeviceKeptRows:
    """What up to 16 rows do to the linear layers' states, until it is known which rows stay.

    A state goes on to any of the rows by running the rule over them once more, with the kernel and
    the operands of their pass, so with its bits.

    Attributes:
        nbytes: their size.
    """

    def __init__(
        self, config: ModelConfig, dtype: torch.dtype, device: torch.device, ops: StepOps
    ) -> None:
        """dtype: of the convolution's window."""
        lead = config.linear_layers, MOST_FEW
        channels, heads = config.conv_channels, config.linear_value_heads
        self._convolved = torch.zeros(*lead, channels, device=device)
        self._rates = torch.zeros(*lead, 2, heads, device=device)
        self._channels = torch.zeros(*lead, channels, dtype=dtype, device=device)
        self._ops = ops
        parts = (self._convolved, self._rates, self._channels)
        self.nbytes = sum(part.nbytes for part in parts)

    def layer(self, index: int) -> LayerRows:
        """Where rows of a linear layer are kept."""
        one = slice(index, index + 1)
        return LayerRows(self._convolved[one], self._rates[one], self._channels[one])

    def fold(self, delta: Tensor, window: Tensor, rows: int) -> None:
        """The state after the first `rows` rows, in place of the one before them.

        delta: [layers, value_heads, key_dim, value_dim] float32; window: [layers, kernel - 1,
        channels]. Both must be what the rows ran on.
        """
        self._ops.delta(self._convolved, self._rates, delta, rows, keep=True)
        self.shift(window, rows)

    def shift(self, window: Tensor, rows: int) -> None:
        """The windows after the first `rows` rows, in place of those before them."""
        window.copy_(window_after(self._channels, window, rows))


Kept = KeptRows | DeviceKeptRows


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rows of one sequence among those of others, each with the bits of a step.

    Attributes:
        tokens: of the rows.
        start: the position of the first of them.
        extents: physical KV slots of positions [0, start + len(tokens)); all rows are written.
        live: the state slot after `start` tokens.
        kept: receives what the rows would do to the linear layers' states, which are only read.
            None: there is one row, and its state is overwritten.
    """

    tokens: tuple[int, ...]
    start: int
    extents: tuple[Extent, ...]
    live: int
    kept: Kept | None = None


@dataclass(frozen=True, slots=True)
class DeviceStretch:
    """Rows of one sequence; the host need not know their numbers.

    Attributes:
        rows: how many.
        slots: [capacity] int32, the KV slot of each position, the rows' own among them.
        lengths: [rows] int32, the positions that each row sees, its own included.
        written: [rows] int32, the rows' own slots.
        delta, conv, hidden: the live state's parts, of all layers.
        kept: receives what the rows do to them.
        goes_on: whether the state goes on by the rows at once; else it is only read.
    """

    rows: int
    slots: Tensor
    lengths: Tensor
    written: Tensor
    delta: Tensor
    conv: Tensor
    hidden: Tensor
    kept: DeviceKeptRows
    goes_on: bool


@dataclass(frozen=True, slots=True)
class DeviceRun:
    """One pass over the rows of all stretches, one after the other.

    Attributes:
        rope: rotations of their positions, [rows, rotary_dim / 2] complex64.
    """

    kv: KVPlane
    rope: Tensor
    stretches: tuple[DeviceStretch, ...]
    ops: StepOps

    def each(self) -> Iterator[tuple[DeviceStretch, slice]]:
        """The stretches, and which rows are theirs."""
        first = 0
        for one in self.stretches:
            yield one, slice(first, first + one.rows)
            first += one.rows

    def settle(self, hidden: Tensor) -> None:
        """After the last layer: windows and hidden rows of the states that go on at once."""
        for one, at in self.each():
            if one.goes_on:
                one.kept.shift(one.conv, one.rows)
                one.hidden.copy_(hidden[at.start])


def on_device(one: Stretch, states: StatePlane, kept: Kept) -> DeviceStretch:
    """A stretch with its numbers on the device; kept: its own, or any if its state goes on."""
    device, rows = states.hidden[one.live].device, len(one.tokens)
    assert isinstance(kept, DeviceKeptRows), "rows kept elsewhere"
    assert one.kept is not None or rows == 1, "a state goes on by one row at a time"
    slots = torch.from_numpy(to_slots(one.extents)).int().to(device)
    lengths = torch.arange(one.start + 1, one.start + 1 + rows, dtype=torch.int32, device=device)
    parts = states.parts(one.live)
    return DeviceStretch(rows, slots, lengths, slots[one.start :], *parts, kept, one.kept is None)


def joined(parts: Sequence[Tensor]) -> Tensor:
    """Rows of stretches below one another."""
    return parts[0] if len(parts) == 1 else torch.cat(tuple(parts))
