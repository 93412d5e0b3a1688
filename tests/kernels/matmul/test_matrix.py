"""Dense projections against the plain product."""

from __future__ import annotations

from kernels.matmul import DenseMatrix


class TestLinear:
    def test_rows_and_one_row(self, draw, assert_close, dtype):
        x, weight = draw(5, 32).to(dtype), draw(48, 32).to(dtype)
        expected = x.float() @ weight.float().T
        assert_close(DenseMatrix(weight).project(x), expected, dtype)
        assert_close(DenseMatrix(weight).project_row(x[0]), expected[0], dtype)
