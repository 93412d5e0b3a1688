"""A feed-forward layer of many rows in one call in C, and the norm of many rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.matmul import (
    DenseMatrix,
    Matrix,
    PackedInt4,
    PackedInt8,
    fields_of,
    quantize_int4,
    quantize_int8,
)
from kernels.native.layers import FusedMlp, NormBefore
from kernels.native.library import Library
from kernels.native.many import norm_rows
from kernels.norms import plain as norms
from tests.kernels.conftest import Compare, Draw

# One block of rows that a thread takes is 32, and 512 rows go through the layer at once.
ROWS = (17, 63, 64, 65, 530)
HIDDEN, WIDTH, EPS = 64, 96, 1e-6

Make = Callable[[Library, Tensor], tuple[Matrix, Tensor]]


def bfloat16_made(native: Library, weight: Tensor) -> tuple[Matrix, Tensor]:
    return DenseMatrix(weight.bfloat16()), weight.bfloat16().float()


def int8_made(native: Library, weight: Tensor) -> tuple[Matrix, Tensor]:
    made = PackedInt8(native, quantize_int8(weight))
    return made, made.dense()


def int4_made(native: Library, weight: Tensor) -> tuple[Matrix, Tensor]:
    made = PackedInt4(native, quantize_int4(weight))
    return made, made.dense()


# A matrix, and how far the rounding of rows may take a result.
MAKES: dict[str, tuple[Make, float]] = {
    "bfloat16": (bfloat16_made, 0.015),
    "int8": (int8_made, 0.04),
    "int4": (int4_made, 0.05),
}


class Layer:
    """A layer in C and the weights that it stands for."""

    def __init__(
        self,
        native: Library,
        kind: str,
        draw: Draw,
        *,
        normed: bool = True,
        width: int = WIDTH,
    ) -> None:
        make, self.error = MAKES[kind]
        self._scale, self._normed = 1 + 0.1 * draw(HIDDEN), normed
        gate_up, self._gate_up = make(native, draw(2 * width, HIDDEN) / 8)
        down, self._down = make(native, draw(HIDDEN, width) / 8)
        self._kept = gate_up, down
        fields = fields_of(gate_up), fields_of(down)
        assert fields[0] is not None
        assert fields[1] is not None
        norm = NormBefore(self._scale, EPS) if normed else None
        self.run = FusedMlp(native, norm, fields[0], fields[1])

    def expected(self, x: Tensor) -> Tensor:
        rows = norms.rms_norm(x, self._scale, EPS) if self._normed else x
        gate, up = (rows @ self._gate_up.T).chunk(2, -1)
        return (F.silu(gate) * up) @ self._down.T

    def assert_near(self, found: Tensor, x: Tensor) -> None:
        """Of each row, within the error of the format."""
        wanted = self.expected(x)
        error = (found - wanted).norm(dim=1) / wanted.norm(dim=1)
        assert error.max() <= self.error, f"off by {error.max():.4f}"


@pytest.fixture(params=MAKES)
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


class TestMlp:
    @pytest.mark.parametrize("rows", ROWS)
    def test_equals_the_reference(self, native: Library, kind: str, rows: int, draw: Draw) -> None:
        layer, x = Layer(native, kind, draw), draw(rows, HIDDEN)
        assert layer.run.takes_many
        found = x.clone()
        layer.run(found, found)
        layer.assert_near(found - x, x)

    @pytest.mark.parametrize("width", [32, 80, 95])
    def test_widths_with_and_without_whole_tiles(
        self, native: Library, width: int, draw: Draw
    ) -> None:
        layer, x = Layer(native, "bfloat16", draw, width=width), draw(65, HIDDEN)
        found = x.clone()
        layer.run(found, found)
        layer.assert_near(found - x, x)

    def test_a_row_does_not_depend_on_the_others(
        self, native: Library, kind: str, draw: Draw
    ) -> None:
        layer, x = Layer(native, kind, draw), draw(600, HIDDEN)
        whole, part = x.clone(), x[490:560].clone()
        layer.run(whole, whole)
        layer.run(part, part)
        assert torch.equal(part, whole[490:560])

    def test_threads_change_no_bit(self, native: Library, kind: str, draw: Draw) -> None:
        layer, x = Layer(native, kind, draw), draw(130, HIDDEN)
        results = []
        for threads in (1, 2, 3):
            native.call.biplane_limit_threads(threads)
            results.append(x.clone())
            layer.run(results[-1], results[-1])
        assert torch.equal(results[0], results[1])
        assert torch.equal(results[0], results[2])

    def test_without_a_norm_and_with_a_share_of_each_row(
        self, native: Library, kind: str, draw: Draw
    ) -> None:
        layer, x = Layer(native, kind, draw, normed=False), draw(70, HIDDEN)
        share, out = torch.linspace(0.1, 2.0, 70), draw(70, HIDDEN)
        before = out.clone()
        layer.run(x, out, share)
        layer.assert_near((out - before) / share.unsqueeze(1), x)


class TestNorm:
    @pytest.mark.parametrize("width", [1, 63, 64, 65, 1024])
    def test_equals_the_reference(
        self,
        native: Library,
        tokens: int,
        width: int,
        dtype: torch.dtype,
        draw: Draw,
        assert_close: Compare,
    ) -> None:
        x, scale = draw(tokens, width) * 3, draw(width)
        found = norm_rows(native, x, scale, EPS, dtype)
        assert found.dtype == dtype
        assert_close(found, norms.rms_norm(x, scale, EPS), dtype)
