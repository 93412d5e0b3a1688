"""Matrices in 8 bits: the accuracy of weights and products, and the independence of rows."""

from __future__ import annotations

import time

import pytest
import torch
from torch import Tensor

from kernels.cpu import fast_int8
from kernels.matmul import matrix
from kernels.matmul.int8 import (
    BLOCK_ROWS,
    FEW_ROWS,
    LIMIT,
    Int8Matrix,
    Int8Weight,
    Int8WideMatrix,
    quantize_int8,
    quantize_rows,
)
from tests.kernels.conftest import Draw

ROWS = (1, 2, 63, 64, 65, 200)
SHAPES = [(64, 96), (100, 160), (200, 33)]
# Without VNNI oneDNN adds pairs of products in 16 bits, which saturates: `choice` never takes
# `Int8Matrix` there, and nothing is promised of it.
exact_products = pytest.mark.skipif(
    not fast_int8(), reason="the processor's 8-bit products are not exact"
)


def bound_of(x: Tensor, weight: Int8Weight) -> Tensor:
    """Half a step of every activation, times its weights, plus the output's rounding."""
    _, scale = quantize_rows(x)
    meets = weight.dense().abs().sum(1)
    exact = x.float() @ weight.dense().T
    # One rounding of the scaled sum and one of its product with the row's scale.
    rounding = 2**-8 if x.dtype == torch.bfloat16 else 2**-20
    return 0.501 * scale * meets + rounding * (exact.abs() + scale * meets)


def worst(found: Tensor, x: Tensor, weight: Int8Weight) -> float:
    """The largest error as a share of its bound."""
    error = (found.float() - x.float() @ weight.dense().T).abs()
    return float((error / bound_of(x, weight)).max())


def least_seconds(matrix: Int8Matrix, x: Tensor) -> float:
    took = []
    for _ in range(20):
        began = time.perf_counter()
        matrix.project(x)
        took.append(time.perf_counter() - began)
    return min(took)


class TestWeights:
    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    def test_every_weight_is_within_half_a_step(
        self, shape: tuple[int, int], dtype: torch.dtype, draw: Draw
    ) -> None:
        weight = draw(*shape).to(dtype)
        made = quantize_int8(weight)
        assert made.codes.dtype == torch.int8
        assert made.scale.dtype == torch.float32
        step = made.scale.unsqueeze(1)
        assert ((made.dense() - weight.float()).abs() <= step * 0.5001).all()
        # The largest of a row takes the last code, so no step is wider than necessary.
        assert (made.codes.abs().amax(1) == LIMIT).all()

    def test_codes_of_what_was_quantised_are_the_same(self, draw: Draw) -> None:
        once = quantize_int8(draw(50, 64))
        twice = quantize_int8(once.dense())
        assert torch.equal(once.codes, twice.codes)

    def test_rows_of_zeros_stay_zero(self, draw: Draw) -> None:
        weight = draw(5, 32)
        weight[[0, 3]] = 0
        made = quantize_int8(weight)
        assert made.dense()[[0, 3]].count_nonzero() == 0
        assert torch.isfinite(made.scale).all()
        found = Int8Matrix(made).project(draw(3, 32))
        assert found[:, [0, 3]].count_nonzero() == 0

    def test_the_original_is_not_touched(self, dtype: torch.dtype, draw: Draw) -> None:
        weight = draw(20, 32).to(dtype)
        before = weight.clone()
        quantize_int8(weight)
        assert torch.equal(weight, before)

    def test_blocks_of_rows_change_nothing(self, draw: Draw) -> None:
        weight = draw(BLOCK_ROWS + 3, 8)
        made, last = quantize_int8(weight), quantize_int8(weight[-5:])
        assert torch.equal(made.codes[-5:], last.codes)
        assert torch.equal(made.scale[-5:], last.scale)


class TestRows:
    @pytest.mark.parametrize("size", [1e-25, 1.0, 1e25])
    def test_every_activation_is_within_half_a_step(
        self, dtype: torch.dtype, draw: Draw, size: float
    ) -> None:
        x = (draw(70, 50) * size).to(dtype)
        codes, scale = quantize_rows(x)
        assert ((codes.float() * scale - x.float()).abs() <= scale * 0.501).all()
        assert codes.abs().max() <= LIMIT

    def test_a_scale_has_the_digits_of_bfloat16(self, draw: Draw) -> None:
        _, scale = quantize_rows(draw(70, 50))
        assert torch.equal(scale.bfloat16().float(), scale)

    def test_no_code_passes_the_limit(self) -> None:
        # A scale rounded down would give a code of 128, which wraps to -128.
        x = torch.linspace(1.0, 2.0, 5000).unsqueeze(1)
        codes, _ = quantize_rows(x)
        assert codes.min() > 0


@exact_products
class TestProduct:
    @pytest.mark.parametrize("rows", ROWS)
    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    def test_error_is_that_of_the_activations(
        self, rows: int, shape: tuple[int, int], dtype: torch.dtype, draw: Draw
    ) -> None:
        weight = quantize_int8(draw(*shape))
        x = draw(rows, shape[1]).to(dtype)
        found = Int8Matrix(weight).project(x)
        assert found.shape == (rows, shape[0])
        assert found.dtype == dtype
        assert worst(found, x, weight) <= 1.0

    def test_rows_of_very_different_sizes(self, dtype: torch.dtype, draw: Draw) -> None:
        weight = quantize_int8(draw(100, 64))
        x = (draw(65, 64) * torch.logspace(-12, 12, 65).unsqueeze(1)).to(dtype)
        assert worst(Int8Matrix(weight).project(x), x, weight) <= 1.0

    def test_a_row_of_zeros_gives_zeros(self, dtype: torch.dtype, draw: Draw) -> None:
        x = draw(3, 64).to(dtype)
        x[1] = 0
        found = Int8Matrix(quantize_int8(draw(100, 64))).project(x)
        assert found[1].count_nonzero() == 0
        assert found[[0, 2]].count_nonzero() > 150

    def test_small_integers_are_exact(self) -> None:
        """Codes and scales without rounding: the products are the integers themselves."""
        draw = torch.Generator().manual_seed(1)
        codes = torch.randint(-127, 128, (100, 40), generator=draw, dtype=torch.int8)
        weight = Int8Weight(codes, torch.ones(100))
        x = torch.randint(-100, 101, (20, 40), generator=draw).float()
        inner, scale = quantize_rows(x)
        expected = (inner.long() @ codes.long().T).float() * scale
        assert torch.equal(Int8Matrix(weight).project(x), expected)

    @pytest.mark.parametrize("threads", [1, 2])
    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    def test_a_row_gives_the_same_bits_alone_and_in_a_batch(
        self, shape: tuple[int, int], threads: int, dtype: torch.dtype, draw: Draw
    ) -> None:
        torch.set_num_threads(threads)
        matrix = Int8Matrix(quantize_int8(draw(*shape)))
        x = draw(max(ROWS), shape[1]).to(dtype)
        whole = matrix.project(x)
        for rows in ROWS:
            assert torch.equal(matrix.project(x[:rows]), whole[:rows])
            assert torch.equal(matrix.project(x[-rows:]), whole[-rows:])
        for at in (0, 64, 199):
            assert torch.equal(matrix.project_row(x[at]), whole[at])

    @pytest.mark.parametrize("shape", [(768, 256), (100, 256), (64, 64), (1, 64)], ids=str)
    def test_one_row_of_a_small_matrix_takes_no_reference_loop(
        self, shape: tuple[int, int], draw: Draw
    ) -> None:
        """The reference loop takes 5 ms for a row of 768 by 256; 64 rows take 0.1 ms."""
        matrix = Int8Matrix(quantize_int8(draw(*shape)))
        row, many = draw(1, shape[1]), draw(64, shape[1])
        assert torch.equal(matrix.project(torch.cat((row, many)))[:1], matrix.project(row))
        assert least_seconds(matrix, row) < 10 * least_seconds(matrix, many)

    def test_no_rows_give_no_rows(self, draw: Draw) -> None:
        assert Int8Matrix(quantize_int8(draw(100, 64))).project(draw(0, 64)).shape == (0, 100)

    def test_bytes_are_about_one_per_weight(self, draw: Draw) -> None:
        matrix = Int8Matrix(quantize_int8(draw(512, 512)))
        assert 512 * 512 <= sum(t.nbytes for t in matrix.tensors()) < 1.05 * 512 * 512

    def test_the_rows_are_not_touched(self, dtype: torch.dtype, draw: Draw) -> None:
        x = draw(3, 64).to(dtype)
        before, matrix = x.clone(), Int8Matrix(quantize_int8(draw(100, 64)))
        matrix.project(x)
        matrix.project_row(x[0])
        assert torch.equal(x, before)


@exact_products
class TestTeeth:
    def test_a_scale_off_by_one_row_is_caught(self, draw: Draw) -> None:
        weight, x = quantize_int8(draw(100, 64)), draw(9, 64)
        moved = Int8Weight(weight.codes, weight.scale.roll(1))
        assert worst(Int8Matrix(moved).project(x), x, weight) > 1.5

    def test_codes_off_by_one_input_are_caught(self, draw: Draw) -> None:
        weight, x = quantize_int8(draw(100, 64)), draw(9, 64)
        moved = Int8Weight(weight.codes.roll(1, 1), weight.scale)
        assert worst(Int8Matrix(moved).project(x), x, weight) > 10

    def test_one_code_of_one_weight_is_caught(self, draw: Draw) -> None:
        weight, x = quantize_int8(draw(100, 64)), draw(200, 64)
        codes = weight.codes.clone()
        codes[50, 20] = -codes[50, 20] if codes[50, 20].abs() > 40 else 127
        assert worst(Int8Matrix(Int8Weight(codes, weight.scale)).project(x), x, weight) > 1.5


class TestWideProduct:
    """Unrounded rows: the only error is the output's rounding."""

    @pytest.mark.parametrize("rows", [*ROWS, FEW_ROWS, FEW_ROWS + 1])
    @pytest.mark.parametrize("shape", [*SHAPES, (300, 64), (320, 64)], ids=str)
    def test_error_is_that_of_the_rounding(
        self, rows: int, shape: tuple[int, int], dtype: torch.dtype, draw: Draw
    ) -> None:
        weight = quantize_int8(draw(*shape))
        x = draw(rows, shape[1]).to(dtype)
        matrix = Int8WideMatrix(weight)
        exact = x.double() @ weight.dense().double().T
        meets = x.double().abs() @ weight.dense().double().abs().T
        rounding = 2**-7 if dtype == torch.bfloat16 else 2**-18
        for found in (matrix.project(x), torch.stack([matrix.project_row(row) for row in x])):
            assert found.dtype == dtype
            assert ((found.double() - exact).abs() <= rounding * meets).all()

    def test_blocks_of_outputs_change_nothing(
        self, monkeypatch: pytest.MonkeyPatch, draw: Draw
    ) -> None:
        wide = Int8WideMatrix(quantize_int8(draw(200, 64)))
        x = draw(FEW_ROWS + 1, 64)
        whole = wide.project(x)
        monkeypatch.setattr(matrix, "WIDE_OUTPUTS", 64)
        assert torch.allclose(wide.project(x), whole, rtol=1e-6, atol=1e-5)
