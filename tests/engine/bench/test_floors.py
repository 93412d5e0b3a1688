"""The floors: what is counted of a known shape, and what given numbers come to."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from engine import Engine, EngineConfig
from engine.bench.decode import decode_row
from engine.bench.floors import Work, work_of
from engine.bench.random_model import random_model
from engine.config import WeightFormat
from engine.model.config import parse_config
from engine.model.family import QWEN35_0_8B
from engine.model.needs import token_flops
from engine.model.random_checkpoint import random_checkpoint

WORK = Work(
    token_flops=1_000_000,
    head_flops=500_000,
    weight_bytes=2_000_000,
    state_bytes=100_000,
    kv_bytes=50,
)
MIXTURE = {n: size for n, size in QWEN35_0_8B.items() if n != "intermediate_size"} | {
    "model_type": "qwen3_5_moe_text",
    "vocab_size": 512,
    "num_experts": 8,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 64,
    "shared_expert_intermediate_size": 64,
}


class TestGivenNumbers:
    def test_a_prompt_pays_its_tokens_and_the_head_once(self) -> None:
        assert WORK.prefill_s(10, 1e6) == pytest.approx(10.5)

    def test_a_step_reads_the_weights_once(self) -> None:
        assert WORK.decode_s(1e6) == pytest.approx(2.0)

    def test_states_and_the_contexts_kv_come_on_top(self) -> None:
        assert WORK.decode_all_s(1000, 1e6) == pytest.approx(2.0 + 0.1 + 0.05)

    def test_a_decode_row_is_the_share_of_the_floor(self) -> None:
        row = decode_row(context=1000, tok_s=0.25, work=WORK, read_bytes_s=1e6, tiny_s=0.4)
        assert row.floor_tok_s == pytest.approx(0.5)
        assert row.ratio == pytest.approx(0.5)
        assert row.step_s == pytest.approx(4.0)
        assert row.floor_all_tok_s == pytest.approx(1 / 2.15)
        assert row.operator_share == pytest.approx(0.1)


class TestCounting:
    def test_the_published_shape_costs_a_gigaflop_a_token(self) -> None:
        # 498 million weights outside the embedding.
        assert token_flops(parse_config(QWEN35_0_8B)) == pytest.approx(0.996e9, rel=2e-3)

    def test_a_token_costs_two_operations_for_each_weight_of_a_matrix(
        self, tiny_folder: Path, config: EngineConfig
    ) -> None:
        inner = 64 * (64 + 4 * 2 * 16) + 64 * 4 * 2 + 64 * 64
        linear = inner  # q, k, v and z; b and a; out
        attention = 64 * (2 * 4 * 32 + 2 * 2 * 32) + 4 * 32 * 64
        mlp = 3 * 64 * 96
        with Engine.open(tiny_folder, config) as engine:
            work = engine.on_core(lambda core: work_of(core.model))
        assert work.token_flops == 2 * (linear + attention + 2 * mlp)
        assert work.head_flops == 2 * 512 * 64

    def test_a_mixtures_token_costs_the_experts_it_chooses(
        self, tmp_path: Path, config: EngineConfig
    ) -> None:
        sizes = MIXTURE | {"num_hidden_layers": 2, "layer_types": ["linear_attention"] * 2}
        sizes["layer_types"][1] = "full_attention"
        random_model(tmp_path, sizes, dtype="bfloat16")
        with Engine.open(tmp_path, config) as engine:
            work = engine.on_core(lambda core: work_of(core.model))
            held = engine.model.weight_bytes
        expert = 3 * 64 * 1024
        # Of eight experts two run, in each of two layers.
        assert held - work.weight_bytes == 2 * 2 * 6 * expert
        dense = sizes | {"num_experts_per_tok": 8}
        all_of_them = token_flops(parse_config(dense))
        assert all_of_them - work.token_flops == 2 * 2 * 6 * expert

    @pytest.mark.parametrize(("weights", "share"), [("int8", 0.75), ("int4", 0.75)])
    def test_fewer_bits_are_fewer_bytes_to_read(
        self, tiny_folder: Path, config: EngineConfig, weights: WeightFormat, share: float
    ) -> None:
        read = {}
        formats: tuple[WeightFormat, ...] = ("stored", weights)
        for kept in formats:
            with Engine.open(tiny_folder, replace(config, weights=kept)) as engine:
                read[kept] = engine.on_core(lambda core: work_of(core.model))
        assert read[weights].weight_bytes < share * read["stored"].weight_bytes
        assert read[weights].token_flops == read["stored"].token_flops

    def test_a_tied_embedding_is_read_as_the_head(
        self, tiny_folder: Path, config: EngineConfig
    ) -> None:
        with Engine.open(tiny_folder, config) as engine:
            work = engine.on_core(lambda core: work_of(core.model))
            assert work.weight_bytes == engine.model.weight_bytes
            assert work.state_bytes == 2 * engine.model.checkpoint_bytes
            assert work.kv_bytes == engine.model.kv_bytes_per_token

    def test_an_embedding_of_its_own_is_not_read(
        self, tiny_folder: Path, config: EngineConfig, tmp_path: Path
    ) -> None:
        folder = tmp_path / "untied"
        shutil.copytree(tiny_folder, folder)
        shape = json.loads((folder / "config.json").read_text()) | {"tie_word_embeddings": False}
        random_checkpoint(folder, shape, 5, torch.bfloat16)
        with Engine.open(folder, config) as engine:
            work = engine.on_core(lambda core: work_of(core.model))
            assert engine.model.weight_bytes - work.weight_bytes == 2 * 512 * 64
