"""Matrices in 4 bits: the accuracy of the weights, and two ways to compute one product."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from kernels.matmul import int4
from kernels.matmul.int4 import (
    BLOCK_ROWS,
    DENSE_ROWS,
    GROUP,
    Int4Matrix,
    Int4Weight,
    fits_int4,
    quantize_int4,
)
from tests.kernels.conftest import Draw

ROWS = (1, 2, 63, 64, 65, 200)
SHAPES = [(64, 96), (100, 160), (200, 32)]


def levels_of(weight: Int4Weight) -> Tensor:
    """The 16 values that each group can take, [outputs, groups, 16] float32."""
    codes = torch.arange(16.0) - 8.0
    return codes * weight.scale.float().unsqueeze(-1) + weight.offset.float().unsqueeze(-1)


def grouped(weight: Tensor) -> Tensor:
    return weight.float().view(len(weight), -1, GROUP)


def worst(found: Tensor, x: Tensor, weight: Int4Weight) -> float:
    """The largest error as a share of what bfloat16 explains.

    Rows, weights (product and sum) and the result are rounded to 8 bits each.
    """
    exact = x.float() @ weight.dense().T
    steps = (weight.dense() - _spread(weight.offset)).abs() + _spread(weight.offset).abs()
    bound = 4 * 2**-9 * (x.float().abs() @ steps.T) + 2**-8 * exact.abs()
    return float(((found.float() - exact).abs() / bound).max())


def _spread(per_group: Tensor) -> Tensor:
    return per_group.float().repeat_interleave(GROUP, 1)


class TestWeights:
    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    def test_every_weight_takes_the_nearest_level(
        self, shape: tuple[int, int], dtype: torch.dtype, draw: Draw
    ) -> None:
        weight = draw(*shape).to(dtype)
        made = quantize_int4(weight)
        assert made.codes.shape == (shape[0], shape[1] // 2)
        assert (made.codes.dtype, made.scale.dtype) == (torch.uint8, torch.bfloat16)
        error = (grouped(made.dense()) - grouped(weight)).abs()
        distance = (grouped(weight).unsqueeze(-1) - levels_of(made).unsqueeze(2)).abs().amin(-1)
        assert (error <= distance + 1e-6).all()

    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    def test_what_lies_between_the_levels_is_within_half_a_step(
        self, shape: tuple[int, int], draw: Draw
    ) -> None:
        weight = draw(*shape)
        made = quantize_int4(weight)
        levels, wanted = levels_of(made), grouped(weight)
        inside = (wanted >= levels[..., :1]) & (wanted <= levels[..., -1:])
        step = made.scale.float().unsqueeze(-1)
        error = (grouped(made.dense()) - wanted).abs()
        assert (error <= step * 0.5001)[inside].all()
        # A narrower range may clip the two extremes of a group and little more.
        assert inside.float().mean() > 0.9
        assert (error <= 2 * step).all()

    def test_the_chosen_range_is_no_worse_than_the_whole(
        self, draw: Draw, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        weight = draw(100, 160)
        chosen = (quantize_int4(weight).dense() - weight).square().sum()
        monkeypatch.setattr(int4, "SHRINK", (1.0,))
        whole = (quantize_int4(weight).dense() - weight).square().sum()
        assert chosen < 0.99 * whole

    def test_lines_fitted_to_the_codes_are_nearer(
        self, draw: Draw, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        weight = draw(100, 160)
        fitted = (quantize_int4(weight).dense() - weight).square().sum()
        monkeypatch.setattr(int4, "FITS", 0)
        ranges = (quantize_int4(weight).dense() - weight).square().sum()
        assert fitted < 0.95 * ranges

    def test_the_original_is_not_touched(self, dtype: torch.dtype, draw: Draw) -> None:
        weight = draw(20, 32).to(dtype)
        before = weight.clone()
        quantize_int4(weight)
        assert torch.equal(weight, before)

    def test_blocks_of_rows_change_nothing(self, draw: Draw) -> None:
        weight = draw(BLOCK_ROWS + 3, 64)
        made, last = quantize_int4(weight), quantize_int4(weight[-5:])
        assert torch.equal(made.codes[-5:], last.codes)
        assert torch.equal(made.scale[-5:], last.scale)
        assert torch.equal(made.offset[-5:], last.offset)

    def test_codes_come_back_as_they_went_in(self, draw: Draw) -> None:
        codes = torch.randint(0, 16, (20, 64), generator=torch.Generator().manual_seed(2))
        low, high = codes.to(torch.uint8).view(20, -1, 2).unbind(-1)
        made = Int4Weight(low | high << 4, torch.ones(20, 2), torch.zeros(20, 2))
        assert torch.equal(made.unpacked().long(), codes)
        assert torch.equal(made.dense(), codes.float() - 8.0)

    def test_groups_of_zeros_and_of_one_value(self, draw: Draw) -> None:
        weight = draw(3, 96)
        weight[0, 32:64] = 0
        weight[1, :32] = 0.75
        weight[2] = 0
        made = quantize_int4(weight).dense()
        assert made[0, 32:64].abs().max() <= 1e-8
        assert (made[1, :32] - 0.75).abs().max() <= 1e-8
        assert made[2].abs().max() <= 1e-8
        found = Int4Matrix(quantize_int4(weight)).project(draw(3, 96))
        assert found[:, 2].abs().max() < 1e-5

    @pytest.mark.parametrize(
        ("shape", "fits"), [((1, 32), True), ((7, 96), True), ((64, 48), False), ((0, 32), False)]
    )
    def test_which_shapes_fit(self, shape: tuple[int, int], fits: bool) -> None:
        assert fits_int4(*shape) == fits


class TestProduct:
    @pytest.mark.parametrize("rows", ROWS)
    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    def test_error_is_that_of_bfloat16(
        self, rows: int, shape: tuple[int, int], dtype: torch.dtype, draw: Draw
    ) -> None:
        weight = quantize_int4(draw(*shape))
        x = draw(rows, shape[1]).to(dtype)
        found = Int4Matrix(weight).project(x)
        assert found.shape == (rows, shape[0])
        assert found.dtype == dtype
        assert worst(found, x, weight) <= 1.0

    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    def test_one_row(self, shape: tuple[int, int], dtype: torch.dtype, draw: Draw) -> None:
        weight = quantize_int4(draw(*shape))
        x = draw(shape[1]).to(dtype)
        found = Int4Matrix(weight).project_row(x)
        assert found.shape == shape[:1]
        assert worst(found.unsqueeze(0), x.unsqueeze(0), weight) <= 1.0

    def test_a_row_of_zeros_gives_zeros(self, dtype: torch.dtype, draw: Draw) -> None:
        x = draw(3, 64).to(dtype)
        x[1] = 0
        found = Int4Matrix(quantize_int4(draw(100, 64))).project(x)
        assert found[1].count_nonzero() == 0
        assert found[[0, 2]].count_nonzero() > 150

    def test_the_rows_are_not_touched(self, dtype: torch.dtype, draw: Draw) -> None:
        x = draw(100, 64).to(dtype)
        before, matrix = x.clone(), Int4Matrix(quantize_int4(draw(100, 64)))
        matrix.project(x)
        matrix.project(x[:5])
        assert torch.equal(x, before)

    def test_bytes_are_about_five_bits_per_weight(self, draw: Draw) -> None:
        matrix = Int4Matrix(quantize_int4(draw(512, 512)))
        # 4 bits of code and 32 bits of scale and offset per group of 32.
        assert sum(t.nbytes for t in matrix.tensors()) == 512 * 512 * 5 // 8


class TestUnpacked:
    @pytest.mark.parametrize("outputs", [1, 64, 100, 128, 200])
    def test_codes_are_where_they_were(self, outputs: int) -> None:
        """With steps of one the weights are restored to the last bit, whatever the layout."""
        draw = torch.Generator().manual_seed(3)
        codes = torch.randint(0, 256, (outputs, 48), generator=draw).to(torch.uint8)
        ones = torch.ones(outputs, 3, dtype=torch.bfloat16)
        weight = Int4Weight(codes, ones, 0 * ones)
        if int4._halves() is None:
            pytest.skip("this machine's packed layout is one that is not unpacked")
        found = Int4Matrix(weight)._unpacked()[:, :outputs]
        assert torch.equal(found.float(), weight.dense().T)

    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    def test_both_ways_agree(
        self,
        shape: tuple[int, int],
        dtype: torch.dtype,
        draw: Draw,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        weight = quantize_int4(draw(*shape))
        matrix, x = Int4Matrix(weight), draw(DENSE_ROWS + 1, shape[1]).to(dtype)
        called = []
        plain = matrix._unpacked

        def counted() -> Tensor:
            called.append(1)
            return plain()

        monkeypatch.setattr(matrix, "_unpacked", counted)
        dense = matrix.project(x)
        assert len(called) == (int4._halves() is not None)
        few = torch.cat((matrix.project(x[:DENSE_ROWS]), matrix.project(x[DENSE_ROWS:])))
        assert len(called) <= 1
        largest = dense.float().abs().max()
        assert (dense.float() - few.float()).abs().max() <= 2e-2 * largest

    def test_an_unknown_layout_is_never_unpacked(
        self, draw: Draw, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(int4, "_halves", lambda: None)
        weight, x = quantize_int4(draw(100, 64)), draw(200, 64).bfloat16()
        matrix = Int4Matrix(weight)
        monkeypatch.setattr(matrix, "_unpacked", lambda: pytest.fail("unpacked"))
        assert worst(matrix.project(x), x, weight) <= 1.0


class TestTeeth:
    @pytest.mark.parametrize("rows", [9, DENSE_ROWS + 30])
    def test_faults_are_caught(self, rows: int, draw: Draw) -> None:
        weight, x = quantize_int4(draw(100, 64)), draw(rows, 64)
        faults = {
            "scale off by one row": Int4Weight(
                weight.codes, weight.scale.roll(1, 0), weight.offset
            ),
            "offset off by one group": Int4Weight(
                weight.codes, weight.scale, weight.offset.roll(1, 1)
            ),
            "nibbles swapped": Int4Weight(
                weight.codes << 4 | weight.codes >> 4, weight.scale, weight.offset
            ),
            "codes off by one row": Int4Weight(
                weight.codes.roll(1, 0), weight.scale, weight.offset
            ),
        }
        for name, fault in faults.items():
            assert worst(Int4Matrix(fault).project(x), x, weight) > 1.5, name

    def test_the_wrong_half_of_a_block_is_caught(
        self, draw: Draw, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        halves = int4._halves()
        if halves is None:
            pytest.skip("this machine's packed layout is one that is not unpacked")
        weight, x = quantize_int4(draw(128, 64)), draw(DENSE_ROWS + 30, 64)
        matrix = Int4Matrix(weight)
        monkeypatch.setattr(int4, "_halves", lambda: not halves)
        assert worst(matrix.project(x), x, weight) > 10
