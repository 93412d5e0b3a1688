"""The embedding table, dense and in 8 bits, in memory and in a mapped file."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from kernels.embedding import DenseEmbedding, Int8Embedding
from kernels.matmul import Int8Weight, quantize_int8
from tests.kernels.conftest import Draw

IDS = torch.tensor([3, 0, 99, 3, 50])


class TestDense:
    def test_rows_are_the_tables(self, dtype: torch.dtype, draw: Draw) -> None:
        table = draw(100, 48).to(dtype)
        found = DenseEmbedding(table).rows(IDS)
        assert found.dtype == torch.float32
        assert torch.equal(found, table.float()[IDS])

    def test_a_row_is_a_copy(self, dtype: torch.dtype, draw: Draw) -> None:
        table = draw(100, 48).to(dtype)
        before, embedding = table.clone(), DenseEmbedding(table)
        embedding.rows(IDS).zero_()
        embedding.rows(torch.tensor([7])).zero_()
        assert torch.equal(table, before)

    def test_all_bytes_are_counted(self, draw: Draw) -> None:
        assert sum(t.nbytes for t in DenseEmbedding(draw(100, 48)).tensors()) == 100 * 48 * 4


class TestInt8:
    @pytest.mark.parametrize("mapped", [False, True])
    def test_rows_are_the_dequantised_codes(
        self, dtype: torch.dtype, draw: Draw, mapped: bool
    ) -> None:
        table = draw(100, 48).to(dtype)
        table[50] = 0
        weight = quantize_int8(table)
        found = Int8Embedding(weight, mapped=mapped).rows(IDS)
        assert torch.equal(found, weight.dense()[IDS])
        assert ((found - table.float()[IDS]).abs() <= weight.scale[IDS, None] * 0.5001).all()
        assert found[4].count_nonzero() == 0

    def test_a_mapped_table_gives_the_same_bits(self, draw: Draw, tmp_path: Path) -> None:
        weight = quantize_int8(draw(100, 48))
        path = tmp_path / "codes"
        path.write_bytes(weight.codes.numpy().tobytes())
        codes = torch.from_file(str(path), size=4800, dtype=torch.int8).view(100, 48)
        in_file = Int8Embedding(Int8Weight(codes, weight.scale), mapped=True)
        in_memory = Int8Embedding(weight, mapped=False)
        assert torch.equal(in_file.rows(IDS), in_memory.rows(IDS))

    def test_a_mapped_table_is_never_written(self, draw: Draw, tmp_path: Path) -> None:
        weight = quantize_int8(draw(100, 48))
        embedding = Int8Embedding(weight, mapped=True)
        before = weight.codes.clone()
        embedding.rows(IDS).zero_()
        assert torch.equal(weight.codes, before)

    def test_mapped_codes_are_not_counted_as_memory(self, draw: Draw) -> None:
        weight = quantize_int8(draw(100, 48))
        assert sum(t.nbytes for t in Int8Embedding(weight, mapped=True).tensors()) == 400
        assert sum(t.nbytes for t in Int8Embedding(weight, mapped=False).tensors()) == 5200

    def test_a_scale_off_by_one_row_is_caught(self, draw: Draw) -> None:
        weight = quantize_int8(draw(100, 48))
        moved = Int8Embedding(Int8Weight(weight.codes, weight.scale.roll(1)), mapped=False)
        assert not torch.allclose(moved.rows(IDS), weight.dense()[IDS], rtol=1e-3)
