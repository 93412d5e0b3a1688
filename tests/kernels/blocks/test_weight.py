"""Stored blocks: the weights they stand for, equal to the reference implementation's bits."""

from __future__ import annotations

import gguf
import pytest
import torch

from kernels.blocks import BLOCK_TYPES, BLOCK_TYPES_BY_NAME, BlockWeight, dequantize
from kernels.blocks.forms import FORMS
from kernels.blocks.grids import grid
from kernels.blocks.weight import PLAIN
from tests.kernels.blocks.stored import NAMES, oracle, stored


def same_bits(found: torch.Tensor, wanted: torch.Tensor) -> bool:
    return torch.equal(found.view(torch.int32), wanted.view(torch.int32))


class TestTypes:
    def test_sizes_are_those_of_the_format(self) -> None:
        sizes = {code: (each.weights, each.bytes) for code, each in BLOCK_TYPES.items()}
        assert sizes == {int(kind): size for kind, size in gguf.GGML_QUANT_SIZES.items()}

    def test_names_are_those_of_the_format(self) -> None:
        names = {code: each.name for code, each in BLOCK_TYPES.items()}
        assert names == {int(kind): kind.name for kind in gguf.GGML_QUANT_SIZES}

    def test_a_row_that_ends_within_a_block_is_refused(self) -> None:
        assert BLOCK_TYPES_BY_NAME["Q4_K"].row_bytes(512) == 288
        with pytest.raises(ValueError, match="300 is no whole number of Q4_K blocks"):
            BLOCK_TYPES_BY_NAME["Q4_K"].row_bytes(300)

    def test_other_types_are_refused(self) -> None:
        kind = BLOCK_TYPES_BY_NAME["TQ1_0"]
        with pytest.raises(ValueError, match="TQ1_0 weights cannot be computed with"):
            dequantize(torch.zeros(2, kind.bytes, dtype=torch.uint8), kind)


class TestWeights:
    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("shape", [(1, 256), (37, 768), (400, 1024)], ids=str)
    def test_equal_the_reference_bit_for_bit(self, name: str, shape: tuple[int, int]) -> None:
        weight = stored(name, *shape)
        assert (weight.outputs, weight.inputs) == shape
        before = weight.raw[:].clone()
        assert same_bits(weight.dense(), oracle(weight))
        assert torch.equal(weight.raw[:], before)

    @pytest.mark.parametrize("name", NAMES)
    def test_of_any_bits_at_all(self, name: str) -> None:
        """Heads that are huge, tiny, negative, infinite or no numbers."""
        kind = BLOCK_TYPES_BY_NAME[name]
        draw = torch.Generator().manual_seed(1)
        raw = torch.randint(0, 256, (64, 4 * kind.bytes), generator=draw).to(torch.uint8)
        found, wanted = dequantize(raw, kind), oracle(BlockWeight(raw, kind))
        assert torch.equal(found.isnan(), wanted.isnan())
        known = ~found.isnan()
        assert same_bits(found[known], wanted[known])

    @pytest.mark.parametrize("name", NAMES)
    def test_some_rows_are_those_of_the_whole(self, name: str) -> None:
        weight = stored(name, 40, 512)
        which = torch.tensor([3, 39, 3, 0])
        assert same_bits(weight.rows(which), weight.dense()[which])

    @pytest.mark.parametrize("name", PLAIN)
    def test_of_types_without_blocks(self, name: str) -> None:
        weights = torch.randn(20, 33, generator=torch.Generator().manual_seed(2)).to(PLAIN[name])
        raw = weights.view(torch.uint8)
        found = dequantize(raw, BLOCK_TYPES_BY_NAME[name])
        assert same_bits(found, weights.float())
        assert same_bits(found, oracle(BlockWeight(raw, BLOCK_TYPES_BY_NAME[name])))


class TestGrids:
    @pytest.mark.parametrize("name", [n for n in NAMES if n.startswith(("IQ2", "IQ3"))])
    def test_are_the_formats_own(self, name: str) -> None:
        theirs = getattr(gguf.quants, name)
        theirs.init_grid()
        values = torch.tensor(FORMS[name].values, dtype=torch.float32)
        wanted = torch.from_numpy(theirs.grid.copy()).view(theirs.grid_shape)
        digits = grid(name)
        assert digits is not None
        assert torch.equal(values[digits.long()], wanted)
