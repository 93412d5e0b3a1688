"""The sizes of the family's published text models, as in their config.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_COMMON: dict[str, Any] = {
    "model_type": "qwen3_5_text",
    "hidden_act": "silu",
    "vocab_size": 248_320,
    "full_attention_interval": 4,
    "head_dim": 256,
    "linear_num_key_heads": 16,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "linear_conv_kernel_dim": 4,
    "rms_norm_eps": 1e-6,
    "rope_parameters": {
        "rope_type": "default",
        "rope_theta": 10_000_000.0,
        "partial_rotary_factor": 0.25,
    },
    "max_position_embeddings": 262_144,
    "tie_word_embeddings": False,
    "eos_token_id": 248_044,
}
_EXPERTS: dict[str, Any] = {
    "num_experts": 256,
    "num_experts_per_tok": 8,
    "moe_intermediate_size": 512,
    "shared_expert_intermediate_size": 512,
    "norm_topk_prob": True,
    "decoder_sparse_step": 1,
    "mlp_only_layers": [],
}


def _dense(
    layers: int, hidden: int, width: int, heads: int, kv: int, values: int
) -> dict[str, Any]:
    return _COMMON | {
        "num_hidden_layers": layers,
        "hidden_size": hidden,
        "intermediate_size": width,
        "num_attention_heads": heads,
        "num_key_value_heads": kv,
        "linear_num_value_heads": values,
    }


def _mixture(layers: int, values: int, **more: Any) -> dict[str, Any]:
    sizes = _dense(layers, 2048, 512, 16, 2, values)
    return sizes | _EXPERTS | {"model_type": "qwen3_5_moe_text"} | more


_TIED = {"tie_word_embeddings": True}
PUBLISHED: Mapping[str, dict[str, Any]] = {
    "Qwen3.5-0.8B": _dense(24, 1024, 3584, 8, 2, 16) | _TIED,
    "Qwen3.5-2B": _dense(24, 2048, 6144, 8, 2, 16) | _TIED,
    "Qwen3.5-4B": _dense(32, 2560, 9216, 16, 4, 32) | _TIED,
    "Qwen3.5-9B": _dense(32, 4096, 12_288, 16, 4, 32),
    "Qwen3.5-27B": _dense(64, 5120, 17_408, 24, 4, 48),
    "Qwen3.5-35B-A3B": _mixture(40, 32),
    "Qwen3-Next-80B-A3B-Instruct": _mixture(48, 32, num_experts=512, num_experts_per_tok=10)
    | {"model_type": "qwen3_next", "vocab_size": 151_936},
}
QWEN35_0_8B = PUBLISHED["Qwen3.5-0.8B"]
