"""The two pools: sizes, slot copies, what is zero at the start, and what a resize keeps."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from engine.planes import LIVE_SLOT, SINK_SLOT, KVPlane, StatePlane, StateShape

CPU = torch.device("cpu")
SHAPE = StateShape((2, 3, 5, 7), (2, 3, 11), (13,), torch.bfloat16)


def state_plane(slots: int = 4) -> StatePlane:
    plane = StatePlane(SHAPE, slots, CPU)
    for number, pool in enumerate((plane.delta, plane.conv, plane.hidden)):
        for slot in range(1, slots):
            pool[slot].fill_(10 * number + slot)
    return plane


def failing_at(allocation: int) -> Callable[..., Tensor]:
    """torch.empty that runs out of memory at the numbered call."""
    plain, calls = torch.empty, itertools.count()

    def empty(*args: Any, **options: Any) -> Tensor:
        if next(calls) == allocation:
            raise RuntimeError("no memory")
        return plain(*args, **options)

    return empty


class TestKVPlane:
    def test_sizes(self) -> None:
        plane = KVPlane((2, 3, 10, 8), torch.bfloat16, CPU)
        assert plane.slots == 10
        assert plane.slot_bytes == 2 * 2 * 3 * 8 * 2
        assert plane.nbytes == 10 * plane.slot_bytes
        assert plane.nbytes == sum(layer.nbytes for layer in plane.parts)

    def test_no_slot_at_all(self) -> None:
        plane = KVPlane((2, 3, 0, 8), torch.float32, CPU)
        assert (plane.slots, plane.nbytes) == (0, 0)

    @pytest.mark.parametrize("slots", [4, 25])
    @pytest.mark.parametrize("fails_at", [0, 1, 3])
    def test_out_of_memory_in_a_resize_leaves_a_plane_that_works(
        self, monkeypatch: pytest.MonkeyPatch, slots: int, fails_at: int
    ) -> None:
        plane = KVPlane((2, 3, 10, 8), torch.float32, CPU)
        before = [layer.normal_().clone() for layer in plane.parts]
        with monkeypatch.context() as patch:
            patch.setattr(torch, "empty", failing_at(fails_at))
            with pytest.raises(RuntimeError, match="no memory"):
                plane.resize(slots)
        kept = min(slots, 10)
        assert plane.slots == kept
        for attempt in (kept, 12):
            for old, new in zip(before, plane.parts, strict=True):
                assert new.shape[1] >= plane.slots
                assert torch.equal(old[:, :kept], new[:, :kept])
            plane.resize(attempt)
        assert {layer.shape[1] for layer in plane.parts} == {12}

    @pytest.mark.parametrize("slots", [4, 10, 25])
    def test_a_resize_keeps_what_fits(self, slots: int) -> None:
        plane = KVPlane((2, 3, 10, 8), torch.float32, CPU)
        before = [layer.normal_().clone() for layer in plane.parts]
        plane.resize(slots)
        kept = min(slots, 10)
        for old, new in zip(before, plane.parts, strict=True):
            assert new.shape == (3, slots, 8)
            assert torch.equal(old[:, :kept], new[:, :kept])
        assert plane.slots == slots


class TestStatePlane:
    def test_sizes(self) -> None:
        plane = state_plane()
        assert plane.slots == 4
        assert plane.slot_bytes == 2 * 3 * 5 * 7 * 4 + 2 * 3 * 11 * 2 + 13 * 2
        assert plane.nbytes == 4 * plane.slot_bytes
        assert plane.delta[0].dtype == torch.float32

    def test_the_live_slot_starts_empty(self) -> None:
        plane = state_plane()
        for pool in (plane.delta, plane.conv, plane.hidden):
            assert pool[LIVE_SLOT].count_nonzero() == 0

    def test_a_copy_moves_every_part_and_nothing_else(self) -> None:
        plane = state_plane()
        plane.copy(3, 1)
        for number, pool in enumerate((plane.delta, plane.conv, plane.hidden)):
            assert (pool[1] == 10 * number + 3).all()
            assert (pool[2] == 10 * number + 2).all()
            assert (pool[3] == 10 * number + 3).all()

    def test_zero_clears_one_slot(self) -> None:
        plane = state_plane()
        plane.zero(2)
        for pool in (plane.delta, plane.conv, plane.hidden):
            assert pool[2].count_nonzero() == 0
            assert pool[3].count_nonzero() > 0

    def test_out_of_memory_while_growing_leaves_as_many_slots_as_it_says(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plane = state_plane()
        sink = plane.delta[SINK_SLOT].data_ptr()
        with monkeypatch.context() as patch:
            patch.setattr(torch, "empty", failing_at(2))
            with pytest.raises(RuntimeError, match="no memory"):
                plane.resize(9)
        assert plane.slots == 6
        for pool in (plane.delta, plane.conv, plane.hidden):
            assert len(pool) == 7
        assert plane.delta[SINK_SLOT].data_ptr() == sink

    def test_the_sink_is_not_taken_for_a_slot(self) -> None:
        plane = state_plane()
        with pytest.raises(AssertionError, match="no such state slot"):
            plane.copy(LIVE_SLOT, plane.slots)

    @pytest.mark.parametrize("slots", [2, 4, 9])
    def test_a_resize_keeps_what_fits_and_the_sink(self, slots: int) -> None:
        plane = state_plane()
        sink = plane.delta[SINK_SLOT].data_ptr()
        plane.resize(slots)
        assert plane.slots == slots
        for number, pool in enumerate((plane.delta, plane.conv, plane.hidden)):
            for slot in range(1, min(slots, 4)):
                assert (pool[slot] == 10 * number + slot).all()
        assert plane.delta[SINK_SLOT].data_ptr() == sink
        plane.copy(LIVE_SLOT, slots - 1)
