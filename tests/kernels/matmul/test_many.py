"""Products of many rows in C: at every level of instructions, whatever lies beside the numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from kernels.matmul import PackedInt4, PackedInt8, quantize_int4, quantize_int8
from kernels.native.fields import MatrixFields
from kernels.native.layers import NormBefore
from kernels.native.library import Library
from kernels.native.many import project_gated, project_many, project_normed
from kernels.native.rows import dense_fields
from kernels.norms import plain as norms
from tests.kernels.conftest import Draw

# 17 is the first that few rows leave to these; 1,100 rows are more than one panel of them.
ROWS = (17, 63, 64, 65, 200)
# Outputs around a panel of 32 and a block of 16; inputs around a tile, and several panels of them.
SHAPES = [(64, 64), (63, 96), (65, 160), (33, 32), (100, 1056), (8, 64)]
ODD_SHAPES = [(63, 33), (65, 65), (1, 31), (31, 1)]
LIMIT = 127.0


class Made:
    """A stored matrix and the weights [outputs, inputs] float32 that it stands for."""

    def __init__(self, fields: MatrixFields, dense: Tensor, kept: object) -> None:
        self.fields, self.dense, self._kept = fields, dense, kept


def int8_made(native: Library, weight: Tensor) -> Made:
    made = quantize_int8(weight)
    packed = PackedInt8(native, made)
    return Made(packed.fields, made.dense(), packed)


def int4_made(native: Library, weight: Tensor) -> Made:
    made = quantize_int4(weight)
    packed = PackedInt4(native, made)
    return Made(packed.fields, made.dense(), packed)


def bfloat16_made(native: Library, weight: Tensor) -> Made:
    # NaN after the last row: a read beyond it would spoil the sums.
    room = torch.full((weight.numel() + 64,), float("nan"), dtype=torch.bfloat16)
    stored = room[: weight.numel()].view(weight.shape)
    stored.copy_(weight)
    fields = dense_fields(stored)
    assert fields is not None
    return Made(fields, stored.float(), room)


Make = Callable[[Library, Tensor], Made]
ROUNDED = [int8_made, int4_made]


def rounded_rows(x: Tensor) -> tuple[Tensor, Tensor]:
    """Codes of rows x and their scales [rows, 1], as the kernels round them."""
    scale = x.float().abs().amax(1, keepdim=True).clamp_min(1e-30) * (1 / LIMIT)
    return (x.float() * (1 / scale)).round(), scale


def within_nan(x: Tensor) -> Tensor:
    """The same rows with NaN on all sides."""
    room = torch.full((len(x) + 2, x.shape[1] + 19), float("nan"), dtype=x.dtype)
    inner = room[1:-1, 7 : 7 + x.shape[1]]
    inner.copy_(x)
    return inner


def exact(x: Tensor, dense: Tensor) -> Tensor:
    return (x.double() @ dense.double().T).float()


def assert_near(found: Tensor, x: Tensor, made: Made, *, step: float, size: Tensor) -> None:
    """Within half a step of every activation times its weight, and the result's rounding."""
    wanted = exact(x, made.dense)
    rounding = 2**-8 if found.dtype == torch.bfloat16 else 2**-18
    sizes = x.float().abs() @ made.dense.abs().T
    bound = step * size * made.dense.abs().sum(1) + rounding * sizes + 1e-30
    worst = ((found.float() - wanted).abs() / bound).max()
    assert worst <= 1.0, f"off by {worst:.2f} times what rounding allows"


class TestEightBits:
    @pytest.mark.parametrize("rows", ROWS)
    @pytest.mark.parametrize("shape", [*SHAPES, *ODD_SHAPES], ids=str)
    def test_integers_are_summed_exactly(
        self, native: Library, rows: int, shape: tuple[int, int], dtype: torch.dtype, draw: Draw
    ) -> None:
        made = int8_made(native, draw(*shape))
        x = draw(rows, shape[1]).to(dtype)
        codes, scale = rounded_rows(x)
        found = project_many(native, made.fields, within_nan(x))
        steps = made.dense.abs().amax(1) / LIMIT
        inner = codes.double() @ (made.dense.double() / steps.clamp_min(1e-30).double()[:, None]).T
        wanted = inner.round() * scale.double() * steps.double()
        rounding = 2**-8 if dtype == torch.bfloat16 else 2**-20
        assert ((found.double() - wanted).abs() <= rounding * wanted.abs() + 1e-12).all()

    def test_rows_of_very_different_sizes(self, native: Library, draw: Draw) -> None:
        made = int8_made(native, draw(100, 64))
        x = draw(65, 64) * torch.logspace(-12, 12, 65).unsqueeze(1)
        size = x.abs().amax(1, keepdim=True)
        assert_near(project_many(native, made.fields, x), x, made, step=0.502 / LIMIT, size=size)

    def test_a_row_of_zeros_gives_zeros(self, native: Library, draw: Draw) -> None:
        made, x = int8_made(native, draw(100, 64)), draw(40, 64)
        x[20] = 0
        found = project_many(native, made.fields, x)
        assert found[20].count_nonzero() == 0
        assert found[19].count_nonzero() > 90


class TestFourBits:
    @pytest.mark.parametrize("rows", ROWS)
    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    def test_error_is_that_of_two_roundings(
        self, native: Library, rows: int, shape: tuple[int, int], dtype: torch.dtype, draw: Draw
    ) -> None:
        made = int4_made(native, draw(*shape))
        x = draw(rows, shape[1]).to(dtype)
        found = project_many(native, made.fields, within_nan(x))
        # Weights are rounded to a 127th of the largest that an output's groups could hold.
        largest = 1.2 * made.dense.abs().amax(1)
        weights = 0.55 / LIMIT * largest * x.float().abs().sum(1, keepdim=True)
        rows_ = 0.502 / LIMIT * x.float().abs().amax(1, keepdim=True) * made.dense.abs().sum(1)
        rounding = 2**-8 if dtype == torch.bfloat16 else 2**-18
        sizes = x.float().abs() @ made.dense.abs().T
        error = (found.float() - exact(x, made.dense)).abs()
        assert (error <= weights + rows_ + rounding * sizes).all()

    def test_the_second_rounding_costs_little(self, native: Library, draw: Draw) -> None:
        weight, x = draw(256, 512), draw(200, 512)
        made = int4_made(native, weight)
        found = project_many(native, made.fields, x)
        wanted = exact(x, weight)
        first = (exact(x, made.dense) - wanted).norm()
        assert (found - wanted).norm() <= 1.02 * first

    def test_groups_of_very_different_sizes(self, native: Library, draw: Draw) -> None:
        weight = draw(64, 128)
        weight[:, 32:64] *= 100
        weight[:, 64:96] = 0
        made = int4_made(native, weight)
        x = draw(33, 128)
        found = project_many(native, made.fields, x)
        error = (found - exact(x, made.dense)).norm() / exact(x, made.dense).norm()
        assert error < 0.02


class TestBfloat16:
    @pytest.mark.parametrize("rows", ROWS)
    @pytest.mark.parametrize("shape", [*SHAPES, *ODD_SHAPES], ids=str)
    def test_error_is_that_of_the_result(
        self, native: Library, rows: int, shape: tuple[int, int], dtype: torch.dtype, draw: Draw
    ) -> None:
        made = bfloat16_made(native, draw(*shape))
        x = draw(rows, shape[1]).bfloat16().to(dtype)
        found = project_many(native, made.fields, within_nan(x))
        assert found.dtype == dtype
        assert_near(found, x, made, step=0.0, size=torch.zeros(rows, 1))

    @pytest.mark.parametrize("inputs", [2048, 4096, 4128])
    def test_rows_of_weights_as_far_apart_as_pages(
        self, native: Library, inputs: int, draw: Draw
    ) -> None:
        made = bfloat16_made(native, draw(50, inputs))
        x = draw(300, inputs).bfloat16()
        found = project_many(native, made.fields, within_nan(x))
        error = (found.float() - exact(x, made.dense)).norm() / exact(x, made.dense).norm()
        assert error < 0.004
        assert torch.equal(project_many(native, made.fields, x[:40]), found[:40])


@pytest.mark.parametrize("make", [*ROUNDED, bfloat16_made])
class TestAll:
    def test_more_rows_than_stay_in_a_cache(self, native: Library, make: Make, draw: Draw) -> None:
        made = make(native, draw(300, 2080))
        x = draw(1100, 2080).bfloat16()
        whole = project_many(native, made.fields, x)
        assert whole.isfinite().all()
        error = (whole.float() - exact(x, made.dense)).norm() / exact(x, made.dense).norm()
        assert error < 0.02
        for rows in (slice(0, 17), slice(500, 565), slice(1037, 1100)):
            assert torch.equal(project_many(native, made.fields, x[rows]), whole[rows])

    @pytest.mark.parametrize("rows", [17, 65, 600])
    def test_threads_change_no_bit(
        self, native: Library, make: Make, rows: int, draw: Draw
    ) -> None:
        made = make(native, draw(200, 352))
        x = draw(rows, 352).bfloat16()
        native.call.biplane_limit_threads(1)
        alone = project_many(native, made.fields, x)
        for threads in (2, 3):
            native.call.biplane_limit_threads(threads)
            assert torch.equal(project_many(native, made.fields, x), alone)

    @pytest.mark.parametrize("rows", [17, 32, 65])
    @pytest.mark.parametrize("inputs", [31, 64, 352])
    def test_a_norm_before_it(
        self,
        native: Library,
        make: Make,
        rows: int,
        inputs: int,
        draw: Draw,
        dtype: torch.dtype,
    ) -> None:
        if make is not bfloat16_made and inputs % 32:
            pytest.skip("4-bit weights come in groups of 32 inputs")
        made, x, scale = make(native, draw(65, inputs)), 3.0 * draw(rows, inputs), draw(inputs)
        norm = NormBefore(scale, 1e-6)
        found = project_normed(native, made.fields, norm.fields(), x, dtype)
        assert found.dtype == dtype
        normed = norms.rms_norm(x, scale, 1e-6)
        wanted = project_many(native, made.fields, normed).to(dtype)
        # A number between two roundings may fall to either side.
        error = (found.float() - wanted.float()).norm() / wanted.float().norm()
        assert error < 0.004

    @pytest.mark.parametrize("rows", [17, 32, 65])
    @pytest.mark.parametrize("inputs", [31, 64, 352])
    def test_a_gate_before_it(
        self,
        native: Library,
        make: Make,
        rows: int,
        inputs: int,
        draw: Draw,
        dtype: torch.dtype,
    ) -> None:
        if make is not bfloat16_made and inputs % 32:
            pytest.skip("4-bit weights come in groups of 32 inputs")
        made = make(native, draw(65, inputs))
        x, gate = (3.0 * draw(rows, inputs).to(dtype) for _ in range(2))
        found = draw(rows, 65)
        wanted = found + project_many(native, made.fields, x.float() * gate.float().sigmoid())
        assert project_gated(native, made.fields, within_nan(x), within_nan(gate), found) is found
        error = (found - wanted).norm() / wanted.norm()
        assert error < 0.004
        ungated = found - project_many(native, made.fields, x.float())
        assert ungated.norm() / wanted.norm() > 0.1

    @pytest.mark.parametrize("outputs", [63, 64, 65])
    def test_adds_to_rows_and_to_nothing_beside_them(
        self, native: Library, make: Make, outputs: int, draw: Draw, dtype: torch.dtype
    ) -> None:
        made = make(native, draw(outputs, 96))
        x = draw(65, 96).bfloat16()
        plain = project_many(native, made.fields, x.float())
        room = torch.full((67, outputs + 9), float("nan"), dtype=dtype)
        before = draw(65, outputs).to(dtype)
        inner = room[1:66, 3 : 3 + outputs]
        inner.copy_(before)
        assert project_many(native, made.fields, x, inner) is inner
        bound = 1e-5 if dtype == torch.float32 else 2**-8
        error = (inner.float() - before.float() - plain).abs()
        assert (error <= bound * (inner.float().abs() + 1)).all()
        assert int(room.isfinite().sum()) == inner.numel()

    def test_rows_are_not_touched(self, native: Library, make: Make, draw: Draw) -> None:
        made, x = make(native, draw(100, 64)), draw(40, 64)
        before = x.clone()
        project_many(native, made.fields, x)
        assert torch.equal(x, before)

    def test_no_rows_give_no_rows(self, native: Library, make: Make, draw: Draw) -> None:
        made = make(native, draw(100, 64))
        assert project_many(native, made.fields, draw(0, 64)).shape == (0, 100)
