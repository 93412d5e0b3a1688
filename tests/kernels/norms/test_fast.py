"""Norms against their plain versions."""

from __future__ import annotations

import torch

from kernels.norms import gated_rms_norm, rms_norm
from kernels.norms import plain as reference
from tests.kernels.conftest import Compare, Draw


class TestNorms:
    def test_rms_norm(
        self, draw: Draw, assert_close: Compare, tokens: int, dtype: torch.dtype
    ) -> None:
        x, scale = draw(tokens, 24), 1 + draw(24)
        found = rms_norm(x, scale, 1e-6, dtype)
        assert found.dtype == dtype
        assert_close(found, reference.rms_norm(x, scale, 1e-6), dtype)

    def test_gated_rms_norm(
        self, draw: Draw, assert_close: Compare, tokens: int, dtype: torch.dtype
    ) -> None:
        x, gate, scale = draw(tokens, 3, 8), draw(tokens, 3, 8).to(dtype), 1 + draw(8)
        expected = reference.gated_rms_norm(x, gate, scale, 1e-6)
        assert_close(gated_rms_norm(x, gate, scale, 1e-6, dtype), expected, dtype)

    def test_a_row_of_zeros_stays_finite(self, dtype: torch.dtype) -> None:
        assert rms_norm(torch.zeros(2, 8), torch.ones(8), 1e-6, dtype).abs().max() == 0

    def test_rows_do_not_depend_on_their_block(self, draw: Draw) -> None:
        x, scale = draw(200, 24), 1 + draw(24)
        whole = rms_norm(x, scale, 1e-6, torch.float32)
        assert torch.equal(rms_norm(x[70:90], scale, 1e-6, torch.float32), whole[70:90])
