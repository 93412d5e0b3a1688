"""Rows of a stored embedding table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from kernels.blocks import BlockEmbedding, BlockWeight
from tests.kernels.blocks.stored import NAMES, oracle, stored

IDS = torch.tensor([3, 0, 49, 3])
CPU = torch.device("cpu")


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_the_stored_ones_to_the_bit(name: str) -> None:
    table = stored(name, 50, 512)
    found = BlockEmbedding(table, mapped=False, device=CPU).rows(IDS)
    assert found.dtype == torch.float32
    assert torch.equal(found, oracle(table)[IDS])


def test_a_read_only_mapped_file_is_enough(tmp_path: Path) -> None:
    table = stored("Q6_K", 50, 512)
    (tmp_path / "table").write_bytes(table.raw.numpy().tobytes())
    mapped = np.memmap(tmp_path / "table", np.uint8, "c", shape=tuple(table.raw.shape))
    weight = BlockWeight(torch.from_numpy(mapped), table.kind)
    found = BlockEmbedding(weight, mapped=True, device=CPU).rows(IDS)
    assert torch.equal(found, table.rows(IDS))


def test_bytes_of_a_mapped_file_are_not_counted() -> None:
    table = stored("Q6_K", 50, 512)
    in_file = BlockEmbedding(table, mapped=True, device=CPU)
    in_memory = BlockEmbedding(table, mapped=False, device=CPU)
    assert sum(t.nbytes for t in in_file.tensors()) == 0
    assert sum(t.nbytes for t in in_memory.tensors()) == 50 * 2 * 210
