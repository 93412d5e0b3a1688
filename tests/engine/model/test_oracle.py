"""The model against transformers' own classes, on random configurations."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from tests.engine.model.conftest import (
    CASES,
    AllLogits,
    Case,
    CaseNamed,
    Load,
    ModelFolder,
    NetworkOf,
    Oracle,
    OracleLogits,
)
from tests.mostly_slow import mostly_slow
from tests.present import present

FLOAT32_BOUND = 1e-4


def relative(found: Tensor, expected: Tensor) -> float:
    return float((found - expected).abs().max() / expected.abs().max())


class TestLogits:
    def test_float32_logits_of_every_position(
        self,
        case: Case,
        model_folder: ModelFolder,
        load: Load,
        oracle: Oracle,
        oracle_logits: OracleLogits,
        all_logits: AllLogits,
        ids: Tensor,
    ) -> None:
        folder = model_folder(case, torch.float32)
        expected = oracle_logits(oracle(folder, case.config(), torch.float32), ids)
        assert relative(all_logits(load(folder), ids), expected) < FLOAT32_BOUND

    def test_bfloat16_error_is_at_most_a_tenth_above_the_oracles(
        self,
        case: Case,
        model_folder: ModelFolder,
        load: Load,
        oracle: Oracle,
        oracle_logits: OracleLogits,
        all_logits: AllLogits,
        ids: Tensor,
    ) -> None:
        folder = model_folder(case, torch.bfloat16)
        exact = oracle_logits(oracle(folder, case.config(), torch.float32), ids)
        theirs = oracle_logits(oracle(folder, case.config(), torch.bfloat16), ids)
        model = load(folder)
        assert model.dtype == torch.bfloat16
        ours = all_logits(model, ids)
        # Of most positions: at a few, a rounding of either lets other experts have the token.
        error, allowed = ((x - exact).square().mean(-1).median().sqrt() for x in (ours, theirs))
        assert error <= 1.1 * allowed, f"ratio {error / allowed:.2f}"

    @pytest.mark.parametrize("case", mostly_slow(CASES, 2), ids=lambda case: case.name)
    def test_64_greedy_tokens(
        self, case: Case, model_folder: ModelFolder, load: Load, oracle: Oracle, ids: Tensor
    ) -> None:
        folder = model_folder(case, torch.float32)
        network = oracle(folder, case.config(), torch.float32)
        model = load(folder)
        kv, states = model.make_kv_plane(100), model.make_state_plane(1)
        logits = model.forward(ids[:20], 0, kv, [(0, 20)], states, 0, write_from=0)
        ours, theirs, cache, given = [], [], None, ids[None, :20]
        for step in range(64):
            ours.append(int(present(logits).argmax()))
            at = 20 + step
            token = torch.tensor(ours[-1:])
            logits = model.forward(token, at, kv, [(0, at + 1)], states, 0, write_from=at)
            # Its cache cannot hold a model without attention layers: then run everything again.
            cached = model.config.full_layers > 0
            with torch.inference_mode():
                out = network(given, past_key_values=cache, use_cache=cached)
            best = out.logits[:, -1:].argmax(-1)
            cache, given = out.past_key_values, best if cached else torch.cat((given, best), 1)
            theirs.append(int(best))
        assert ours == theirs


class TestSavedByTransformers:
    @pytest.mark.parametrize("kind", ["qwen3_5_text", "qwen3_5_moe_text", "qwen3_next"])
    def test_a_folder_saved_by_the_oracle_loads(
        self,
        kind: str,
        tmp_path: Path,
        load: Load,
        network_of: NetworkOf,
        oracle_logits: OracleLogits,
        all_logits: AllLogits,
        ids: Tensor,
    ) -> None:
        torch.manual_seed(1)
        sizes = {
            "model_type": kind,
            "vocab_size": 320,
            "hidden_size": 48,
            "intermediate_size": 64,
            "num_hidden_layers": 5,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 16,
            "linear_num_key_heads": 2,
            "linear_num_value_heads": 4,
            "linear_key_head_dim": 8,
            "linear_value_head_dim": 8,
            "moe_intermediate_size": 32,
            "shared_expert_intermediate_size": 32,
            "num_experts": 6,
            "num_experts_per_tok": 2,
            "initializer_range": 0.2,
            "rope_parameters": rotary_default(),
        }
        if kind == "qwen3_5_text":
            sizes = {k: v for k, v in sizes.items() if "expert" not in k and "moe" not in k}
        network = network_of(sizes)
        network.save_pretrained(tmp_path, max_shard_size="100KB")
        assert len(list(tmp_path.glob("*.safetensors"))) > 1
        found = all_logits(load(tmp_path), ids)
        # Weights drawn this wide double what float32 rounds away.
        assert relative(found, oracle_logits(network, ids)) < 2 * FLOAT32_BOUND


def rotary_default() -> dict[str, object]:
    return {"rope_type": "default", "rope_theta": 10_000.0, "partial_rotary_factor": 0.25}


def swap_gate_halves(tensors: dict[str, Tensor]) -> None:
    """Query and gate rows of each head the wrong way round."""
    for name in [n for n in tensors if n.endswith("q_proj.weight")]:
        heads = tensors[name].unflatten(0, (-1, 2, 32))
        tensors[name] = heads.flip(1).flatten(0, 2).contiguous()


def drop_the_plus_one(tensors: dict[str, Tensor]) -> None:
    """A norm that takes its stored weight for the scale itself."""
    tensors["model.layers.1.input_layernorm.weight"] -= 1.0


def tile_value_heads(tensors: dict[str, Tensor]) -> None:
    """Key heads serving every second value head instead of neighbouring ones."""
    for name in [n for n in tensors if n.endswith("in_proj_qkv.weight")]:
        values = tensors[name][64:].unflatten(0, (2, 2, 16)).transpose(0, 1)
        tensors[name] = torch.cat((tensors[name][:64], values.flatten(0, 2)))


def ungroup_the_inputs(tensors: dict[str, Tensor]) -> None:
    """Qwen3-Next's fused input rows taken for all q, all k, all v, all z."""
    for name in [n for n in tensors if n.endswith("in_proj_qkvz.weight")]:
        groups = tensors[name].unflatten(0, (2, 96))
        parts = groups.split_with_sizes((16, 16, 32, 32), 1)
        flat = torch.cat([part.flatten(0, 1) for part in parts])
        tensors[name] = flat.contiguous()


def ungroup_the_rates(tensors: dict[str, Tensor]) -> None:
    """Qwen3-Next's b and a rows taken for all b, all a."""
    for name in [n for n in tensors if n.endswith("in_proj_ba.weight")]:
        tensors[name] = tensors[name].unflatten(0, (2, 2, 2)).transpose(0, 1).flatten(0, 2).clone()


def swap_expert_halves(tensors: dict[str, Tensor]) -> None:
    """Up rows above gate rows in the experts."""
    for name in [n for n in tensors if n.endswith("experts.gate_up_proj")]:
        tensors[name] = tensors[name].unflatten(1, (2, -1)).flip(1).flatten(1, 2).contiguous()


FAULTS = (
    ("base", swap_gate_halves),
    ("base", drop_the_plus_one),
    ("base", tile_value_heads),
    ("moe", swap_gate_halves),
    ("moe", drop_the_plus_one),
    ("moe", swap_expert_halves),
    ("next_fused", swap_gate_halves),
    ("next_fused", drop_the_plus_one),
    ("next_fused", ungroup_the_inputs),
    ("next_fused", ungroup_the_rates),
)


class TestPlantedFaults:
    @pytest.mark.parametrize(("name", "fault"), FAULTS)
    def test_a_wrong_weight_mapping_is_caught(
        self,
        name: str,
        fault: Callable[[dict[str, Tensor]], None],
        case_named: CaseNamed,
        model_folder: ModelFolder,
        load: Load,
        oracle: Oracle,
        oracle_logits: OracleLogits,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
    ) -> None:
        case = case_named(name)
        folder = model_folder(case, torch.float32)
        tensors = load_file(folder / "model.safetensors")
        fault(tensors)
        save_file(tensors, tmp_path / "model.safetensors")
        (tmp_path / "config.json").write_text(json.dumps(case.config()), "utf-8")
        expected = oracle_logits(oracle(folder, case.config(), torch.float32), ids)
        assert relative(all_logits(load(tmp_path), ids), expected) > 50 * FLOAT32_BOUND
