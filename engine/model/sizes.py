"""Sizes that follow from a configuration alone: bytes per weight, per token, per checkpoint."""

from __future__ import annotations

import math
from collections.abc import Mapping

from engine.cache_shape import CacheShape
from engine.config import WeightFormat
from engine.model.config import FULL, ModelConfig
from engine.model.tensor_store import EMBEDDING, HEAD
from kernels.matmul import GROUP, fits_int4

FLOAT_BYTES = 4
# int8 keeps one float32 scale per output; int4 a bfloat16 scale and offset per group of inputs.
INT8_ROW_BYTES = 4
INT4_GROUP_BYTES = 4
# Marks tensors that each token uses only partly.
ROUTED = ".experts."
# Matrices kept in float32 in every format: windows and routers are small and sensitive.
# Vocabulary tables have at least 8 bits, and so do matrices that 4 bits cannot hold.
WIDE = (EMBEDDING, HEAD)
EXACT = ("conv1d.weight", "mlp.gate.weight", "mlp.shared_expert_gate.weight")


def kv_token_bytes(config: ModelConfig, itemsize: int) -> int:
    """Bytes of one token's keys and values; itemsize: bytes of a number of the model's dtype."""
    return 2 * config.kv_layers * config.kv_heads * config.head_dim * itemsize


def checkpoint_bytes(config: ModelConfig, itemsize: int) -> int:
    """Bytes of one checkpoint: delta states in float32, the rest in the model's dtype."""
    heads = config.linear_value_heads * config.linear_key_dim * config.linear_value_dim
    window = (config.conv_kernel - 1) * config.conv_channels
    small = config.linear_layers * window + config.hidden_size
    return config.linear_layers * heads * FLOAT_BYTES + small * itemsize


def cache_shape(config: ModelConfig, dtype: str, itemsize: int) -> CacheShape:
    """The sizes of a model's cache; dtype, itemsize: the model's, and the bytes of a number."""
    return CacheShape(
        kinds=tuple("full" if kind == FULL else "linear" for kind in config.layer_types),
        query_heads=config.heads,
        kv_heads=config.kv_heads,
        head_dim=config.head_dim,
        state_heads=config.linear_value_heads,
        key_dim=config.linear_key_dim,
        value_dim=config.linear_value_dim,
        conv_rows=config.conv_kernel - 1,
        conv_channels=config.conv_channels,
        hidden=config.hidden_size,
        dtype=dtype,
        itemsize=itemsize,
        state_dtype="float32",
        state_itemsize=FLOAT_BYTES,
        window=config.context,
    )


def tensor_bytes(name: str, shape: tuple[int, ...], weights: WeightFormat, itemsize: int) -> int:
    """Bytes of one tensor as the loader keeps it; itemsize: of the dtype of dense matrices.

    Anything but matrices (norms, decays) is kept in float32.
    """
    numbers = math.prod(shape)
    if len(shape) < 2 or name.endswith(EXACT):
        return FLOAT_BYTES * numbers
    inputs = shape[-1]
    rows = numbers // inputs
    if weights == "stored":
        return itemsize * numbers
    if weights == "int4" and fits_int4(rows, inputs) and not name.endswith(WIDE):
        return numbers // 2 + INT4_GROUP_BYTES * (numbers // GROUP)
    return numbers + INT8_ROW_BYTES * rows


def weight_bytes(
    shapes: Mapping[str, tuple[int, ...]], weights: WeightFormat, itemsize: int
) -> tuple[int, int]:
    """Bytes of all tensors in a format, and of the routed experts among them."""
    whole = routed = 0
    for name, shape in shapes.items():
        taken = tensor_bytes(name, shape, weights, itemsize)
        whole += taken
        routed += taken if ROUTED in name else 0
    return whole, routed
