"""Model folders of any size that take no room: true headers over files full of holes."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

WIDTHS = {"F32": 4, "BF16": 2, "F16": 2, "F8_E4M3": 1}

# The sizes of Qwen3.5-35B-A3B's text model.
MIXTURE: dict[str, Any] = {
    "model_type": "qwen3_5_moe_text",
    "hidden_act": "silu",
    "vocab_size": 248_320,
    "hidden_size": 2048,
    "num_hidden_layers": 40,
    "full_attention_interval": 4,
    "num_attention_heads": 16,
    "num_key_value_heads": 2,
    "head_dim": 256,
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 32,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "linear_conv_kernel_dim": 4,
    "num_experts": 256,
    "num_experts_per_tok": 8,
    "moe_intermediate_size": 512,
    "shared_expert_intermediate_size": 512,
    "rms_norm_eps": 1e-6,
    "rope_parameters": {
        "rope_type": "default",
        "rope_theta": 10_000_000.0,
        "partial_rotary_factor": 0.25,
    },
    "max_position_embeddings": 262_144,
    "tie_word_embeddings": False,
}


def write_headers(
    path: Path, shapes: Mapping[str, tuple[int, ...]], dtypes: Mapping[str, str] | str = "BF16"
) -> None:
    """A .safetensors file of these tensors whose data was never written."""
    header, end = {}, 0
    for name, shape in shapes.items():
        dtype = dtypes if isinstance(dtypes, str) else dtypes.get(name, "BF16")
        first, end = end, end + math.prod(shape) * WIDTHS[dtype]
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [first, end]}
    raw = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(raw)) + raw)
        file.truncate(8 + len(raw) + end)
