"""The model against transformers' own classes, on random configurations."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

FLOAT32_BOUND = 1e-4


def relative(found: Tensor, expected: Tensor) -> float:
    return float((found - expected).abs().max() / expected.abs().max())


class TestLogits:
    def test_float32_logits_of_every_position(
        self, case, model_folder, load, oracle, oracle_logits, all_logits, ids
    ):
        folder = model_folder(case, torch.float32)
        expected = oracle_logits(oracle(folder, case.config(), torch.float32), ids)
        assert relative(all_logits(load(folder), ids), expected) < FLOAT32_BOUND

    def test_bfloat16_error_is_at_most_a_quarter_above_the_oracles(
        self, case, model_folder, load, oracle, oracle_logits, all_logits, ids
    ):
        folder = model_folder(case, torch.bfloat16)
        exact = oracle_logits(oracle(folder, case.config(), torch.float32), ids)
        theirs = oracle_logits(oracle(folder, case.config(), torch.bfloat16), ids)
        model = load(folder)
        assert model.dtype == torch.bfloat16
        ours = all_logits(model, ids)
        error, allowed = ((x - exact).square().mean().sqrt() for x in (ours, theirs))
        assert error <= 1.25 * allowed, f"ratio {error / allowed:.2f}"

    def test_64_greedy_tokens(self, case, model_folder, load, oracle, ids):
        folder = model_folder(case, torch.float32)
        network = oracle(folder, case.config(), torch.float32)
        model = load(folder)
        kv, states = model.make_kv_plane(100), model.make_state_plane(1)
        logits = model.forward(ids[:20], 0, kv, [(0, 20)], states, 0, write_from=0)
        ours, theirs, cache, given = [], [], None, ids[None, :20]
        for step in range(64):
            ours.append(int(logits.argmax()))
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
    def test_a_folder_saved_by_the_oracle_loads(
        self, tmp_path, load, oracle_logits, all_logits, ids
    ):
        from transformers import Qwen3_5ForCausalLM, Qwen3_5TextConfig

        torch.manual_seed(1)
        config = Qwen3_5TextConfig(
            vocab_size=320,
            hidden_size=48,
            intermediate_size=64,
            num_hidden_layers=5,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=16,
            linear_num_key_heads=2,
            linear_num_value_heads=4,
            linear_key_head_dim=8,
            linear_value_head_dim=8,
            initializer_range=0.2,
        )
        network = Qwen3_5ForCausalLM(config).eval()
        network.save_pretrained(tmp_path, max_shard_size="100KB")
        assert len(list(tmp_path.glob("*.safetensors"))) > 1
        found = all_logits(load(tmp_path), ids)
        assert relative(found, oracle_logits(network, ids)) < FLOAT32_BOUND


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


class TestPlantedFaults:
    @pytest.mark.parametrize("fault", [swap_gate_halves, drop_the_plus_one, tile_value_heads])
    def test_a_wrong_weight_mapping_is_caught(
        self,
        fault: Callable[[dict[str, Tensor]], None],
        case_named,
        model_folder,
        load,
        oracle,
        oracle_logits,
        all_logits,
        ids,
        tmp_path: Path,
    ):
        case = case_named("base")
        folder = model_folder(case, torch.float32)
        tensors = load_file(folder / "model.safetensors")
        fault(tensors)
        save_file(tensors, tmp_path / "model.safetensors")
        (tmp_path / "config.json").write_text(json.dumps(case.config()), "utf-8")
        expected = oracle_logits(oracle(folder, case.config(), torch.float32), ids)
        assert relative(all_logits(load(tmp_path), ids), expected) > 50 * FLOAT32_BOUND
