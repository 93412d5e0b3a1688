"""The model sizes that determine its cache's: layers, heads, dimensions, dtypes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LayerKind = Literal["linear", "full"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheShape:
    """Everything needed to compute cache sizes; source: config.json and the loaded dtypes.

    Attributes:
        kinds: of the layers, in order.
        query_heads, kv_heads, head_dim: of a full-attention layer.
        state_heads, value_dim, key_dim: the three dimensions of a linear layer's state.
        conv_rows, conv_channels: a linear layer's conv window is [conv_rows, conv_channels].
        hidden: width of the hidden row stored with a checkpoint.
        dtype, itemsize: of keys, values, conv windows and hidden row; bytes of one number.
        state_dtype, state_itemsize: of the linear layers' states.
        window: the longest sequence the model was trained for, in tokens.
    """

    kinds: tuple[LayerKind, ...]
    query_heads: int
    kv_heads: int
    head_dim: int
    state_heads: int
    key_dim: int
    value_dim: int
    conv_rows: int
    conv_channels: int
    hidden: int
    dtype: str
    itemsize: int
    state_dtype: str
    state_itemsize: int
    window: int

    @property
    def full_layers(self) -> int:
        return self.kinds.count("full")

    @property
    def linear_layers(self) -> int:
        return self.kinds.count("linear")
