"""Bytes from a configuration: those of the published models, and those the planes take."""

from __future__ import annotations

import math

import pytest
import torch

from engine.model.config import parse_config
from engine.model.family import QWEN35_0_8B
from engine.model.sizes import (
    checkpoint_bytes,
    kv_token_bytes,
    tensor_bytes,
    weight_bytes,
)
from tests.engine.model.conftest import CaseNamed, Load, ModelFolder
from tests.engine.model.header_only import MIXTURE

MIB = 1 << 20


class TestPlanes:
    def test_the_published_models(self) -> None:
        small, mixture = parse_config(QWEN35_0_8B), parse_config(MIXTURE)
        assert [kv_token_bytes(c, 2) for c in (small, mixture)] == [12 << 10, 20 << 10]
        assert checkpoint_bytes(small, 2) / MIB == pytest.approx(18.6, abs=0.05)
        assert checkpoint_bytes(mixture, 2) / MIB == pytest.approx(61.4, abs=0.05)

    @pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
    @pytest.mark.parametrize("name", ["base", "conv_3", "all_linear", "wide_values"])
    def test_what_a_loaded_models_planes_take(
        self,
        load: Load,
        model_folder: ModelFolder,
        case_named: CaseNamed,
        name: str,
        dtype: torch.dtype,
    ) -> None:
        model = load(model_folder(case_named(name), dtype))
        assert kv_token_bytes(model.config, dtype.itemsize) == model.kv_slot_bytes()
        assert checkpoint_bytes(model.config, dtype.itemsize) == model.state_slot_bytes()


class TestWeights:
    def test_a_matrix_in_each_format(self) -> None:
        name, shape = "layers.0.mlp.down_proj.weight", (1024, 4096)
        dense, eight, four = (
            tensor_bytes(name, shape, weights, 2) for weights in ("stored", "int8", "int4")
        )
        assert dense == 2 * 1024 * 4096
        assert eight == 1024 * 4096 + 4 * 1024
        assert four == 1024 * 4096 // 2 + 4 * 1024 * 4096 // 32

    def test_fused_experts_count_as_their_rows(self) -> None:
        one = tensor_bytes("layers.0.mlp.experts.0.down_proj.weight", (64, 96), "int8", 2)
        assert tensor_bytes("layers.0.mlp.experts.down_proj", (5, 64, 96), "int8", 2) == 5 * one

    def test_eight_bits_where_four_do_not_do(self) -> None:
        assert tensor_bytes("x.weight", (64, 40), "int4", 2) == 64 * 40 + 4 * 64
        table = tensor_bytes("embed_tokens.weight", (64, 32), "int4", 2)
        assert table == tensor_bytes("lm_head.weight", (64, 32), "int8", 2) == 64 * 32 + 4 * 64

    @pytest.mark.parametrize(
        ("name", "shape"),
        [
            ("norm.weight", (64,)),
            ("layers.0.linear_attn.conv1d.weight", (128, 1, 4)),
            ("layers.0.mlp.gate.weight", (256, 64)),
            ("layers.0.mlp.shared_expert_gate.weight", (1, 64)),
        ],
    )
    def test_small_and_delicate_ones_stay_exact(self, name: str, shape: tuple[int, ...]) -> None:
        for weights in ("stored", "int8", "int4"):
            assert tensor_bytes(name, shape, weights, 2) == 4 * math.prod(shape)

    def test_routed_experts_are_told_apart(self) -> None:
        shapes = {
            "layers.0.mlp.experts.down_proj": (4, 8, 16),
            "layers.0.mlp.shared_expert.down_proj.weight": (8, 16),
        }
        assert weight_bytes(shapes, "stored", 2) == (2 * 5 * 8 * 16, 2 * 4 * 8 * 16)
