"""Slot copies modify one slot and nothing else."""

from __future__ import annotations

import pytest
import torch

from kernels.state_copy import copy_slot, zero_slot
from tests.kernels.conftest import Draw


def test_a_copy_changes_its_target_only(draw: Draw) -> None:
    pool = draw(4, 2, 3, 5)
    before = pool.clone()
    copy_slot(pool, 3, 1)
    assert torch.equal(pool[1], before[3])
    assert torch.equal(pool[[0, 2, 3]], before[[0, 2, 3]])


def test_a_slot_is_not_copied_onto_itself(draw: Draw) -> None:
    with pytest.raises(AssertionError):
        copy_slot(draw(2, 3), 1, 1)


def test_zero_changes_its_slot_only(draw: Draw) -> None:
    pool = draw(3, 4)
    zero_slot(pool, 2)
    assert pool[2].abs().max() == 0
    assert pool[:2].abs().min() > 0
