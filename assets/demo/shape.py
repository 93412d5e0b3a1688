"""The size of the demo model, and the config.json that states it."""

from __future__ import annotations

from dataclasses import dataclass

SPECIAL_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKER_TOKENS = (
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "</tool_response>",
)


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a Qwen3.5 text model; the defaults are those of the demo model."""

    vocab: int = 2048
    hidden: int = 256
    intermediate: int = 512
    layers: int = 8
    full_interval: int = 4
    heads: int = 4
    kv_heads: int = 2
    head_dim: int = 64
    rotary_fraction: float = 0.25
    rope_theta: float = 10_000.0
    linear_key_heads: int = 2
    linear_value_heads: int = 4
    linear_key_dim: int = 64
    linear_value_dim: int = 64
    conv_kernel: int = 4
    eps: float = 1e-6
    max_positions: int = 8192

    @property
    def layer_types(self) -> list[str]:
        """One name per layer: every `full_interval`-th is full attention."""
        return [
            "linear_attention" if (index + 1) % self.full_interval else "full_attention"
            for index in range(self.layers)
        ]

    @property
    def rotary_dim(self) -> int:
        """Rotated leading dimensions of each attention head."""
        return int(self.head_dim * self.rotary_fraction)


def mrope_section(pairs: int) -> list[int]:
    """Split the rotary `pairs` into time, height and width parts, the larger parts first."""
    return [pairs - 2 * (pairs // 3) - (pairs % 3 == 2), (pairs + 1) // 3, pairs // 3]


def config_json(shape: Shape) -> dict[str, object]:
    """Every field of the model's config.json, none left to a default."""
    first_special = shape.vocab - len(SPECIAL_TOKENS) - len(MARKER_TOKENS)
    end_of_text = first_special + SPECIAL_TOKENS.index("<|endoftext|>")
    end_of_turn = first_special + SPECIAL_TOKENS.index("<|im_end|>")
    return {
        "architectures": ["Qwen3_5ForCausalLM"],
        "model_type": "qwen3_5_text",
        "dtype": "bfloat16",
        "vocab_size": shape.vocab,
        "hidden_size": shape.hidden,
        "intermediate_size": shape.intermediate,
        "hidden_act": "silu",
        "num_hidden_layers": shape.layers,
        "mtp_num_hidden_layers": 1,
        "layer_types": shape.layer_types,
        "full_attention_interval": shape.full_interval,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_dim,
        "attention_bias": False,
        "attention_dropout": 0.0,
        "attn_output_gate": True,
        "linear_conv_kernel_dim": shape.conv_kernel,
        "linear_key_head_dim": shape.linear_key_dim,
        "linear_value_head_dim": shape.linear_value_dim,
        "linear_num_key_heads": shape.linear_key_heads,
        "linear_num_value_heads": shape.linear_value_heads,
        "mamba_ssm_dtype": "float32",
        "partial_rotary_factor": shape.rotary_fraction,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": shape.rope_theta,
            "partial_rotary_factor": shape.rotary_fraction,
            "mrope_section": mrope_section(shape.rotary_dim // 2),
            "mrope_interleaved": True,
        },
        "max_position_embeddings": shape.max_positions,
        "rms_norm_eps": shape.eps,
        "tie_word_embeddings": True,
        "initializer_range": 0.02,
        "use_cache": True,
        "bos_token_id": None,
        "eos_token_id": end_of_turn,
        "pad_token_id": end_of_text,
    }
