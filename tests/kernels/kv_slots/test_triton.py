"""Writing keys and values to scattered slots, and nowhere else."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from kernels.kv_slots.triton import write_slots
from tests.kernels.conftest import Draw, Move

SLOTS = 50
PLANE = torch.bfloat16


def written(
    k: Tensor, v: Tensor, slots: Tensor, dtype: torch.dtype, on: Move
) -> tuple[Tensor, Tensor]:
    """The planes after one write; NaN wherever nothing was written."""
    shape = (k.shape[1], SLOTS, k.shape[2])
    keys, values = (on(torch.full(shape, float("nan"), dtype=dtype)) for _ in "kv")
    write_slots(k, v, keys, values, on(slots))
    return keys.cpu(), values.cpu()


class TestWrite:
    @pytest.mark.parametrize("shape", [(1, 2, 16), (13, 3, 20), (7, 1, 256)], ids=str)
    def test_rows_are_written_to_their_slots_only(
        self, draw: Draw, on: Move, shape: tuple[int, int, int], dtype: torch.dtype
    ) -> None:
        k, v = draw(*shape).to(dtype), draw(*shape).to(dtype)
        slots = torch.randperm(SLOTS, generator=torch.Generator().manual_seed(1))[: shape[0]]
        for plane, rows in zip(written(on(k), on(v), slots.int(), dtype, on), (k, v), strict=True):
            assert torch.equal(plane[:, slots].transpose(0, 1), rows)
            assert int(plane.isfinite().sum()) == rows.numel()

    def test_rows_may_be_views_and_are_rounded_to_the_plane(self, draw: Draw, on: Move) -> None:
        wide, slots = draw(6, 5, 16), torch.tensor([4, 9, 0, 49, 7, 2])
        k, v = on(wide)[:, 0:2], on(wide)[:, 3:5]
        keys, values = written(k, v, slots.int(), PLANE, on)
        for plane, rows in ((keys, wide[:, 0:2]), (values, wide[:, 3:5])):
            found = plane[:, slots].transpose(0, 1)
            # One step of bfloat16: the interpreter truncates where a device rounds.
            torch.testing.assert_close(found, rows.to(PLANE), rtol=2**-7, atol=0)

    def test_a_negative_slot_is_skipped(self, draw: Draw, on: Move) -> None:
        k = draw(3, 2, 16)
        keys, _ = written(on(k), on(k), torch.tensor([5, -1, 8]).int(), torch.float32, on)
        assert torch.equal(keys[:, [5, 8]].transpose(0, 1), k[[0, 2]])
        assert int(keys.isfinite().sum()) == 2 * k[0].numel()

    def test_wrong_neighbours_would_show(self, draw: Draw, on: Move) -> None:
        k, v = draw(4, 2, 16), draw(4, 2, 16)
        slots = torch.tensor([3, 4, 5, 20])
        keys, values = written(on(k), on(v), slots.int(), torch.float32, on)
        found = keys[:, slots].transpose(0, 1)
        assert not torch.equal(found, k.flip(1))
        assert not torch.equal(keys[:, slots - 1].transpose(0, 1), k)
        assert not torch.equal(found, v)
        assert not torch.equal(values[:, slots].transpose(0, 1), k)
