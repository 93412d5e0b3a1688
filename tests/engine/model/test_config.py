"""config.json: every size stated, every refusal by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.errors import ModelError
from engine.hub.manifest import UNFINISHED
from engine.model.config import FULL, LINEAR, parse_config, read_config
from tests.engine.model.conftest import CaseNamed

REQUIRED = (
    "vocab_size",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "linear_num_key_heads",
    "linear_num_value_heads",
    "linear_key_head_dim",
    "linear_value_head_dim",
    "linear_conv_kernel_dim",
    "rms_norm_eps",
    "max_position_embeddings",
    "tie_word_embeddings",
    "full_attention_interval",
)


@pytest.fixture
def values(case_named: CaseNamed) -> dict[str, Any]:
    found: dict[str, Any] = case_named("base").config()
    return found


def refusal(values: dict[str, Any]) -> str:
    with pytest.raises(ModelError) as caught:
        parse_config(values)
    return str(caught.value)


class TestParse:
    def test_interval_gives_the_layer_types(self, values: dict[str, Any]) -> None:
        config = parse_config(values | {"num_hidden_layers": 6})
        assert config.layer_types == (LINEAR, LINEAR, LINEAR, FULL, LINEAR, LINEAR)
        assert (config.linear_layers, config.full_layers) == (5, 1)

    def test_explicit_layer_types_win(self, values: dict[str, Any]) -> None:
        config = parse_config(values | {"layer_types": [FULL, LINEAR, FULL, LINEAR]})
        assert config.layer_types == (FULL, LINEAR, FULL, LINEAR)

    def test_derived_sizes(self, values: dict[str, Any]) -> None:
        config = parse_config(values)
        assert config.conv_channels == 2 * 32 + 64
        assert config.rotary_dim == 8
        assert config.family == "qwen3_5"
        assert config.end_ids == {5}

    def test_rope_fields_may_stand_alone(self, values: dict[str, Any]) -> None:
        values.pop("rope_parameters")
        config = parse_config(values | {"rope_theta": 1e6, "partial_rotary_factor": 0.5})
        assert (config.rope_theta, config.rotary_dim) == (1e6, 16)

    def test_nested_text_config(self, values: dict[str, Any]) -> None:
        outer = {"model_type": "qwen3_5", "tie_word_embeddings": False, "eos_token_id": [1, 2]}
        config = parse_config(outer | {"text_config": values | {"eos_token_id": None}})
        assert config.nested
        assert not config.tied
        assert config.end_ids == {1, 2}


class TestFolder:
    def test_a_download_that_is_not_finished(self, tmp_path: Path) -> None:
        # What has come so far says nothing: neither that it is sound nor what is wrong.
        for there in ((), ("config.json",)):
            for name in (UNFINISHED, *there):
                (tmp_path / name).write_text("{}")
            with pytest.raises(ModelError, match="is not finished: fetch the rest"):
                read_config(tmp_path)


class TestWhatIsOpened:
    """Without config.json a sentence says what would open."""

    OPENS = "with config.json, tokenizer.json and weights as safetensors."

    def test_a_folder_of_gguf_files(self, tmp_path: Path) -> None:
        (tmp_path / "model.GGUF").write_bytes(b"GGUF")
        with pytest.raises(ModelError) as refused:
            read_config(tmp_path)
        assert str(refused.value) == (
            f'"{tmp_path}" holds GGUF files: open one of them instead of the folder.'
        )

    def test_a_file_beside_the_folder(self, tmp_path: Path) -> None:
        file = tmp_path / "model.bin"
        file.write_bytes(b"")
        for place, said in (
            (file, f'"{file}" is not a folder: choose one {self.OPENS}'),
            (
                tmp_path / "gone",
                f'There is no folder "{tmp_path / "gone"}": choose one {self.OPENS}',
            ),
        ):
            with pytest.raises(ModelError) as refused:
                read_config(place)
            assert str(refused.value) == said


class TestRefused:
    @pytest.mark.parametrize("name", REQUIRED)
    def test_a_missing_field_by_name(self, values: dict[str, Any], name: str) -> None:
        values.pop(name)
        assert f'"{name}"' in refusal(values)

    @pytest.mark.parametrize("name", ["rope_theta", "partial_rotary_factor"])
    def test_a_missing_rope_field_by_name(self, values: dict[str, Any], name: str) -> None:
        rope = {k: v for k, v in values["rope_parameters"].items() if k != name}
        assert f'"{name}"' in refusal(values | {"rope_parameters": rope})

    @pytest.mark.parametrize("kind", ["qwen2", "qwen4_exp", "llama", None, 3, []])
    def test_another_model_type(self, values: dict[str, Any], kind: object) -> None:
        assert "not supported" in refusal(values | {"model_type": kind})

    @pytest.mark.parametrize(
        "packing",
        [
            {"quantization_config": {"quant_method": "gptq", "bits": 4}},
            {"quantization_config": {"quant_method": ["fp8"]}},
            {"quantization": {"group_size": 64, "bits": 4}},
        ],
    )
    def test_weights_packed_by_another_program(
        self, values: dict[str, Any], packing: dict[str, Any]
    ) -> None:
        assert "take the original model" in refusal(values | packing)
        parse_config(values | {"quantization_config": {"quant_method": "fp8"}})

    def test_another_nested_model_type(self, values: dict[str, Any]) -> None:
        text = values | {"model_type": "qwen4_exp_text"}
        assert "qwen4_exp_text" in refusal({"model_type": "qwen3_5", "text_config": text})

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("hidden_act", "gelu"),
            ("attention_bias", True),
            ("attn_output_gate", False),
            ("hidden_size", "64"),
            ("hidden_size", 0),
            ("hidden_size", True),
            ("num_hidden_layers", 10**9),
            ("rms_norm_eps", "small"),
            ("tie_word_embeddings", "yes"),
            ("eos_token_id", "end"),
            ("layer_types", [LINEAR]),
            ("layer_types", [LINEAR, LINEAR, LINEAR, "sliding_attention"]),
            ("num_key_value_heads", 3),
            ("linear_num_value_heads", 3),
            ("linear_conv_kernel_dim", 1),
            ("rope_parameters", 3),
            ("text_config", 3),
        ],
    )
    def test_a_bad_value_by_name(self, values: dict[str, Any], name: str, value: object) -> None:
        assert name in refusal(values | {name: value})

    def test_scaled_rope(self, values: dict[str, Any]) -> None:
        rope = values["rope_parameters"] | {"rope_type": "yarn"}
        assert "yarn" in refusal(values | {"rope_parameters": rope})

    def test_an_odd_rotary_part(self, values: dict[str, Any]) -> None:
        rope = values["rope_parameters"] | {"partial_rotary_factor": 0.1}
        assert "partial_rotary_factor" in refusal(values | {"rope_parameters": rope})
