"""Rows of a stored embedding table."""

from __future__ import annotations

import pytest
import torch

from kernels.blocks import BlockEmbedding
from tests.kernels.blocks.stored import NAMES, oracle, stored

IDS = torch.tensor([3, 0, 49, 3])
CPU = torch.device("cpu")


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_the_stored_ones_to_the_bit(name: str) -> None:
    table = stored(name, 50, 512)
    found = BlockEmbedding(table, CPU).rows(IDS)
    assert found.dtype == torch.float32
    assert torch.equal(found, oracle(table)[IDS])


def test_bytes_in_memory_are_counted() -> None:
    table = BlockEmbedding(stored("Q6_K", 50, 512), CPU)
    assert sum(t.nbytes for t in table.tensors()) == 50 * 2 * 210
