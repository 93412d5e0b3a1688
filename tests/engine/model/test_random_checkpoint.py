"""Random checkpoints: loadable, repeatable, and shaped like the published ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from engine.errors import ModelError
from engine.model.config import parse_config
from engine.model.family import QWEN35_0_8B
from engine.model.loader import parameter_count
from engine.model.random_checkpoint import random_checkpoint
from tests.engine.model.conftest import CaseNamed


def stored(folder: Path) -> dict[str, Tensor]:
    found = {}
    for file in sorted(folder.glob("*.safetensors")):
        found.update(load_file(file))
    return found


class TestRandomCheckpoint:
    def test_a_seed_repeats_and_another_differs(
        self, tmp_path: Path, case_named: CaseNamed
    ) -> None:
        config = case_named("base").config()
        for name, seed in (("a", 1), ("b", 1), ("c", 2)):
            random_checkpoint(tmp_path / name, config, seed, torch.bfloat16)
        a, b, c = (stored(tmp_path / name) for name in "abc")
        assert all(torch.equal(a[name], b[name]) for name in a)
        assert not any(torch.equal(a[name], c[name]) for name in a)

    @pytest.mark.parametrize("files", [1, 2, 3])
    def test_the_number_of_files_changes_no_weight(
        self, tmp_path: Path, case_named: CaseNamed, files: int
    ) -> None:
        config = case_named("nested_untied").config()
        random_checkpoint(tmp_path / "one", config, 1, torch.float32)
        random_checkpoint(tmp_path / "many", config, 1, torch.float32, files)
        one, many = stored(tmp_path / "one"), stored(tmp_path / "many")
        assert len(list((tmp_path / "many").glob("*.safetensors"))) == files
        assert one.keys() == many.keys()
        assert all(torch.equal(one[name], many[name]) for name in one)

    def test_nested_names_and_wide_decays(self, tmp_path: Path, case_named: CaseNamed) -> None:
        random_checkpoint(tmp_path, case_named("nested").config(), 1, torch.bfloat16)
        tensors = stored(tmp_path)
        lead = "model.language_model.layers.0."
        assert tensors[lead + "mlp.up_proj.weight"].dtype == torch.bfloat16
        assert tensors[lead + "linear_attn.A_log"].dtype == torch.float32
        assert "lm_head.weight" not in tensors

    def test_the_written_config_is_the_given_one(
        self, tmp_path: Path, case_named: CaseNamed
    ) -> None:
        config = case_named("conv_3").config()
        random_checkpoint(tmp_path, config, 1, torch.float32)
        assert json.loads((tmp_path / "config.json").read_text("utf-8")) == config

    def test_a_bad_config_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ModelError):
            random_checkpoint(tmp_path, {"model_type": "llama"}, 1, torch.float32)


class TestPreset:
    def test_sizes_of_the_0_8b_model(self) -> None:
        config = parse_config(QWEN35_0_8B)
        assert (config.linear_layers, config.full_layers) == (18, 6)
        assert config.conv_channels == 6144
        assert config.rotary_dim == 64
        assert 0.74e9 < parameter_count(config) < 0.77e9
