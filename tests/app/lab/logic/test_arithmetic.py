"""The lab's arithmetic: the published figures of a model, and the engine's own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.options.shared import demo_model_dir
from app.lab.logic.arithmetic import (
    Design,
    break_even,
    checkpoint_bytes,
    designs,
    fixed_bytes,
    half_state_bytes,
    layer_memory,
    layer_token_bytes,
)
from engine.api import Engine
from engine.cache_shape import CacheShape
from engine.config import EngineConfig
from engine.model.config import parse_config
from engine.model.family import QWEN35_0_8B
from engine.model.sizes import cache_shape
from engine.model.sizes import checkpoint_bytes as engine_checkpoint_bytes
from engine.model.sizes import kv_token_bytes as engine_kv_bytes
from tests.app.fake_loop import MODEL
from tests.engine.model.header_only import MIXTURE

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
LONG = 32 * KIB


@pytest.fixture
def shape() -> CacheShape:
    """Of Qwen3.5-0.8B in bfloat16."""
    return cache_shape(parse_config(QWEN35_0_8B), "bfloat16", 2)


def sizes(made: tuple[Design, ...]) -> list[int]:
    return [design.bytes for design in made]


class TestPublishedFigures:
    """Qwen3.5-0.8B as it is described in print."""

    def test_a_token_in_a_layer(self, shape: CacheShape) -> None:
        assert layer_token_bytes(shape) == 2 * 2 * 256 * 2 == 2048

    def test_a_full_layer_at_32k(self, shape: CacheShape) -> None:
        assert layer_memory(shape, 3, LONG).bytes == 64 * MIB

    def test_full_attention_on_all_24_layers_at_32k(self, shape: CacheShape) -> None:
        every_head, grouped, _ = sizes(designs(shape, LONG))
        assert grouped == 24 * 64 * MIB == 1.5 * GIB
        # Eight query heads share two heads of keys and values.
        assert every_head == 4 * grouped

    def test_the_layers(self, shape: CacheShape) -> None:
        assert (shape.full_layers, shape.linear_layers) == (6, 18)
        full = [i for i, kind in enumerate(shape.kinds) if kind == "full"]
        assert full == [3, 7, 11, 15, 19, 23]

    def test_a_linear_layers_state(self, shape: CacheShape) -> None:
        assert half_state_bytes(shape) == 512 * KIB
        state, window = layer_memory(shape, 0, LONG).held
        assert (state.shape, state.dtype, state.bytes) == ((16, 128, 128), "float32", MIB)
        assert (window.shape, window.dtype, window.bytes) == ((3, 6144), "bfloat16", 36 * KIB)

    def test_the_hybrid(self, shape: CacheShape) -> None:
        for tokens in (1, 1000, LONG, shape.window):
            kv, state, window = designs(shape, tokens)[2].products
            assert kv.bytes == 6 * 2048 * tokens
            assert (state.bytes, window.bytes) == (18 * MIB, 18 * 36 * KIB)

    def test_what_it_saves_over_the_whole_window(self, shape: CacheShape) -> None:
        assert shape.window == 262_144
        every_head, grouped, hybrid = sizes(designs(shape, shape.window))
        assert (every_head, grouped) == (48 * GIB, 12 * GIB)
        assert grouped / hybrid == pytest.approx(4, rel=0.01)
        assert every_head / hybrid == pytest.approx(16, rel=0.01)


class TestEngineFigures:
    @pytest.mark.parametrize("itemsize", [2, 4])
    @pytest.mark.parametrize("values", [QWEN35_0_8B, MIXTURE], ids=["dense", "mixture"])
    def test_a_checkpoint_and_a_token(self, values: dict[str, object], itemsize: int) -> None:
        config = parse_config(values)
        shape = cache_shape(config, "any", itemsize)
        assert checkpoint_bytes(shape) == engine_checkpoint_bytes(config, itemsize)
        grown = designs(shape, 101)[2].bytes - designs(shape, 100)[2].bytes
        assert grown == engine_kv_bytes(config, itemsize)

    def test_the_model_that_is_open(self) -> None:
        with Engine.open(demo_model_dir(), EngineConfig(cache_bytes=16 << 20, threads=1)) as engine:
            model = engine.model
        shape = model.cache_shape
        assert checkpoint_bytes(shape) == model.checkpoint_bytes
        # The draft head's layer comes on top of the model's own.
        own = designs(shape, 1)[2].products[0].bytes
        assert own * (shape.full_layers + 1) == model.kv_bytes_per_token * shape.full_layers
        assert (shape.full_layers, shape.linear_layers) == (model.full_layers, model.linear_layers)
        assert (shape.dtype, shape.window) == (model.dtype, 8192)

    def test_the_scripted_model_is_the_published_one(self, shape: CacheShape) -> None:
        assert MODEL.cache_shape == shape
        assert MODEL.checkpoint_bytes == checkpoint_bytes(shape)


class TestLayers:
    def test_they_add_up_to_the_hybrid(self, shape: CacheShape) -> None:
        for tokens in (0, 1, 777, LONG):
            layers = [layer_memory(shape, i, tokens) for i in range(len(shape.kinds))]
            assert sum(layer.bytes for layer in layers) == designs(shape, tokens)[2].bytes

    def test_entries_grow_and_states_do_not(self, shape: CacheShape) -> None:
        keys, values = layer_memory(shape, 7, 100).held
        assert keys.shape == values.shape == (2, 100, 256)
        assert layer_memory(shape, 8, 100) == layer_memory(shape, 8, 200_000)


class TestBreakEven:
    def test_it_is_where_the_curves_cross(self, shape: CacheShape) -> None:
        tokens = break_even(shape)
        assert tokens == 531
        _, grouped, hybrid = sizes(designs(shape, tokens))
        assert hybrid < grouped
        _, grouped, hybrid = sizes(designs(shape, tokens - 1))
        assert hybrid >= grouped

    def test_full_attention_alone_saves_nothing(self, shape: CacheShape) -> None:
        plain = replace(shape, kinds=("full",) * 4)
        assert break_even(plain) is None
        assert fixed_bytes(plain) == 0
        _, grouped, itself = sizes(designs(plain, 500))
        assert itself == grouped
