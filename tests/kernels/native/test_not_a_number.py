"""What is not a number stays so: in all results of its row, and in those of no other row."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product

import pytest
import torch
from torch import Tensor

from kernels.attention.native import attend_many, attend_rows
from kernels.gated_delta.native import sweep
from kernels.native.layers import FusedMlp, NormBefore
from kernels.native.library import Library
from kernels.native.many import norm_rows, project_gated, project_many, project_normed
from kernels.native.rows import MOST_FEW
from tests.kernels.attention.test_native import KV_HEADS, filled
from tests.kernels.conftest import Draw
from tests.kernels.gated_delta.test_sweep import given
from tests.kernels.native.packing import FORMATS, Packed, pack
from tests.kernels.native.test_layers import EXTENTS, SHAPE, Attention, Linear
from tests.kernels.native.test_rows import project

# Over 32 inputs, so that several groups and vectors follow what is wrong, and some go before it.
INPUTS, OUTPUTS = 97, 40
WRONG = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
MANY_FORMATS = ("bfloat16", "int8", "int4")


def formats_of(counts: Iterable[int]) -> list[tuple[str, int]]:
    """Formats with the numbers of rows that are multiplied by them in C."""
    every = product(FORMATS, counts)
    return [(name, rows) for name, rows in every if name in MANY_FORMATS or rows <= MOST_FEW]


def projected(native: Library, matrix: Packed, x: Tensor) -> Tensor:
    if len(x) <= MOST_FEW:
        return project(native, matrix, x.float())
    return project_many(native, matrix.fields, x)


def spoilt(x: Tensor, row: int, at: int, wrong: float) -> Tensor:
    x = x.clone()
    x[row, at] = wrong
    return x


def assert_in_its_row_alone(found: Tensor, clean: Tensor, row: int, wrong: float) -> None:
    others = torch.arange(len(clean)) != row
    assert torch.equal(found[others], clean[others])
    assert not found[row].isfinite().any()
    if math.isnan(wrong):
        assert found[row].isnan().all()


@pytest.fixture(params=WRONG)
def wrong(request: pytest.FixtureRequest) -> float:
    return WRONG[request.param]


class TestProducts:
    @pytest.mark.parametrize(("name", "rows"), formats_of(range(1, 65)))
    def test_of_one_to_sixty_four_rows(
        self, native: Library, draw: Draw, name: str, rows: int
    ) -> None:
        matrix, row = pack(name, draw(OUTPUTS, INPUTS)), rows // 2
        for x in (draw(rows, INPUTS), draw(rows, INPUTS).bfloat16()):
            clean = projected(native, matrix, x)
            for wrong in WRONG.values():
                for at in (0, 50, INPUTS - 1):
                    found = projected(native, matrix, spoilt(x, row, at, wrong))
                    assert_in_its_row_alone(found, clean, row, wrong)

    @pytest.mark.parametrize(("name", "rows"), formats_of((1, 3, 16, 17, 40)))
    def test_of_a_row_with_nothing_else(
        self, native: Library, draw: Draw, name: str, rows: int, wrong: float
    ) -> None:
        matrix, x = pack(name, draw(OUTPUTS, 2048)), draw(rows, 2048)
        clean = projected(native, matrix, x)
        x[-1] = wrong
        assert_in_its_row_alone(projected(native, matrix, x), clean, rows - 1, wrong)

    @pytest.mark.parametrize("name", MANY_FORMATS)
    def test_of_rows_behind_a_norm(
        self, native: Library, draw: Draw, name: str, wrong: float
    ) -> None:
        matrix, norm = pack(name, draw(OUTPUTS, INPUTS)), NormBefore(draw(INPUTS), 1e-6)
        x = draw(33, INPUTS)
        clean, found = (
            project_normed(native, matrix.fields, norm.fields(), rows, torch.float32)
            for rows in (x, spoilt(x, 20, 40, wrong))
        )
        assert_in_its_row_alone(found, clean, 20, math.nan)

    @pytest.mark.parametrize("name", MANY_FORMATS)
    @pytest.mark.parametrize("which", ["rows", "gates"])
    def test_of_rows_with_gates(self, native: Library, draw: Draw, name: str, which: str) -> None:
        matrix, x, gate = pack(name, draw(OUTPUTS, INPUTS)), draw(33, INPUTS), draw(33, INPUTS)
        clean = project_gated(native, matrix.fields, x, gate, torch.zeros(33, OUTPUTS))
        if which == "rows":
            x = spoilt(x, 20, 40, math.nan)
        else:
            gate = spoilt(gate, 20, 40, math.nan)
        found = project_gated(native, matrix.fields, x, gate, torch.zeros(33, OUTPUTS))
        assert_in_its_row_alone(found, clean, 20, math.nan)

    @pytest.mark.parametrize("rows", [1, 5, 17, 40])
    @pytest.mark.parametrize("half", [0, 1], ids=["step", "offset"])
    def test_of_weights_in_four_bits(
        self, native: Library, draw: Draw, rows: int, half: int, wrong: float
    ) -> None:
        """A weight that is not a number shows in its output alone."""
        matrix, x = pack("int4", draw(OUTPUTS, 128)), draw(rows, 128)
        clean = projected(native, matrix, x)
        scales = matrix.held[1]
        # Output 21, of the second block; group 1 of four.
        scales[1, 1, half, 5] = wrong
        found = projected(native, matrix, x)
        assert_in_its_row_alone(found.T, clean.T, 21, wrong)


@pytest.mark.parametrize("rows", [1, 2, 3, 5, 8, 13, 16])
@pytest.mark.parametrize("name", FORMATS)
class TestWholeLayers:
    def test_linear(self, native: Library, draw: Draw, name: str, rows: int, wrong: float) -> None:
        layer, results = Linear.drawn(draw, name, 64, SHAPE, 4), []
        x = draw(rows, 64)
        for given_ in (x.clone(), spoilt(x, rows - 1, 9, wrong)):
            delta, window = layer.delta.clone(), layer.window.clone()
            layer.fused(native)(given_, delta, window)
            results.append(given_)
            # The state has seen it, so every later row will be wrong, too.
        assert_in_its_row_alone(results[1], results[0], rows - 1, math.nan)
        assert delta.isnan().all()

    def test_attention(
        self, native: Library, draw: Draw, name: str, rows: int, wrong: float
    ) -> None:
        layer, results = Attention.drawn(draw, name, 64), []
        x = draw(rows, 64)
        for given_ in (x.clone(), spoilt(x, rows - 1, 9, wrong)):
            layer.fused(native)(given_, *layer.pool(), [(EXTENTS, rows)], layer.rope(rows))
            results.append(given_)
        assert results[1][-1].isnan().all()

    def test_mlp(self, native: Library, draw: Draw, name: str, rows: int, wrong: float) -> None:
        norm = NormBefore(1 + 0.1 * draw(64), 1e-6)
        gate_up, down = pack(name, draw(2 * 96, 64)), pack(name, draw(64, 96))
        whole, row = FusedMlp(native, norm, gate_up.fields, down.fields), rows // 2
        x = draw(rows, 64)
        clean, found = x.clone(), spoilt(x, row, 9, wrong)
        whole(clean, clean)
        whole(found, found)
        assert_in_its_row_alone(found, clean, row, math.nan)


@pytest.mark.parametrize("normed", [True, False])
@pytest.mark.parametrize("name", MANY_FORMATS)
def test_mlp_of_many_rows(
    native: Library, draw: Draw, name: str, normed: bool, wrong: float
) -> None:
    norm = NormBefore(1 + 0.1 * draw(64), 1e-6) if normed else None
    gate_up, down = pack(name, draw(2 * 96, 64)), pack(name, draw(64, 96))
    whole = FusedMlp(native, norm, gate_up.fields, down.fields)
    x = draw(64, 64)
    results = []
    for rows in (x, spoilt(x, 33, 9, wrong)):
        out = torch.zeros(64, 64)
        whole(rows, out)
        results.append(out)
    assert_in_its_row_alone(results[1], results[0], 33, wrong)


@pytest.mark.parametrize("width", [1, 63, 64, 65])
def test_norms(native: Library, draw: Draw, width: int, dtype: torch.dtype) -> None:
    x, scale = draw(40, width), draw(width)
    clean = norm_rows(native, x, scale, 1e-6, dtype)
    found = norm_rows(native, spoilt(x, 33, width // 2, math.nan), scale, 1e-6, dtype)
    assert_in_its_row_alone(found, clean, 33, math.nan)


class TestAttention:
    @pytest.mark.parametrize("rows", [1, 3, 16])
    def test_few_queries(
        self, native: Library, draw: Draw, rows: int, dtype: torch.dtype, wrong: float
    ) -> None:
        k, v = (draw(300, KV_HEADS, 64).to(dtype) for _ in range(2))
        extents = ((40, 300),)
        pool, q = filled(k, v, extents), draw(rows, 2 * KV_HEADS, 64)
        clean = attend_rows(native, q, *pool, extents)
        q[rows // 2, :, 30] = wrong
        found = attend_rows(native, q, *pool, extents)
        assert_in_its_row_alone(found, clean, rows // 2, wrong)

    @pytest.mark.parametrize("rows", [17, 64])
    def test_many_queries(
        self, native: Library, draw: Draw, rows: int, dtype: torch.dtype, wrong: float
    ) -> None:
        k, v = (draw(300, KV_HEADS, 64).to(dtype) for _ in range(2))
        extents = ((40, 300),)
        pool, q = filled(k, v, extents), draw(rows, 2 * KV_HEADS, 64).to(dtype)
        clean = attend_many(native, q, *pool, extents)
        q[rows // 2, :, 30] = wrong
        found = attend_many(native, q, *pool, extents)
        assert_in_its_row_alone(found, clean, rows // 2, wrong)

    @pytest.mark.parametrize("rows", [1, 16, 40])
    def test_a_key_that_every_row_sees(
        self, native: Library, draw: Draw, rows: int, dtype: torch.dtype
    ) -> None:
        k, v = (draw(300, KV_HEADS, 64).to(dtype) for _ in range(2))
        k[10, :, 30] = math.nan
        extents, q = ((40, 300),), draw(rows, 2 * KV_HEADS, 64)
        attend = attend_rows if rows <= MOST_FEW else attend_many
        assert attend(native, q, *filled(k, v, extents), extents).isnan().all()


@pytest.mark.parametrize("part", ["queries", "keys", "values", "z", "b", "a"])
def test_sweeps(native: Library, draw: Draw, part: str, dtype: torch.dtype) -> None:
    """What is wrong in a row's first head shows in that head, and in no row before its chunk."""
    rows, rule, window, state = given(draw, 200, 1, dtype)
    clean = sweep(native, rows, rule, window.clone(), state.clone())
    keys, (channels, values, heads, _) = rule.key_heads * rule.key_dim, rule.widths
    first = {
        "queries": 0,
        "keys": keys,
        "values": 2 * keys,
        "z": channels,
        "b": channels + values,
        "a": channels + values + heads,
    }
    # Of z one number lets one pass.
    wide = rule.value_dim if part == "z" else 1
    rows[130, first[part] : first[part] + wide] = math.nan
    found = sweep(native, rows, rule, window, state)
    assert torch.equal(found[:128], clean[:128])
    assert found[130, : rule.value_dim].isnan().all()
    if part in ("keys", "b", "a"):
        assert state[0].isnan().any()
