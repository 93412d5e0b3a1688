"""Bytes of a cache at a context length, factor by factor, for three layer designs.

Source: "K and V of every token" for full attention; for linear attention the fixed state of the
gated delta rule and the window of its convolution, as `engine/planes.py` lays them out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from app.core.words.tr import tr
from engine.cache_shape import CacheShape, LayerKind

DesignKey = Literal["every_head", "grouped", "hybrid"]
KEYS_AND_VALUES = 2
# Bytes per number if states had the dtype of keys and values.
HALF_ITEMSIZE = 2


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of a product: 24 "layers", 2 "bytes"."""

    value: int
    unit: str


@dataclass(frozen=True, slots=True)
class Product:
    """Bytes of one part of a cache, as a product of factors.

    Attributes:
        part: "K and V", "state" or "conv window".
    """

    part: str
    factors: tuple[Factor, ...]

    @property
    def bytes(self) -> int:
        return math.prod(factor.value for factor in self.factors)


@dataclass(frozen=True, slots=True)
class Design:
    """One design of the layers, and the parts of its cache."""

    key: DesignKey
    products: tuple[Product, ...]

    @property
    def bytes(self) -> int:
        return sum(product.bytes for product in self.products)


@dataclass(frozen=True, slots=True)
class Held:
    """One tensor that a layer holds: its name, shape, dtype and bytes."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    bytes: int


@dataclass(frozen=True, slots=True)
class LayerMemory:
    """What one layer holds at a context length."""

    index: int
    kind: LayerKind
    held: tuple[Held, ...]

    @property
    def bytes(self) -> int:
        return sum(held.bytes for held in self.held)


@dataclass(frozen=True, slots=True)
class Pools:
    """What the device's pools hold for all conversations: tokens of KV, and states."""

    tokens: int
    states: int


def designs(shape: CacheShape, tokens: int) -> tuple[Design, Design, Design]:
    """Full attention with every head, the same with grouped heads, and the model as it is."""
    layers = len(shape.kinds)
    state = (
        Factor(shape.linear_layers, tr("linear layers")),
        Factor(shape.state_heads, tr("heads")),
        Factor(shape.value_dim, tr("value dims")),
        Factor(shape.key_dim, tr("key dims")),
        Factor(shape.state_itemsize, tr("bytes")),
    )
    window = (
        Factor(shape.linear_layers, tr("linear layers")),
        Factor(shape.conv_rows, tr("rows")),
        Factor(shape.conv_channels, tr("channels")),
        Factor(shape.itemsize, tr("bytes")),
    )
    return (
        Design("every_head", (_kv(shape, layers, tr("layers"), shape.query_heads, tokens),)),
        Design("grouped", (_kv(shape, layers, tr("layers"), shape.kv_heads, tokens),)),
        Design(
            "hybrid",
            (
                _kv(shape, shape.full_layers, tr("full layers"), shape.kv_heads, tokens),
                Product(tr("state"), state),
                Product(tr("conv window"), window),
            ),
        ),
    )


def layer_memory(shape: CacheShape, index: int, tokens: int) -> LayerMemory:
    """What layer `index` holds after `tokens` tokens; a linear layer's never grows."""
    kind = shape.kinds[index]
    if kind == "full":
        entries = (shape.kv_heads, tokens, shape.head_dim)
        size = math.prod(entries) * shape.itemsize
        names = ("K", "V")
        return LayerMemory(
            index, kind, tuple(Held(name, entries, shape.dtype, size) for name in names)
        )
    state = (shape.state_heads, shape.value_dim, shape.key_dim)
    window = (shape.conv_rows, shape.conv_channels)
    return LayerMemory(
        index,
        kind,
        (
            Held(tr("state"), state, shape.state_dtype, math.prod(state) * shape.state_itemsize),
            Held(tr("conv window"), window, shape.dtype, math.prod(window) * shape.itemsize),
        ),
    )


def layer_pools(shape: CacheShape, index: int, pools: Pools) -> int:
    """Bytes that the pools hold for layer `index`: entries of every token, or every state."""
    if shape.kinds[index] == "full":
        return pools.tokens * layer_token_bytes(shape)
    return pools.states * layer_memory(shape, index, 0).bytes


def layer_token_bytes(shape: CacheShape) -> int:
    """Bytes that one token adds to one full-attention layer."""
    return KEYS_AND_VALUES * shape.kv_heads * shape.head_dim * shape.itemsize


def half_state_bytes(shape: CacheShape) -> int:
    """Bytes of one linear layer's state at two bytes per number."""
    return shape.state_heads * shape.value_dim * shape.key_dim * HALF_ITEMSIZE


def fixed_bytes(shape: CacheShape) -> int:
    """Bytes that the linear layers hold at any length."""
    return designs(shape, 0)[2].bytes


def checkpoint_bytes(shape: CacheShape) -> int:
    """Bytes of one checkpoint: the linear layers' states, and the last row of activations."""
    return fixed_bytes(shape) + shape.hidden * shape.itemsize


def break_even(shape: CacheShape) -> int | None:
    """The smallest length at which the hybrid takes less than grouped heads on every layer.

    None if there is none, because every layer has full attention.
    """
    saved = shape.linear_layers * layer_token_bytes(shape)
    return fixed_bytes(shape) // saved + 1 if saved else None


def _kv(shape: CacheShape, layers: int, unit: str, heads: int, tokens: int) -> Product:
    return Product(
        tr("K and V"),
        (
            Factor(layers, unit),
            Factor(KEYS_AND_VALUES, tr("(K and V)")),
            Factor(heads, tr("heads")),
            Factor(shape.head_dim, tr("dims")),
            Factor(shape.itemsize, tr("bytes")),
            Factor(tokens, tr("tokens")),
        ),
    )
