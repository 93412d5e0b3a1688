"""The two pools: sizes, slot copies and what is zero at the start."""

from __future__ import annotations

import torch

from engine.planes import LIVE_SLOT, KVPlane, StatePlane

CPU = torch.device("cpu")


def state_plane() -> StatePlane:
    plane = StatePlane.allocate((4, 2, 3, 5, 7), (4, 2, 3, 11), (4, 13), torch.bfloat16, CPU)
    for number, pool in enumerate((plane.delta, plane.conv, plane.hidden)):
        for slot in range(1, 4):
            pool[slot] = 10 * number + slot
    return plane


class TestKVPlane:
    def test_sizes(self):
        plane = KVPlane.allocate((2, 3, 10, 8), torch.bfloat16, CPU)
        assert plane.slots == 10
        assert plane.slot_bytes == 2 * 2 * 3 * 8 * 2
        assert plane.nbytes == 10 * plane.slot_bytes

    def test_no_slot_at_all(self):
        plane = KVPlane.allocate((2, 3, 0, 8), torch.float32, CPU)
        assert (plane.slots, plane.nbytes) == (0, 0)


class TestStatePlane:
    def test_sizes(self):
        plane = state_plane()
        assert plane.slots == 4
        assert plane.slot_bytes == 2 * 3 * 5 * 7 * 4 + 2 * 3 * 11 * 2 + 13 * 2
        assert plane.nbytes == 4 * plane.slot_bytes
        assert plane.delta.dtype == torch.float32

    def test_the_live_slot_starts_empty(self):
        plane = state_plane()
        for pool in (plane.delta, plane.conv, plane.hidden):
            assert pool[LIVE_SLOT].count_nonzero() == 0

    def test_a_copy_moves_every_part_and_nothing_else(self):
        plane = state_plane()
        plane.copy(3, 1)
        for number, pool in enumerate((plane.delta, plane.conv, plane.hidden)):
            assert (pool[1] == 10 * number + 3).all()
            assert (pool[2] == 10 * number + 2).all()
            assert (pool[3] == 10 * number + 3).all()

    def test_zero_clears_one_slot(self):
        plane = state_plane()
        plane.zero(2)
        for pool in (plane.delta, plane.conv, plane.hidden):
            assert pool[2].count_nonzero() == 0
            assert pool[3].count_nonzero() > 0
