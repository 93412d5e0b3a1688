"""Runs of slots, and copies of rows out of them and into them."""

from __future__ import annotations

import torch

from kernels.kv_slots import coalesce, crop, gather_runs, plain, write_runs
from tests.kernels.conftest import Draw

KV_HEADS, DIM = 2, 16


class TestRuns:
    def test_neighbours_are_joined_and_empty_runs_dropped(self) -> None:
        assert coalesce([(3, 2), (5, 0), (5, 4), (20, 1), (3, 1)]) == ((3, 6), (20, 1), (3, 1))

    def test_crop_follows_logical_positions(self) -> None:
        runs = ((10, 4), (50, 3), (20, 5))
        assert crop(runs, 0, 12) == runs
        assert crop(runs, 3, 8) == ((13, 1), (50, 3), (20, 1))
        assert crop(runs, 5, 5) == ()

    def test_gathered_rows_equal_the_reference(self, draw: Draw) -> None:
        plane, runs = draw(KV_HEADS, 60, DIM), ((40, 5), (3, 7))
        assert torch.equal(gather_runs(plane, runs).transpose(0, 1), plain.gather(plane, runs))

    def test_written_rows_come_back(self, draw: Draw) -> None:
        plane, rows = torch.empty(KV_HEADS, 60, DIM), draw(12, KV_HEADS, DIM)
        runs = ((40, 5), (3, 7))
        write_runs(plane, rows, runs)
        assert torch.equal(gather_runs(plane, runs).transpose(0, 1), rows)
        assert int(plane.isfinite().sum()) == rows.numel()
