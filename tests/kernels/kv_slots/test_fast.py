"""Runs of slots, and copying rows from and to them."""

from __future__ import annotations

import torch

from kernels.kv_slots import coalesce, crop, gather_extents, plain, write_extents
from tests.kernels.conftest import Draw

KV_HEADS, DIM = 2, 16


class TestRuns:
    def test_neighbours_are_joined_and_empty_runs_dropped(self) -> None:
        assert coalesce([(3, 2), (5, 0), (5, 4), (20, 1), (3, 1)]) == ((3, 6), (20, 1), (3, 1))

    def test_crop_follows_logical_positions(self) -> None:
        extents = ((10, 4), (50, 3), (20, 5))
        assert crop(extents, 0, 12) == extents
        assert crop(extents, 3, 8) == ((13, 1), (50, 3), (20, 1))
        assert crop(extents, 5, 5) == ()

    def test_gathered_rows_equal_the_reference(self, draw: Draw) -> None:
        plane, extents = draw(KV_HEADS, 60, DIM), ((40, 5), (3, 7))
        assert torch.equal(
            gather_extents(plane, extents).transpose(0, 1), plain.gather(plane, extents)
        )

    def test_written_rows_come_back(self, draw: Draw) -> None:
        plane, rows = torch.empty(KV_HEADS, 60, DIM), draw(12, KV_HEADS, DIM)
        extents = ((40, 5), (3, 7))
        write_extents(plane, rows, extents)
        assert torch.equal(gather_extents(plane, extents).transpose(0, 1), rows)
        assert int(plane.isfinite().sum()) == rows.numel()
