"""The single-launch norms against their plain versions."""

from __future__ import annotations

import pytest
import torch

from kernels.norms import fast
from kernels.norms import plain as reference
from kernels.norms.triton import gated_rms_norm, rms_norm
from tests.kernels.conftest import Compare, Draw, Move

EPS = 1e-6
SHAPES = [(24,), (1, 24), (90, 24), (5, 3, 24), (3, 1100), (2, 128), (2, 5000)]


class TestNorms:
    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    def test_rms_norm(
        self,
        draw: Draw,
        assert_close: Compare,
        on: Move,
        shape: tuple[int, ...],
        dtype: torch.dtype,
    ) -> None:
        x, scale = draw(*shape), 1 + draw(shape[-1])
        found = rms_norm(on(x), on(scale), EPS, dtype).cpu()
        assert found.dtype == dtype
        assert_close(found, reference.rms_norm(x, scale, EPS), dtype)
        assert_close(found, fast.rms_norm(x, scale, EPS, torch.float32), dtype)

    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    def test_gated_rms_norm(
        self,
        draw: Draw,
        assert_close: Compare,
        on: Move,
        shape: tuple[int, ...],
        dtype: torch.dtype,
    ) -> None:
        x, gate, scale = draw(*shape), draw(*shape).to(dtype), 1 + draw(shape[-1])
        found = gated_rms_norm(on(x), on(gate), on(scale), EPS, dtype).cpu()
        assert found.dtype == dtype
        assert_close(found, reference.gated_rms_norm(x, gate, scale, EPS), dtype)

    def test_the_gate_may_be_a_view_of_a_projection(
        self, draw: Draw, assert_close: Compare, on: Move
    ) -> None:
        x, wide, scale = draw(7, 3, 8), draw(7, 40), draw(8)
        gate = wide[:, 5:29].unflatten(1, (3, 8))
        found = gated_rms_norm(
            on(x), on(wide)[:, 5:29].unflatten(1, (3, 8)), on(scale), EPS, dtype=torch.float32
        )
        assert_close(found.cpu(), reference.gated_rms_norm(x, gate, scale, EPS), torch.float32)

    def test_a_row_of_zeros_stays_finite(self, on: Move, dtype: torch.dtype) -> None:
        assert rms_norm(on(torch.zeros(2, 8)), on(torch.ones(8)), EPS, dtype).abs().max() == 0

    def test_a_row_alone_has_the_same_bits(self, draw: Draw, on: Move) -> None:
        x, scale = on(draw(100, 24)), on(draw(24))
        whole = rms_norm(x, scale, EPS, torch.float32)
        assert torch.equal(rms_norm(x[77], scale, EPS, torch.float32), whole[77])

    def test_wrong_norms_would_show(
        self, draw: Draw, refuses: Compare, on: Move, dtype: torch.dtype
    ) -> None:
        x, gate, scale = draw(90, 24), draw(90, 24).to(dtype), 1 + 0.5 * draw(24)
        plain_found = rms_norm(on(x), on(scale), EPS, dtype).cpu()
        gated = gated_rms_norm(on(x), on(gate), on(scale), EPS, dtype).cpu()
        one_more = reference.rms_norm(x, 1 + scale, EPS)
        refuses(plain_found, one_more, dtype)
        # The mean over a power of two of elements instead of the row's own number.
        padded = torch.nn.functional.pad(x, (0, 8))
        refuses(
            plain_found, reference.rms_norm(padded, padded.new_ones(32), EPS)[:, :24] * scale, dtype
        )
        refuses(gated, reference.rms_norm(x, scale, EPS) * gate.float().sigmoid(), dtype)
        refuses(gated, reference.gated_rms_norm(x, gate.roll(1, 0), scale, EPS), dtype)
