"""Products with matrices of blocks in C: every type, any number of rows, at every level."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from kernels.blocks import BLOCK_TYPES_BY_NAME, BlockWeight, block_matrix, stack
from kernels.blocks.matrix import JoinedMatrix, OpenedBlocks
from kernels.blocks.packed import PackedBlocks, StackedMatrix
from kernels.matmul import fields_of
from kernels.native.layers import FusedMlp, NormBefore
from kernels.native.library import Library
from kernels.native.many import project_gated, project_many, project_normed
from kernels.norms import plain as norms
from kernels.swiglu import plain as swiglu
from tests.kernels.blocks.stored import NAMES, stored
from tests.kernels.conftest import Draw
from tests.kernels.native.packing import Packed, followed_by_nan, rounded
from tests.kernels.native.test_layers import SHAPE, Linear, close
from tests.kernels.native.test_not_a_number import WRONG, assert_in_its_row_alone, spoilt

# Outputs around blocks of 16; inputs of one unit and of several, more than are opened at once.
SHAPES = [(1, 256), (16, 512), (33, 1024), (100, 1280), (17, 2304)]
# Around the rows that run beside each other, and more than are kept open for.
ROWS = (1, 2, 3, 4, 5, 8, 13, 16, 17, 40, 300)
SLICE = 32
CPU = torch.device("cpu")


def grouped(x: Tensor) -> Tensor:
    """Rows x rounded to 8 bits per 32 inputs, as the kernels do it, float64."""
    return rounded(x.float().unflatten(1, (-1, SLICE)), 127).flatten(1).double()


def off_by(found: Tensor, expected: Tensor) -> float:
    """The largest error, as a part of the largest value."""
    assert found.isfinite().all()
    return float((found.double() - expected).abs().max() / expected.abs().max().clamp_min(1e-12))


def sized(draw: Draw, rows: int, inputs: int) -> Tensor:
    """Rows of very different sizes, with groups of different sizes: each is rounded by itself."""
    scale = torch.logspace(-3, 3, rows).unsqueeze(1) * torch.logspace(0, 1, inputs)
    return draw(rows, inputs) * scale


@pytest.mark.parametrize("name", NAMES)
class TestProducts:
    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    def test_equal_the_reference_for_any_number_of_rows(
        self, native: Library, draw: Draw, name: str, shape: tuple[int, int]
    ) -> None:
        weight = stored(name, *shape)
        matrix, dense = PackedBlocks(native, weight), weight.dense().double()
        x = sized(draw, max(ROWS), shape[1])
        expected, sizes = grouped(x) @ dense.T, grouped(x).abs() @ dense.abs().T
        for rows in ROWS:
            found = matrix.project(x[:rows])
            assert found.shape == (rows, shape[0])
            error = (found - expected[:rows]).abs() / sizes[:rows]
            assert error.max() < 2e-6, rows

    def test_a_row_is_the_same_to_the_bit_whatever_runs_beside_it(
        self, native: Library, draw: Draw, name: str
    ) -> None:
        matrix, x = PackedBlocks(native, stored(name, 70, 1280)), draw(300, 1280)
        alone = torch.cat([matrix.project(row.unsqueeze(0)) for row in x[:40]])
        for rows in ROWS:
            some = min(rows, 40)
            assert torch.equal(matrix.project(x[:rows])[:some], alone[:some]), rows

    def test_rounding_rows_costs_little(self, native: Library, draw: Draw, name: str) -> None:
        weight, x = stored(name, 200, 1024), draw(20, 1024)
        found = PackedBlocks(native, weight).project(x).double()
        exact = x.double() @ weight.dense().double().T
        assert (found - exact).norm() / exact.norm() < 0.01

    def test_weights_are_the_stored_ones(self, native: Library, name: str) -> None:
        """Rows that have one number each give the weights, one column each."""
        weight = stored(name, 50, 256)
        found = PackedBlocks(native, weight).project(torch.eye(256) * 127.0) / 127.0
        wanted = weight.dense().T
        assert ((found - wanted).abs() <= 2**-21 * weight.dense().abs().amax()).all()

    @pytest.mark.parametrize("rows", [1, 5, 17, 270])
    def test_threads_do_not_change_a_bit(
        self, native: Library, draw: Draw, name: str, rows: int
    ) -> None:
        matrix, x = PackedBlocks(native, stored(name, 900, 512)), draw(rows, 512)
        found = []
        for threads in (1, 2, 3, 8):
            native.call.biplane_limit_threads(threads)
            found += [matrix.project(x) for _ in range(2)]
        assert all(torch.equal(found[0], other) for other in found[1:])

    @pytest.mark.parametrize("rows", [1, 3, 16, 17, 40])
    @pytest.mark.parametrize("wrong", WRONG)
    def test_what_is_not_a_number_shows_in_its_row_alone(
        self, native: Library, draw: Draw, name: str, rows: int, wrong: str
    ) -> None:
        matrix, x, row = PackedBlocks(native, stored(name, 40, 256)), draw(rows, 256), rows // 2
        clean = matrix.project(x)
        for at in (0, 50, 255):
            found = matrix.project(spoilt(x, row, at, WRONG[wrong]))
            assert_in_its_row_alone(found, clean, row, WRONG[wrong])

    def test_the_largest_codes_do_not_overflow(self, native: Library, name: str) -> None:
        weight = stored(name, 16, 4096)
        # All bits set, or none, and every head the same.
        for byte in (0, 255):
            raw = torch.full_like(weight.raw[:], byte)
            full = BlockWeight(raw, weight.kind)
            heads = stored(name, 16, 4096).raw[:]
            at = [0, 1] if name not in ("Q2_K", "Q3_K", "Q6_K") else [-2, -1]
            blocks = raw.view(-1, weight.kind.bytes)
            blocks[:, at] = heads.view(-1, weight.kind.bytes)[:, at]
            if full.form.offsets:
                low = [-4, -3, -2, -1] if name == "Q2_K" else [0, 1, 2, 3]
                blocks[:, low] = heads.view(-1, weight.kind.bytes)[:, low]
            matrix, x = PackedBlocks(native, full), torch.full((4, 4096), -7.0)
            expected = grouped(x) @ full.dense().double().T
            for rows in (1, 4):
                assert off_by(matrix.project(x[:rows]), expected[:rows]) < 2e-5


class TestOrder:
    @pytest.mark.parametrize("name", ["Q8_0", "Q4_K", "Q6_K", "F32", "BF16"])
    @pytest.mark.parametrize("rows", [1, 3, 20])
    def test_inputs_are_those_of_the_order(
        self, native: Library, draw: Draw, name: str, rows: int
    ) -> None:
        weight = (
            plain_weight(draw(40, 512), name) if name in ("F32", "BF16") else stored(name, 40, 512)
        )
        order = torch.randperm(16, generator=torch.Generator().manual_seed(1))
        matrix, x = block_matrix(weight, CPU, order=order), draw(rows, 512)
        moved = weight.dense().unflatten(1, (16, SLICE))[:, order].flatten(1)
        rounds = name not in ("F32", "BF16")
        expected = (grouped(x) if rounds else x.double()) @ moved.double().T
        assert off_by(matrix.project(x), expected) < 2e-5

    def test_without_the_library_too(self, draw: Draw) -> None:
        weight, order, x = stored("Q4_K", 40, 512), torch.arange(16).flip(0), draw(3, 512)
        moved = weight.dense().unflatten(1, (16, SLICE))[:, order].flatten(1)
        assert off_by(OpenedBlocks(weight, order).project(x), x.double() @ moved.double().T) < 2e-5


def plain_weight(weight: Tensor, name: str) -> BlockWeight:
    stored_as = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}[name]
    return BlockWeight(weight.to(stored_as).view(torch.uint8), BLOCK_TYPES_BY_NAME[name])


class TestPlainTypes:
    @pytest.mark.parametrize("name", ["F32", "F16", "BF16"])
    @pytest.mark.parametrize("rows", [1, 3, 20])
    def test_rows_of_any_dtype(
        self, native: Library, draw: Draw, name: str, rows: int, dtype: torch.dtype
    ) -> None:
        weight, x = plain_weight(draw(50, 96), name), draw(rows, 96).to(dtype)
        found = block_matrix(weight, CPU).project(x)
        assert found.dtype == dtype
        bound = 2e-5 if dtype == torch.float32 else 6e-3
        assert off_by(found, x.double() @ weight.dense().double().T) < bound

    def test_float16_that_fits_bfloat16_takes_no_more(self, draw: Draw) -> None:
        fits = plain_weight(draw(20, 64).bfloat16(), "F16")
        wide = plain_weight(draw(20, 64), "F16")
        sizes = [sum(t.nbytes for t in block_matrix(w, CPU).tensors()) for w in (fits, wide)]
        assert sizes == [20 * 64 * 2, 20 * 64 * 4]


def parts_of(draw: Draw, inputs: int) -> list[BlockWeight]:
    """Several types below each other, with outputs that are no whole blocks."""
    return [
        stored("Q4_K", 40, inputs),
        plain_weight(draw(5, inputs) * 0.02, "F32"),
        stored("Q6_K", 33, inputs),
        stored("Q8_0", 100, inputs),
        plain_weight(draw(20, inputs) * 0.02, "F32"),
    ]


class Stack:
    """A stack of several types, and the product that it should give."""

    def __init__(self, draw: Draw, inputs: int) -> None:
        self.weights = parts_of(draw, inputs)
        self.matrix = stack([block_matrix(weight, CPU) for weight in self.weights])

    def expected(self, x: Tensor) -> Tensor:
        """In float64, with rows rounded where blocks are."""
        return torch.cat(
            [
                (x.double() if weight.kind.name == "F32" else grouped(x))
                @ weight.dense().double().T
                for weight in self.weights
            ],
            1,
        )


class TestStacks:
    @pytest.mark.parametrize("rows", ROWS)
    def test_equal_their_parts(self, native: Library, draw: Draw, rows: int) -> None:
        made, x = Stack(draw, 1280), draw(rows, 1280)
        assert isinstance(made.matrix, StackedMatrix)
        found = made.matrix.project(x)
        assert found.shape == (rows, 198)
        assert off_by(found, made.expected(x)) < 2e-5
        parts = [block_matrix(weight, CPU).project(x) for weight in made.weights]
        for part, place in zip(parts, found.split([40, 5, 33, 100, 20], 1), strict=True):
            assert off_by(place, part.double()) < 1e-6

    @pytest.mark.parametrize("rows", [1, 20])
    def test_of_bfloat16_rows(self, native: Library, draw: Draw, rows: int) -> None:
        made, x = Stack(draw, 256), draw(rows, 256).bfloat16()
        found = made.matrix.project(x)
        assert found.dtype == torch.bfloat16
        assert off_by(found, made.expected(x)) < 6e-3

    @pytest.mark.parametrize("rows", [1, 3, 17])
    def test_with_a_bfloat16_part_each_is_by_itself(
        self, native: Library, draw: Draw, rows: int
    ) -> None:
        weights = [stored("Q4_K", 40, 256), plain_weight(draw(8, 256), "BF16")]
        made, x = stack([block_matrix(weight, CPU) for weight in weights]), draw(rows, 256)
        assert isinstance(made, JoinedMatrix)
        assert fields_of(made) is None
        expected = torch.cat(
            (
                grouped(x) @ weights[0].dense().double().T,
                x.double() @ weights[1].dense().double().T,
            ),
            1,
        )
        assert off_by(made.project(x), expected) < 2e-5
        assert off_by(made.project_row(x[0]), expected[0]) < 2e-5

    def test_one_part_is_itself(self, native: Library) -> None:
        only = block_matrix(stored("Q4_K", 40, 256), CPU)
        assert stack([only]) is only

    def test_threads_do_not_change_a_bit(self, native: Library, draw: Draw) -> None:
        made = Stack(draw, 512)
        for rows in (1, 16, 40):
            x, found = draw(rows, 512), []
            for threads in (1, 2, 8):
                native.call.biplane_limit_threads(threads)
                found.append(made.matrix.project(x))
            assert all(torch.equal(found[0], other) for other in found[1:])


class TestMany:
    @pytest.mark.parametrize("name", ["Q4_K", "IQ4_XS", "stack"])
    def test_norms_gates_and_additions(self, native: Library, draw: Draw, name: str) -> None:
        if name == "stack":
            made = Stack(draw, 512)
            fields, expected = fields_of(made.matrix), made.expected
        else:
            weight = stored(name, 60, 512)
            kept = PackedBlocks(native, weight)
            fields = kept.fields
            expected = lambda x: grouped(x) @ weight.dense().double().T  # noqa: E731
        assert fields is not None
        x, gate, norm = draw(70, 512), draw(70, 512), NormBefore(1 + 0.1 * draw(512), 1e-6)
        normed = norms.rms_norm(x, norm.scale, norm.eps)
        found = project_normed(native, fields, norm.fields(), x, torch.float32)
        # The norm itself may differ in a bit, which moves a code.
        assert off_by(found, expected(normed)) < 2e-3
        before = draw(70, fields.outputs)
        found = project_gated(native, fields, x, gate, before.clone())
        assert off_by(found, before + expected(x * gate.sigmoid())) < 2e-3
        assert off_by(project_many(native, fields, x, before.clone()), before + expected(x)) < 2e-5


def packed(matrix: PackedBlocks | StackedMatrix, *weights: BlockWeight) -> Packed:
    dense = torch.cat([weight.dense() for weight in weights]).double()
    return Packed(matrix.fields, (matrix,), dense)  # type: ignore[arg-type]


class TestLayers:
    @pytest.mark.parametrize("rows", [1, 2, 7, 16])
    def test_linear(self, native: Library, draw: Draw, rows: int) -> None:
        shape = replace(SHAPE, key_dim=32, value_dim=64)
        layer = Linear.drawn(draw, "float32", 256, shape, 4)
        tall = [stored("Q4_K", 320, 256, 1), stored("Q6_K", 320, 256, 2)]
        tall += [plain_weight(draw(8, 256) * 0.05, "F32")]
        tall = [replace(tall[0], raw=tall[0].raw[:384]), *tall[1:]]
        inputs = stack([block_matrix(weight, CPU) for weight in tall])
        down = stored("Q8_0", 256, 256, 3)
        assert isinstance(inputs, StackedMatrix)
        layer = replace(
            layer,
            inputs=packed(inputs, *tall),
            output=packed(PackedBlocks(native, down), down),
        )
        assert layer.inputs.fields.outputs == 2 * 64 + 2 * 256 + 8
        x, delta, window = draw(rows, 256), layer.delta.clone(), layer.window.clone()
        expected, state, _ = layer.expected(x, delta, window)
        layer.fused(native)(x, delta, window)
        close(x, expected, 3e-2)
        close(delta, state, 3e-2)

    @pytest.mark.parametrize("rows", [1, 5, 16, 17, 64, 600])
    def test_mlp(self, native: Library, draw: Draw, rows: int) -> None:
        norm = NormBefore(1 + 0.1 * draw(512), 1e-6)
        halves = [stored("Q4_K", 256, 512, 1), stored("IQ4_XS", 256, 512, 2)]
        down = stored("Q6_K", 512, 256, 3)
        gate_up = stack([block_matrix(weight, CPU) for weight in halves])
        last = PackedBlocks(native, down)
        fields = fields_of(gate_up)
        assert fields is not None
        whole = FusedMlp(native, norm, fields, last.fields)
        assert whole.takes_many
        x, out = draw(rows, 512), torch.zeros(rows, 512)
        whole(x, out)
        wide = grouped(norms.rms_norm(x, norm.scale, norm.eps))
        both = wide @ torch.cat([weight.dense() for weight in halves]).double().T
        gated = swiglu.swiglu(both.float())
        expected = gated.double() @ down.dense().double().T
        assert (out - expected).norm() / expected.norm() < 0.01


class TestMemory:
    @pytest.mark.parametrize("name", NAMES)
    def test_bytes_are_what_the_form_says(self, native: Library, name: str) -> None:
        weight = stored(name, 160, 1024)
        matrix = PackedBlocks(native, weight)
        bits = 8 * sum(t.nbytes for t in matrix.tensors()) / (160 * 1024)
        assert bits == weight.form.weight_bits()

    def test_usual_types_take_little_more_than_in_the_file(self, native: Library) -> None:
        for name in (
            "Q8_0",
            "Q4_0",
            "Q4_1",
            "Q5_0",
            "Q5_1",
            "Q4_K",
            "Q5_K",
            "Q6_K",
            "IQ4_NL",
            "IQ4_XS",
        ):
            weight = stored(name, 160, 1024)
            kept = sum(t.nbytes for t in PackedBlocks(native, weight).tensors())
            assert kept <= 1.03 * weight.raw[:].numel(), name

    @pytest.mark.parametrize("name", ["Q4_K", "IQ3_S"])
    def test_read_in_pieces_it_is_the_same(
        self, native: Library, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        weight = stored(name, 100, 512)
        whole = PackedBlocks(native, weight).tensors()[0]
        monkeypatch.setattr("kernels.blocks.weight.PIECE_BYTES", 40 * weight.raw.shape[1])
        assert weight.pieces()[:2] == [slice(0, 32), slice(32, 64)]
        assert torch.equal(PackedBlocks(native, weight).tensors()[0], whole)

    def test_nothing_of_the_file_is_kept(self, native: Library, draw: Draw) -> None:
        weight, x = stored("Q4_K", 40, 256), draw(2, 256)
        matrix = PackedBlocks(native, weight)
        before = matrix.project(x)
        weight.raw[:].fill_(0)
        assert torch.equal(matrix.project(x), before)

    def test_what_lies_beside_rows_is_not_read(self, native: Library, draw: Draw) -> None:
        matrix = PackedBlocks(native, stored("Q6_K", 40, 512))
        for rows in (1, 5, 20):
            x = draw(rows, 512)
            assert torch.equal(matrix.project(followed_by_nan(x)), matrix.project(x))
