"""FP8 checkpoints: blocks of 128 by 128 with a scale each, unpacked as they are read."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from engine.errors import ModelError
from engine.model.random_checkpoint import random_checkpoint
from engine.model.tensor_store import from_blocks
from tests.engine.model.conftest import BASE, MOE, NEXT, AllLogits, Load

WEIGHTS = "model.safetensors"
# Neither is a multiple of 128: the last blocks are ragged in both directions.
SIZES: dict[str, Any] = {"hidden_size": 160, "intermediate_size": 200}
MODELS: dict[str, tuple[dict[str, Any], bool | None]] = {
    "dense": (BASE | SIZES, None),
    "fused_experts": (BASE | SIZES | MOE | {"moe_intermediate_size": 144}, True),
    "single_experts": (BASE | SIZES | NEXT | {"moe_intermediate_size": 144}, False),
}
GATE = "model.layers.0.mlp.gate_proj.weight"
LARGEST = torch.finfo(torch.float8_e4m3fn).max


def is_packed(name: str) -> bool:
    """What published FP8 files keep in 8 bits: the projections, not norms, routers, embeddings."""
    return "proj" in name and "layers." in name and "in_proj_b" not in name and "_a." not in name


def packed(weight: Tensor, scale_dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
    """Codes, scales, and what they stand for in bfloat16, block by block."""
    *lead, outputs, inputs = weight.shape
    flat = weight.float().reshape(-1, outputs, inputs)
    blocks = (-(-outputs // 128), -(-inputs // 128))
    scales = torch.empty(len(flat), *blocks)
    codes = torch.empty(flat.shape, dtype=torch.float8_e4m3fn)
    plain = torch.empty_like(flat)
    for at, (row, column) in product(range(len(flat)), product(*map(range, blocks))):
        block = (
            at,
            slice(128 * row, 128 * (row + 1)),
            slice(128 * column, 128 * (column + 1)),
        )
        scale = (flat[block].abs().max() / LARGEST).to(scale_dtype).float()
        scales[at, row, column] = scale
        codes[block] = (flat[block] / scale).clamp(-LARGEST, LARGEST).to(torch.float8_e4m3fn)
        plain[block] = codes[block].float() * scale
    return (
        codes.view(weight.shape),
        scales.view(*lead, *blocks).to(scale_dtype),
        plain.view(weight.shape).bfloat16(),
    )


@pytest.fixture(scope="module", params=[torch.float32, torch.bfloat16], ids=["s32", "s16"])
def scale_dtype(request: pytest.FixtureRequest) -> torch.dtype:
    found: torch.dtype = request.param
    return found


@pytest.fixture(scope="module")
def folders(
    tmp_path_factory: pytest.TempPathFactory, scale_dtype: torch.dtype
) -> Callable[[str], tuple[Path, Path]]:
    """A model's folder in FP8, and the same weights unpacked to bfloat16."""
    made: dict[str, tuple[Path, Path]] = {}

    def pair(name: str) -> tuple[Path, Path]:
        if name not in made:
            config, fused = MODELS[name]
            plain = tmp_path_factory.mktemp(name)
            random_checkpoint(plain, config, 21, torch.bfloat16, fused=fused)
            small = tmp_path_factory.mktemp(f"{name}-fp8")
            tensors = load_file(plain / WEIGHTS)
            codes: dict[str, Tensor] = {}
            for key, tensor in tensors.items():
                if is_packed(key):
                    codes[key], codes[f"{key}_scale_inv"], tensors[key] = packed(
                        tensor, scale_dtype
                    )
                else:
                    codes[key] = tensor
            save_file(tensors, plain / WEIGHTS)
            save_file(codes, small / WEIGHTS)
            quantised = {"quant_method": "fp8", "weight_block_size": [128, 128]}
            text = json.dumps(config | {"quantization_config": quantised})
            (small / "config.json").write_text(text, "utf-8")
            made[name] = small, plain
        return made[name]

    return pair


class TestBlocks:
    def test_every_block_has_its_own_scale(self) -> None:
        codes = torch.ones(130, 257).to(torch.float8_e4m3fn)
        scale = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        found = from_blocks(codes, scale)
        assert found.dtype == torch.bfloat16
        assert found.shape == codes.shape
        assert (found[:128, :128] == 1).all()
        assert (found[:128, 128:256] == 2).all()
        assert (found[:128, 256] == 3).all()
        assert (found[128:, :128] == 4).all()
        assert (found[128:, 128:256] == 5).all()
        assert (found[128:, 256] == 6).all()

    @pytest.mark.parametrize("shape", [(128, 128), (1, 1), (129, 127), (3, 40, 300)], ids=str)
    def test_any_shape(self, shape: tuple[int, ...]) -> None:
        weight = torch.randn(*shape, generator=torch.Generator().manual_seed(9))
        codes, scales, plain = packed(weight, torch.float32)
        assert torch.equal(from_blocks(codes, scales), plain)
        # Three bits behind the point: at worst a sixteenth of a weight that is not tiny.
        assert (plain.float() - weight).abs().max() < weight.abs().max() / 16


class TestModels:
    @pytest.mark.parametrize("name", list(MODELS))
    @pytest.mark.parametrize("weights", ["stored", "int8", "int4"])
    def test_logits_are_those_of_the_unpacked_weights(
        self,
        name: str,
        weights: str,
        folders: Callable[[str], tuple[Path, Path]],
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
    ) -> None:
        small, plain = folders(name)
        found = all_logits(load(small, weights=weights), ids)
        assert torch.equal(found, all_logits(load(plain, weights=weights), ids))

    @pytest.mark.parametrize("name", ["fused_experts", "single_experts"])
    def test_experts_that_are_read_later(
        self,
        name: str,
        folders: Callable[[str], tuple[Path, Path]],
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
    ) -> None:
        small, plain = folders(name)
        model = load(small, expert_bytes=1)
        assert torch.equal(all_logits(model, ids), all_logits(load(plain), ids))
        assert model.experts.misses > model.experts.resident == 1

    def test_float32_weights_are_the_same_numbers(
        self,
        folders: Callable[[str], tuple[Path, Path]],
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
    ) -> None:
        small, plain = folders("dense")
        found = all_logits(load(small, "float32"), ids)
        assert torch.equal(found, all_logits(load(plain, "float32"), ids))

    @pytest.mark.parametrize("weights", ["stored", "int8"])
    def test_a_table_and_a_head_in_8_bits(
        self,
        weights: str,
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
        scale_dtype: torch.dtype,
    ) -> None:
        config = BASE | SIZES | {"tie_word_embeddings": False}
        random_checkpoint(tmp_path / "plain", config, 22, torch.bfloat16)
        names = ("model.embed_tokens.weight", "lm_head.weight")
        tensors = load_file(tmp_path / "plain" / WEIGHTS)
        made = {name: packed(tensors[name], scale_dtype) for name in names}
        plain = {name: unpacked for name, (_, _, unpacked) in made.items()}
        save_file(tensors | plain, tmp_path / "plain" / WEIGHTS)
        for name, (codes, scales, _) in made.items():
            tensors |= {name: codes, f"{name}_scale_inv": scales}
        (tmp_path / "small").mkdir()
        small = rewritten(tmp_path / "plain", tmp_path / "small", lambda t: t.update(tensors))
        model = load(small, weights=weights)
        assert model.dtype == torch.bfloat16
        assert model.notes == ()
        expected = all_logits(load(tmp_path / "plain", weights=weights), ids)
        assert torch.equal(all_logits(model, ids), expected)

    def test_scales_of_other_blocks_are_noticed(
        self,
        folders: Callable[[str], tuple[Path, Path]],
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
    ) -> None:
        small, plain = folders("dense")
        name = f"{GATE}_scale_inv"
        changed = rewritten(small, tmp_path, lambda t: t.update({name: t[name].flip(0).clone()}))
        assert not torch.equal(all_logits(load(changed), ids), all_logits(load(plain), ids))


def rewritten(source: Path, target: Path, change: Callable[[dict[str, Tensor]], object]) -> Path:
    tensors = load_file(source / WEIGHTS)
    change(tensors)
    save_file(tensors, target / WEIGHTS)
    (target / "config.json").write_bytes((source / "config.json").read_bytes())
    return target


class TestRefused:
    def refusal(self, load: Callable[..., object], folder: Path) -> str:
        with pytest.raises(ModelError) as caught:
            load(folder)
        sentence = str(caught.value)
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert WEIGHTS in sentence
        return sentence

    def test_a_missing_scale(
        self, folders: Callable[[str], tuple[Path, Path]], load: Load, tmp_path: Path
    ) -> None:
        folder = rewritten(folders("dense")[0], tmp_path, lambda t: t.pop(f"{GATE}_scale_inv"))
        sentence = self.refusal(load, folder)
        assert f'"{GATE}"' in sentence
        assert f'"{GATE}_scale_inv"' in sentence

    @pytest.mark.parametrize("shape", [(1, 2), (2, 2, 1), (200, 160), ()], ids=str)
    def test_a_scale_of_another_shape(
        self,
        folders: Callable[[str], tuple[Path, Path]],
        load: Load,
        tmp_path: Path,
        shape: tuple[int, ...],
    ) -> None:
        scale = {f"{GATE}_scale_inv": torch.ones(shape)}
        folder = rewritten(folders("dense")[0], tmp_path, lambda t: t.update(scale))
        sentence = self.refusal(load, folder)
        assert str(list(shape)) in sentence
        assert "[2, 2]" in sentence

    def test_a_scale_of_another_type(
        self, folders: Callable[[str], tuple[Path, Path]], load: Load, tmp_path: Path
    ) -> None:
        scale = {f"{GATE}_scale_inv": torch.ones(2, 2, dtype=torch.int8)}
        folder = rewritten(folders("dense")[0], tmp_path, lambda t: t.update(scale))
        assert "I8" in self.refusal(load, folder)

    def test_a_scale_of_experts_of_another_shape(
        self, folders: Callable[[str], tuple[Path, Path]], load: Load, tmp_path: Path
    ) -> None:
        name = "model.layers.1.mlp.experts.down_proj"
        scale = {f"{name}_scale_inv": torch.ones(2, 2)}
        folder = rewritten(folders("fused_experts")[0], tmp_path, lambda t: t.update(scale))
        sentence = self.refusal(load, folder)
        assert name in sentence
        assert "[8, 2, 2]" in sentence

    def test_a_vector_in_8_bits(
        self, folders: Callable[[str], tuple[Path, Path]], load: Load, tmp_path: Path
    ) -> None:
        name = "model.layers.0.input_layernorm.weight"
        change = {name: torch.ones(160).to(torch.float8_e4m3fn), f"{name}_scale_inv": torch.ones(2)}
        folder = rewritten(folders("dense")[0], tmp_path, lambda t: t.update(change))
        assert name in self.refusal(load, folder)

    def test_a_scale_of_nothing(
        self, folders: Callable[[str], tuple[Path, Path]], load: Load, tmp_path: Path
    ) -> None:
        name = "model.layers.0.mlp.absent_proj.weight_scale_inv"
        scale = {name: torch.ones(2, 2)}
        folder = rewritten(folders("dense")[0], tmp_path, lambda t: t.update(scale))
        assert name in self.refusal(load, folder)
