"""Quantised matrices in their storage layout against the dense matrices they represent."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from kernels.matmul import (
    DenseMatrix,
    Int4Matrix,
    Int8Matrix,
    PackedInt4,
    PackedInt8,
    first_outputs,
    int4_matrix,
    int8_matrix,
    quantize_int4,
    quantize_int8,
    stays_on_device,
)
from kernels.matmul import triton as quant
from kernels.matmul.choice import int4_on_device, int8_on_device
from kernels.matmul.triton import DeviceMatrix, dense_few
from tests.kernels.conftest import DEVICE, Compare, Draw, Move

# Below, at and above a program's rows; inputs within one read, exactly one, and beyond several.
SHAPES = [(1, 32), (3, 96), (4, 512), (5, 1024), (9, 1056), (70, 2112)]
KINDS = ["int8", "int4"]


def made(kind: str, weight: Tensor) -> tuple[DeviceMatrix, Tensor]:
    """The matrix of `weight` and its dequantised values, float32."""
    if kind == "int8":
        eight = quantize_int8(weight)
        return int8_on_device(eight, DEVICE), eight.dense()
    four = quantize_int4(weight)
    return int4_on_device(four, DEVICE), four.dense()


@pytest.mark.parametrize("kind", KINDS)
class TestRow:
    @pytest.mark.parametrize(("outputs", "inputs"), SHAPES)
    def test_equals_the_dense_product(
        self,
        draw: Draw,
        assert_close: Compare,
        on: Move,
        kind: str,
        outputs: int,
        inputs: int,
        dtype: torch.dtype,
    ) -> None:
        matrix, dense = made(kind, draw(outputs, inputs))
        # Of one output the terms must not cancel: errors are measured against it.
        x = draw(inputs).abs().to(dtype)
        found = matrix.project_row(on(x)).cpu()
        assert found.dtype == dtype
        assert_close(found, dense @ x.float(), dtype)

    def test_rounds_nothing_but_the_weights(self, draw: Draw, on: Move, kind: str) -> None:
        """A row with one large entry: rounding it to 8 bits would lose the small ones."""
        matrix, dense = made(kind, draw(8, 64))
        x = draw(64)
        x[5] = 3000.0
        found = matrix.project_row(on(x)).cpu() - dense[:, 5] * 3000.0
        small = dense @ x.where(x < 1000, 0.0)
        assert (found - small).abs().max() < 1e-3 * small.abs().max()

    def test_swapped_codes_or_scales_would_show(
        self, draw: Draw, refuses: Compare, on: Move, kind: str
    ) -> None:
        matrix, dense = made(kind, draw(8, 128))
        x = draw(128)
        found = matrix.project_row(on(x)).cpu()
        pairs = dense.view(8, -1, 2).flip(-1).reshape(8, -1)
        for wrong in (pairs, dense.roll(1, 0), dense.roll(32, 1)):
            refuses(found, wrong @ x, torch.float32)


@pytest.mark.parametrize("kind", KINDS)
class TestRows:
    @pytest.mark.parametrize(("outputs", "inputs"), SHAPES)
    def test_equal_the_dense_product(
        self,
        draw: Draw,
        assert_close: Compare,
        on: Move,
        kind: str,
        outputs: int,
        inputs: int,
        dtype: torch.dtype,
    ) -> None:
        matrix, dense = made(kind, draw(outputs, inputs))
        x = draw(6, inputs).to(dtype)
        found = matrix.project(on(x)).cpu()
        assert found.dtype == dtype
        assert found.is_contiguous()
        assert_close(found, x.float() @ dense.mT, dtype)

    def test_a_single_row_is_the_row(self, draw: Draw, on: Move, kind: str) -> None:
        matrix, _ = made(kind, draw(20, 64))
        x = on(draw(1, 64))
        assert torch.equal(matrix.project(x)[0], matrix.project_row(x[0]))

    @pytest.mark.parametrize("block", [1, 7, 8, 64])
    def test_blocks_do_not_change_a_result(
        self,
        draw: Draw,
        assert_close: Compare,
        on: Move,
        kind: str,
        block: int,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        matrix, dense = made(kind, draw(23, 96))
        x = draw(3, 96)
        monkeypatch.setattr(quant, "OPEN_WEIGHTS", 96 * block)
        assert_close(matrix.project(on(x)).cpu(), x @ dense.mT, torch.float32)

    def test_opened_weights_are_the_stored_ones(self, draw: Draw, on: Move, kind: str) -> None:
        matrix, dense = made(kind, draw(11, 160))
        opened = on(torch.empty(4, 160))
        matrix._open(5, opened)
        assert torch.allclose(opened.cpu(), dense[5:9], atol=1e-6, rtol=1e-6)


class TestFew:
    @pytest.mark.parametrize("kind", ["dense", *KINDS])
    def test_a_row_alone_has_the_same_bits(
        self, draw: Draw, assert_close: Compare, on: Move, kind: str, dtype: torch.dtype
    ) -> None:
        weight, x = draw(40, 640), on(draw(16, 640).to(dtype))
        if kind == "dense":
            dense = on(weight.to(dtype))
            together, expected = dense_few(x, dense), dense.float().cpu()
        else:
            matrix, expected = made(kind, weight)
            together = matrix.few(x)
        assert_close(together.cpu(), x.float().cpu() @ expected.mT, dtype)
        for first, rows in ((0, 1), (7, 1), (15, 1), (3, 5)):
            some = x[first : first + rows]
            alone = dense_few(some, dense) if kind == "dense" else matrix.few(some)
            assert torch.equal(alone, together[first : first + rows])

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_first_outputs_are_a_matrix(self, draw: Draw, on: Move, kind: str) -> None:
        matrix, _ = made(kind, draw(40, 64))
        x = on(draw(2, 64))
        fewer = first_outputs(matrix, 17)
        assert fewer is not None
        assert torch.equal(fewer.project(x), matrix.project(x)[:, :17])
        assert {t.data_ptr() for t in fewer.tensors()} == {t.data_ptr() for t in matrix.tensors()}


class TestKeeping:
    def test_nothing_is_kept_beside_the_stored_tensors(self, draw: Draw, on: Move) -> None:
        eight, four = quantize_int8(draw(8, 64)), quantize_int4(draw(8, 64))
        sizes = [
            sum(part.nbytes for part in matrix.tensors())
            for matrix in (made("int8", draw(8, 64))[0], made("int4", draw(8, 64))[0])
        ]
        assert sizes == [
            eight.codes.nbytes + eight.scale.nbytes,
            four.codes.nbytes + four.scale.nbytes + four.offset.nbytes,
        ]

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_graph_can_hold_it(self, draw: Draw, on: Move, kind: str) -> None:
        assert stays_on_device(made(kind, draw(8, 64))[0])

    def test_a_graph_can_hold_a_dense_matrix_but_no_unknown_one(self, draw: Draw) -> None:
        assert stays_on_device(DenseMatrix(draw(4, 4)))
        assert not stays_on_device(object())  # type: ignore[arg-type]


class TestChoice:
    def test_off_the_cpu_the_stored_layout_is_kept(self, draw: Draw) -> None:
        away = torch.device("meta")
        eight = int8_matrix(quantize_int8(draw(8, 64)), away)
        four = int4_matrix(quantize_int4(draw(8, 64)), away)
        assert isinstance(eight, DeviceMatrix)
        assert isinstance(four, DeviceMatrix)
        assert {part.device for part in (*eight.tensors(), *four.tensors())} == {away}

    def test_on_a_cpu_it_is_packed_for_the_cpu(self, draw: Draw) -> None:
        here = torch.device("cpu")
        assert isinstance(int8_matrix(quantize_int8(draw(8, 64)), here), Int8Matrix | PackedInt8)
        assert isinstance(int4_matrix(quantize_int4(draw(8, 64)), here), Int4Matrix | PackedInt4)
