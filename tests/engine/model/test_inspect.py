"""A folder described by its headers: figures, what is unused or missing, what fits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from engine.config import WEIGHT_FORMATS, WeightFormat
from engine.errors import ModelError
from engine.model.config import parse_config
from engine.model.family import QWEN35_0_8B
from engine.model.fit import WORKSPACE_BYTES, FormatSize, Memory, fit
from engine.model.inspect import expected_shapes, inspect_model
from engine.model.loader import LoadOptions, load_model
from engine.model.random_checkpoint import random_checkpoint
from tests.engine.model.conftest import CaseNamed, Load, ModelFolder
from tests.engine.model.header_only import MIXTURE, write_headers

GIB = 1 << 30
NESTED = "model.language_model."
PLENTY = (Memory("cpu", 1 << 40),)


@pytest.fixture
def mixture(tmp_path: Path) -> Path:
    """Qwen3.5-35B-A3B as it is published, vision and all, but for the weights themselves."""
    outer = {"model_type": "qwen3_5_moe", "text_config": MIXTURE, "tie_word_embeddings": False}
    (tmp_path / "config.json").write_text(json.dumps(outer))
    shapes = expected_shapes(parse_config(outer), NESTED)
    shapes["model.visual.blocks.0.attn.qkv.weight"] = (300, 100)
    shapes["model.visual.patch_embed.proj.weight"] = (50, 2)
    shapes["mtp.fc.weight"] = (10, 20)
    write_headers(tmp_path / "model.safetensors", shapes)
    return tmp_path


class TestFigures:
    def test_a_dense_model(
        self, model_folder: ModelFolder, case_named: CaseNamed, load: Load
    ) -> None:
        folder = model_folder(case_named("five_layers_untied"), torch.bfloat16)
        report, model = inspect_model(folder, PLENTY), load(folder)
        assert (report.layers, report.linear_layers, report.full_layers) == (5, 4, 1)
        assert (report.model_type, report.family) == ("qwen3_5_text", "qwen3_5")
        assert report.parameters == report.active_parameters == model.parameters
        assert report.experts is None
        assert report.stored == "bfloat16"
        assert report.disk_bytes == sum(f.stat().st_size for f in folder.glob("*.safetensors"))
        assert report.text_bytes < report.disk_bytes
        assert report.complete
        stored = report.formats[0]
        assert stored.kv_token_bytes == model.kv_slot_bytes()
        assert stored.checkpoint_bytes == model.state_slot_bytes()
        assert stored.weight_bytes == pytest.approx(model.weight_bytes, rel=0.02)

    @pytest.mark.parametrize("tied", [True, False])
    @pytest.mark.parametrize("weights", ["stored", "int8", "int4"])
    def test_the_memory_is_what_a_loaded_model_takes(
        self, tmp_path: Path, weights: WeightFormat, tied: bool
    ) -> None:
        config = {**QWEN35_0_8B, "num_hidden_layers": 4, "vocab_size": 640}
        sizes = {"hidden_size": 512, "intermediate_size": 1024, "linear_num_value_heads": 4}
        config |= {**sizes, "linear_num_key_heads": 4, "tie_word_embeddings": tied}
        random_checkpoint(tmp_path / "model", config, 3, torch.bfloat16)
        options = LoadOptions(weights=weights, packed=tmp_path / "packed")
        model = load_model(tmp_path / "model", options, torch.device("cpu"), lambda *_: None)
        report = inspect_model(tmp_path / "model", PLENTY)
        found = next(size for size in report.formats if size.weights == weights)
        assert found.weight_bytes == pytest.approx(model.weight_bytes, rel=0.02)

    def test_no_weight_is_read(self, mixture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(torch, "empty", None)
        assert inspect_model(mixture, PLENTY).complete

    def test_a_mixture(self, mixture: Path) -> None:
        report = inspect_model(mixture, PLENTY)
        assert report.experts is not None
        assert (report.experts.count, report.experts.per_token, report.experts.width) == (
            256,
            8,
            512,
        )
        assert report.parameters == pytest.approx(34.7e9, rel=0.01)
        assert report.active_parameters == pytest.approx(3.5e9, rel=0.05)
        idle = report.parameters - report.active_parameters
        assert idle == report.experts.parameters * 248 // 256
        by_name = {size.name: size for size in report.formats}
        assert list(by_name) == ["bfloat16", "int8", "int4"]
        assert tuple(size.weights for size in report.formats) == WEIGHT_FORMATS
        assert by_name["int8"].weight_bytes < 0.51 * by_name["bfloat16"].weight_bytes
        assert by_name["int4"].weight_bytes < 0.33 * by_name["bfloat16"].weight_bytes
        for size in report.formats:
            assert 0.9 < size.routed_bytes / size.weight_bytes < 1

    def test_float32_is_offered_in_bfloat16_too(
        self, model_folder: ModelFolder, case_named: CaseNamed
    ) -> None:
        report = inspect_model(model_folder(case_named("base"), torch.float32), PLENTY)
        assert [size.name for size in report.formats] == ["float32", "bfloat16", "int8", "int4"]
        assert report.formats[1].kv_token_bytes * 2 == report.formats[0].kv_token_bytes

    def test_float16_is_computed_in_float32_on_a_processor(
        self, model_folder: ModelFolder, case_named: CaseNamed
    ) -> None:
        folder = model_folder(case_named("base"), torch.float16)
        both = inspect_model(folder, (Memory("cuda", 1 << 40), *PLENTY))
        assert both.stored == "float16"
        assert next(fit.format for fit in both.fits if fit.device == "cuda") == "float16"
        assert next(fit.format for fit in both.fits if fit.device == "cpu") == "float32"


class TestTensors:
    def test_unused_ones_by_purpose(self, mixture: Path) -> None:
        unused = {group.purpose: group for group in inspect_model(mixture, PLENTY).unused}
        assert set(unused) == {"vision", "multi-token prediction"}
        assert (unused["vision"].tensors, unused["vision"].bytes) == (2, 2 * (30_000 + 100))
        assert unused["multi-token prediction"].bytes == 400

    def test_experts_one_by_one_are_found_as_well(self, mixture: Path) -> None:
        outer = json.loads((mixture / "config.json").read_text())
        config = parse_config(outer)
        assert config.experts is not None
        apart = replace(config, experts=replace(config.experts, fused=False))
        write_headers(mixture / "model.safetensors", expected_shapes(apart, NESTED))
        assert inspect_model(mixture, PLENTY).complete

    def test_missing_and_misshapen_ones(self, mixture: Path) -> None:
        shapes = expected_shapes(
            parse_config(json.loads((mixture / "config.json").read_text())), NESTED
        )
        gone, bent = NESTED + "norm.weight", NESTED + "layers.3.self_attn.k_proj.weight"
        del shapes[gone]
        shapes[bent] = (7, 7)
        write_headers(mixture / "model.safetensors", shapes)
        report = inspect_model(mixture, PLENTY)
        assert report.missing == (gone,)
        assert len(report.wrong) == 1
        assert f'"{bent}" has shape [7, 7]' in report.wrong[0]
        assert not report.complete

    def test_eight_bit_floats_need_their_scales(self, mixture: Path) -> None:
        shapes = expected_shapes(
            parse_config(json.loads((mixture / "config.json").read_text())), NESTED
        )
        name = NESTED + "layers.3.self_attn.k_proj.weight"
        dtypes = {name: "F8_E4M3"}
        write_headers(mixture / "model.safetensors", shapes, dtypes)
        assert "without its" in inspect_model(mixture, PLENTY).wrong[0]
        shapes[name + "_scale_inv"] = (4, 16)
        write_headers(mixture / "model.safetensors", shapes, dtypes)
        report = inspect_model(mixture, PLENTY)
        assert report.complete
        assert report.unused == ()

    def test_a_file_that_was_not_downloaded_yet(
        self, tmp_path: Path, model_folder: ModelFolder, case_named: CaseNamed
    ) -> None:
        for file in model_folder(case_named("six_layers"), torch.float32).iterdir():
            (tmp_path / file.name).write_bytes(file.read_bytes())
        first, second, third = sorted(tmp_path.glob("*.safetensors"))
        second.unlink()
        report = inspect_model(tmp_path, PLENTY)
        assert report.missing_files == (second.name,)
        assert report.missing
        assert report.disk_bytes == first.stat().st_size + third.stat().st_size
        assert not report.complete


class TestRefused:
    def test_folders_that_hold_no_model(self, tmp_path: Path) -> None:
        for folder in (tmp_path / "none", tmp_path):
            with pytest.raises(ModelError, match=r"config\.json"):
                inspect_model(folder, PLENTY)
        (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama"}))
        with pytest.raises(ModelError, match=r'"llama" .* is not supported'):
            inspect_model(tmp_path, PLENTY)
        (tmp_path / "config.json").write_text(json.dumps(MIXTURE))
        with pytest.raises(ModelError, match="only safetensors files are read"):
            inspect_model(tmp_path, PLENTY)

    def test_a_file_that_is_cut_short(self, mixture: Path) -> None:
        path = mixture / "model.safetensors"
        with path.open("r+b") as file:
            file.truncate(path.stat().st_size - 1)
        with pytest.raises(ModelError, match="truncated"):
            inspect_model(mixture, PLENTY)


class TestFit:
    dense = FormatSize("int8", "bfloat16", 4 * GIB, 0, 10_000, 50_000_000)
    mixture = replace(dense, weight_bytes=34 * GIB, routed_bytes=32 * GIB)

    def free(self, left: int, size: FormatSize) -> Memory:
        return Memory("cpu", size.weight_bytes + WORKSPACE_BYTES + left)

    def test_the_context_is_what_ten_states_leave(self) -> None:
        left = 10 * 50_000_000 + 5_000 * 10_000
        found = fit(self.free(left, self.dense), self.dense, longest=262_144)
        assert (found.fits, found.left_bytes, found.context) == (True, left, 5_000)

    def test_the_context_is_at_most_the_models_own(self) -> None:
        assert fit(self.free(900 * GIB, self.dense), self.dense, longest=4_096).context == 4_096

    @pytest.mark.parametrize("left", [-GIB, 0, 10 * 50_000_000 + 1_000 * 10_000])
    def test_too_little_for_a_conversation_does_not_fit(self, left: int) -> None:
        found = fit(self.free(left, self.dense), self.dense, longest=262_144)
        assert (found.fits, found.context, found.expert_bytes) == (False, 0, None)
        assert found.left_bytes == left

    def test_experts_mapped_from_the_files_help_a_mixture(self) -> None:
        found = fit(Memory("cpu", 16 * GIB), self.mixture, longest=262_144)
        assert not found.fits
        assert found.expert_bytes is not None
        smaller = replace(
            self.mixture, weight_bytes=2 * GIB + found.expert_bytes, routed_bytes=found.expert_bytes
        )
        again = fit(Memory("cpu", 16 * GIB), smaller, longest=262_144)
        assert again.fits
        assert again.context == 8_192

    def test_but_not_where_the_rest_is_too_large(self) -> None:
        found = fit(Memory("cpu", 2 * GIB), self.mixture, longest=262_144)
        assert not found.fits
        assert found.expert_bytes is None

    def test_a_model_without_attention_keeps_its_own_context(self) -> None:
        size = replace(self.dense, kv_token_bytes=0)
        assert fit(self.free(GIB, size), size, longest=2_048).context == 2_048
