"""Products of few rows in C, for every format, at every level that this processor can run."""

from __future__ import annotations

import ctypes

import pytest
import torch
from torch import Tensor

from kernels.native.library import Library
from tests.kernels.conftest import Draw
from tests.kernels.native.packing import FORMATS, Packed, followed_by_nan, pack

# Around whole blocks of 16 outputs and around whole vectors, groups and paddings of inputs.
SIZES = (
    (1, 64), (15, 63), (16, 64), (17, 65), (63, 31), (64, 32), (65, 33),
    (33, 1), (48, 257), (130, 520), (64, 1000), (31, 2080),
)  # fmt: skip
MOST_ROWS = 16


def project(native: Library, matrix: Packed, x: Tensor, *, alone: bool = False) -> Tensor:
    """x [rows, inputs] times the matrix: [rows, outputs], and nothing beside it is written."""
    rows, outputs = len(x), matrix.fields.outputs
    surrounded = torch.full((rows * outputs + 64,), float("nan"))
    y = surrounded[32:-32]
    x = followed_by_nan(x)
    native.call.biplane_project_rows(
        ctypes.byref(matrix.fields), rows, x.data_ptr(), y.data_ptr(), alone
    )
    assert surrounded[:32].isnan().all()
    assert surrounded[-32:].isnan().all()
    return y.view(rows, outputs)


def off_by(found: Tensor, expected: Tensor) -> float:
    """The largest error, as a part of the largest value."""
    assert found.isfinite().all()
    return float((found.double() - expected).abs().max() / expected.abs().max().clamp_min(1e-12))


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("name", FORMATS)
class TestProducts:
    def test_equal_the_reference_for_one_to_sixteen_rows(
        self, native: Library, draw: Draw, name: str, size: tuple[int, int]
    ) -> None:
        matrix, x = pack(name, draw(*size)), draw(MOST_ROWS, size[1])
        # Rows of very different size: each is rounded by itself.
        x *= torch.logspace(-3, 3, MOST_ROWS)[:, None]
        expected = matrix.product(x)
        for rows in range(1, MOST_ROWS + 1):
            found = project(native, matrix, x[:rows])
            for row in range(rows):
                assert off_by(found[row], expected[row]) < 2e-5, (rows, row)

    def test_a_row_has_the_same_bits_alone_and_beside_others(
        self, native: Library, draw: Draw, name: str, size: tuple[int, int]
    ) -> None:
        matrix, x = pack(name, draw(*size)), draw(MOST_ROWS, size[1])
        alone = [project(native, matrix, x[row : row + 1])[0] for row in range(MOST_ROWS)]
        for rows in range(2, MOST_ROWS + 1):
            found = project(native, matrix, x[:rows], alone=True)
            for row in range(rows):
                assert torch.equal(found[row], alone[row]), (rows, row)

    def test_rounding_rows_costs_little(
        self, native: Library, draw: Draw, name: str, size: tuple[int, int]
    ) -> None:
        matrix, x = pack(name, draw(*size)), draw(4, size[1])
        bound = {"int8": 2e-4, "int4": 3e-2}.get(name, 2e-5)
        assert off_by(project(native, matrix, x), matrix.exact(x)) < bound


@pytest.mark.parametrize("name", FORMATS)
class TestPromises:
    @pytest.mark.parametrize("rows", [1, 2, 3, 8, 13])
    def test_threads_do_not_change_a_bit(
        self, native: Library, draw: Draw, name: str, rows: int
    ) -> None:
        matrix, x = pack(name, draw(900, 520)), draw(rows, 520)
        found = []
        for threads in (1, 2, 3, 8):
            native.call.biplane_limit_threads(threads)
            found += [project(native, matrix, x) for _ in range(3)]
        assert all(torch.equal(found[0], other) for other in found[1:])

    def test_a_row_of_zeros_gives_zeros(self, native: Library, draw: Draw, name: str) -> None:
        matrix, x = pack(name, draw(40, 96)), draw(3, 96)
        x[1] = 0
        found = project(native, matrix, x)
        assert not found[1].any()
        assert found[0].any()
        assert found[2].any()

    def test_the_largest_codes_do_not_overflow(self, native: Library, name: str) -> None:
        # All of one sign, so that no sum cancels another.
        matrix = pack(name, torch.full((16, 4096), 3.0))
        for rows in (1, 4):
            x = torch.full((rows, 4096), -7.0)
            assert off_by(project(native, matrix, x), matrix.product(x)) < 2e-5

    def test_what_is_not_a_number_shows_in_its_row_alone(
        self, native: Library, draw: Draw, name: str
    ) -> None:
        matrix, x = pack(name, draw(32, 96)), draw(3, 96)
        expected = matrix.product(x)
        for wrong in (float("nan"), float("inf")):
            for at in (0, 5, 95):
                spoilt = x.clone()
                spoilt[1, at] = wrong
                found = project(native, matrix, spoilt)
                assert not found[1].isfinite().any()
                assert off_by(found[::2], expected[::2]) < 2e-5
