"""The embedding table, dense and in 8 bits, in memory and in a file."""

from __future__ import annotations

import torch

from kernels.embedding import DenseEmbedding, Int8Embedding
from kernels.matmul import quantize_int8
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
    def test_rows_are_the_dequantised_codes(self, dtype: torch.dtype, draw: Draw) -> None:
        table = draw(100, 48).to(dtype)
        table[50] = 0
        weight = quantize_int8(table)
        found = Int8Embedding(weight.codes, weight.scale).rows(IDS)
        assert torch.equal(found, weight.dense()[IDS])
        assert ((found - table.float()[IDS]).abs() <= weight.scale[IDS, None] * 0.5001).all()
        assert found[4].count_nonzero() == 0

    def test_a_table_is_never_written(self, draw: Draw) -> None:
        weight = quantize_int8(draw(100, 48))
        embedding = Int8Embedding(weight.codes, weight.scale)
        before = weight.codes.clone()
        embedding.rows(IDS).zero_()
        assert torch.equal(weight.codes, before)

    def test_all_bytes_are_counted(self, draw: Draw) -> None:
        weight = quantize_int8(draw(100, 48))
        assert sum(t.nbytes for t in Int8Embedding(weight.codes, weight.scale).tensors()) == 5200

    def test_a_scale_off_by_one_row_is_caught(self, draw: Draw) -> None:
        weight = quantize_int8(draw(100, 48))
        moved = Int8Embedding(weight.codes, weight.scale.roll(1))
        assert not torch.allclose(moved.rows(IDS), weight.dense()[IDS], rtol=1e-3)
