"""Norms, rotary embedding, SwiGLU and projections against their plain forms."""

from __future__ import annotations

import pytest
import torch

from kernels import reference
from kernels.matrix import DenseMatrix
from kernels.norms import gated_rms_norm, rms_norm
from kernels.rope import RopeTable, pair_order, rotate_
from kernels.swiglu import swiglu, swiglu_row

CPU = torch.device("cpu")


class TestNorms:
    def test_rms_norm(self, draw, assert_close, tokens, dtype):
        x, scale = draw(tokens, 24), 1 + draw(24)
        found = rms_norm(x, scale, 1e-6, dtype)
        assert found.dtype == dtype
        assert_close(found, reference.rms_norm(x, scale, 1e-6), dtype)

    def test_gated_rms_norm(self, draw, assert_close, tokens, dtype):
        x, gate, scale = draw(tokens, 3, 8), draw(tokens, 3, 8).to(dtype), 1 + draw(8)
        expected = reference.gated_rms_norm(x, gate, scale, 1e-6)
        assert_close(gated_rms_norm(x, gate, scale, 1e-6, dtype), expected, dtype)

    def test_a_row_of_zeros_stays_finite(self, dtype):
        assert rms_norm(torch.zeros(2, 8), torch.ones(8), 1e-6, dtype).abs().max() == 0

    def test_rows_do_not_depend_on_their_block(self, draw):
        x, scale = draw(200, 24), 1 + draw(24)
        whole = rms_norm(x, scale, 1e-6, torch.float32)
        assert torch.equal(rms_norm(x[70:90], scale, 1e-6, torch.float32), whole[70:90])


class TestRope:
    @pytest.mark.parametrize("rotary", [0, 2, 4, 16], ids=lambda n: f"rotary{n}")
    def test_equals_the_reference(self, draw, assert_close, tokens, rotary):
        x = draw(tokens, 3, 16)
        expected = reference.rope(x, torch.arange(7, 7 + tokens), rotary, 10_000.0)
        rows = RopeTable(rotary, 10_000.0, CPU).rows(7, tokens)
        assert_close(rotate_(x, rows), expected, torch.float32)

    def test_pair_order_turns_halves_into_neighbours(self):
        assert pair_order(8, 4).tolist() == [0, 2, 1, 3, 4, 5, 6, 7]

    def test_a_grown_table_repeats_its_rows(self):
        table = RopeTable(8, 1e7, CPU)
        first = table.rows(3, 50).clone()
        table.rows(5000, 3)
        assert torch.equal(table.rows(3, 50), first)


class TestSwiGlu:
    def test_equals_the_reference(self, draw, assert_close, tokens, dtype):
        x = draw(tokens, 20).to(dtype)
        assert_close(swiglu(x), reference.swiglu(x), dtype)

    def test_one_row(self, draw, assert_close, dtype):
        x = draw(20).to(dtype)
        assert_close(swiglu_row(x), reference.swiglu(x), dtype)


class TestLinear:
    def test_rows_and_one_row(self, draw, assert_close, dtype):
        x, weight = draw(5, 32).to(dtype), draw(48, 32).to(dtype)
        expected = x.float() @ weight.float().T
        assert_close(DenseMatrix(weight).project(x), expected, dtype)
        assert_close(DenseMatrix(weight).project_row(x[0]), expected[0], dtype)
