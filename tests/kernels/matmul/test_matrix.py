"""Dense projections against the plain product."""

from __future__ import annotations

import torch

from kernels.matmul import DenseMatrix
from tests.kernels.conftest import Compare, Draw


class TestLinear:
    def test_rows_and_one_row(self, draw: Draw, assert_close: Compare, dtype: torch.dtype) -> None:
        x, weight = draw(5, 32).to(dtype), draw(48, 32).to(dtype)
        expected = x.float() @ weight.float().T
        assert_close(DenseMatrix(weight).project(x), expected, dtype)
        assert_close(DenseMatrix(weight).project_row(x[0]), expected[0], dtype)
