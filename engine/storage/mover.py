"""Copies between the device's planes and those of the host tier."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from engine.cache.extents import Extents, aligned
from engine.planes import KVPlane, StatePlane
from engine.storage.host_planes import HostStates, pack_in_place, pack_state, unpack_state


class TierMover:
    """The engine's `Mover`; see engine/cache/tiers/lower.py for the contract.

    If the device is a GPU, both planes are copied on a separate stream, from and to pinned
    memory; states are packed and unpacked on the GPU. A copy down is waited for, since its slots
    are reused right afterwards; a copy up is not: the compute stream waits for it, and the thread
    continues.
    """

    def __init__(
        self, kv: KVPlane, states: StatePlane, host_kv: KVPlane, host_states: HostStates
    ) -> None:
        self._kv, self._states = kv, states
        self._host_kv, self._host_states = host_kv, host_states
        self._device = states.hidden[0].device
        on_gpu = self._device.type == "cuda"
        self._stream = torch.cuda.Stream(self._device) if on_gpu else None

    def kv_to_host(self, device: Extents, host: Extents) -> None:
        self._copy_kv(self._kv, device, self._host_kv, host)
        self._wait()

    def kv_to_device(self, host: Extents, device: Extents) -> None:
        self._copy_kv(self._host_kv, host, self._kv, device)
        self._hold_compute()

    def state_to_host(self, device: int, host: int) -> float:
        form = self._host_states.form
        if self._stream is None:
            packed, error = pack_state(self._states, device, form)
            self._host_states.put(host, packed)
            return error
        packed, error = pack_in_place(self._states, device, form)
        self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream):
            self._host_states.put(host, packed)
        self._wait()
        return error

    def state_to_device(self, host: int, device: int) -> None:
        packed = self._host_states[host]
        if self._stream is not None:
            packed = self._brought_up(packed)
        unpack_state(packed, self._states, device)

    def _brought_up(self, packed: dict[str, Tensor]) -> dict[str, Tensor]:
        """The packed state on the GPU, available to the compute stream's next operation."""
        assert self._stream is not None
        # Allocated on the compute stream, so that it is freed in the order of that stream's work.
        there = {name: torch.empty_like(t, device=self._device) for name, t in packed.items()}
        self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream):
            for name, part in packed.items():
                there[name].copy_(part, non_blocking=True)
        self._hold_compute()
        return there

    def _copy_kv(
        self, source: KVPlane, sources: Extents, target: KVPlane, targets: Extents
    ) -> None:
        spans = list(aligned(sources, targets))
        if self._stream is None:
            _copy_spans(source.parts, target.parts, spans)
            return
        self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream):
            # Only contiguous tensors are copied to or from pinned memory directly.
            _copy_spans(_heads(source), _heads(target), spans)

    def _wait(self) -> None:
        if self._stream is not None:
            self._stream.synchronize()

    def _hold_compute(self) -> None:
        if self._stream is not None:
            torch.cuda.current_stream().wait_stream(self._stream)


def _copy_spans(
    sources: Sequence[Tensor], targets: Sequence[Tensor], spans: list[tuple[int, int, int]]
) -> None:
    """Copy spans of slots between tensors [.., slots, head_dim]."""
    for here, there in zip(sources, targets, strict=True):
        for first, second, length in spans:
            there[..., second : second + length, :].copy_(
                here[..., first : first + length, :], non_blocking=True
            )


def _heads(plane: KVPlane) -> list[Tensor]:
    """Every head's own tensor, [slots, head_dim]."""
    return [head for part in plane.parts for head in part]
