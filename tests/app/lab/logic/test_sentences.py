"""What the lab says: every factor of every product, and what a layer holds."""

from __future__ import annotations

from dataclasses import replace

from app.lab.logic.arithmetic import designs, layer_memory
from app.lab.logic.sentences import (
    heads_line,
    layer_lines,
    layer_title,
    model_line,
    product_text,
    ratio_text,
    sum_lines,
)
from tests.app.fake_loop import MODEL

SHAPE = MODEL.cache_shape
LONG = 32_768


class TestProducts:
    def test_every_factor_is_there(self) -> None:
        every_head, grouped, hybrid = designs(SHAPE, LONG)
        assert product_text(grouped.products[0]) == (
            "24 layers × 2 (K and V) × 2 heads × 256 dims × 2 bytes × 32,768 tokens "
            "= 1,610,612,736 B (1.50 GiB)"
        )
        assert product_text(every_head.products[0]).startswith("24 layers × 2 (K and V) × 8 heads")
        assert [product_text(product) for product in hybrid.products] == [
            "6 full layers × 2 (K and V) × 2 heads × 256 dims × 2 bytes × 32,768 tokens "
            "= 402,653,184 B (384 MiB)",
            "18 linear layers × 16 heads × 128 value dims × 128 key dims × 4 bytes "
            "= 18,874,368 B (18.0 MiB)",
            "18 linear layers × 3 rows × 6,144 channels × 2 bytes = 663,552 B (648 KiB)",
        ]

    def test_a_line_for_each_and_the_sum_of_the_hybrids(self) -> None:
        lines = sum_lines(designs(SHAPE, LONG))
        assert [name for name, _ in lines] == [
            "Full attention, every head",
            "Full attention, grouped heads",
            "This model, K and V",
            "This model, state",
            "This model, conv window",
            "This model, sum",
        ]
        assert lines[-1][1] == ("402,653,184 + 18,874,368 + 663,552 = 422,191,104 B (403 MiB)")

    def test_one_of_a_thing(self) -> None:
        one = designs(replace(SHAPE, kv_heads=1), 1)[1]
        assert "1 head × 256 dims × 2 bytes × 1 token =" in product_text(one.products[0])

    def test_how_many_times_more(self) -> None:
        every_head, grouped, hybrid = designs(SHAPE, 131_072)
        assert ratio_text(every_head, hybrid) == "15.8 ×"
        assert ratio_text(grouped, hybrid) == "3.95 ×"
        assert ratio_text(hybrid, hybrid) == ""


class TestLayers:
    def test_a_full_layer(self) -> None:
        layer = layer_memory(SHAPE, 3, LONG)
        assert layer_title(layer) == "Layer 3: full attention, 64.0 MiB"
        assert layer_lines(layer, SHAPE) == (
            "K [2, 32,768, 256] bfloat16: 33,554,432 B (32.0 MiB)",
            "V [2, 32,768, 256] bfloat16: 33,554,432 B (32.0 MiB)",
            "Each token adds 2,048 B.",
        )

    def test_a_linear_layer(self) -> None:
        layer = layer_memory(SHAPE, 0, LONG)
        assert layer_title(layer) == "Layer 0: linear attention, 1.04 MiB"
        assert layer_lines(layer, SHAPE) == (
            "state [16, 128, 128] float32: 1,048,576 B (1.00 MiB)",
            "conv window [3, 6,144] bfloat16: 36,864 B (36.0 KiB)",
            "The same at any length. The state is kept in float32; at 2 bytes a number it would "
            "be 512 KiB.",
        )


class TestModel:
    def test_its_layers_and_its_window(self) -> None:
        assert model_line("Qwen3.5-0.8B", SHAPE, 262_144) == (
            "Qwen3.5-0.8B: 24 layers, 6 full and 18 linear. Window 262,144 tokens."
        )
        assert model_line("It", SHAPE, 32_768).endswith("; the cache has room for 32,768.")

    def test_from_where_on_it_saves(self) -> None:
        assert heads_line(SHAPE) == (
            "8 query heads share 2 heads of keys and values. The linear layers hold 18.6 MiB at "
            "any length, which is less memory than grouped heads on every layer from 531 tokens on."
        )

    def test_one_that_is_not_a_hybrid(self) -> None:
        plain = replace(SHAPE, kinds=("full",) * 4, kv_heads=8)
        assert heads_line(plain) == (
            "Its heads are not grouped. It has no linear layers, so nothing is fixed."
        )
