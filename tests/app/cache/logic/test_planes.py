"""The planes bar adds up."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from app.cache.logic.planes import parts, plane_texts, total_bytes, widths
from app.core.words.format import byte_size
from tests.app.samples import node, random_tree, snapshot


class TestParts:
    @pytest.mark.parametrize("size", [0, 1, 30])
    def test_bytes_sum_to_what_the_engine_holds(self, size: int) -> None:
        given = snapshot(*random_tree(size))
        assert sum(part.bytes for part in parts(given)) == total_bytes(given)
        memory = given.memory
        made = {part.key: part.bytes for part in parts(given)}
        assert sum(v for k, v in made.items() if k.startswith("kv_")) == memory.kv_plane
        assert sum(v for k, v in made.items() if k.startswith("state_")) == memory.state_plane

    def test_locked_and_evictable_are_told_apart(self) -> None:
        given = snapshot(node(1, 0, 0, 100, "prefill", lock=1), node(2, 1, 100, 250, "decode"))
        made = {part.key: part for part in parts(given)}
        assert (made["kv_locked"].bytes, made["kv_cached"].bytes) == (1000, 1500)
        assert made["kv_live"].slots == 20
        assert "150 tokens" in made["kv_cached"].tooltip

    def test_the_legend_names_both_planes(self) -> None:
        texts = {text.key: text for text in plane_texts(snapshot(node(1, 0, 0, 100, "prefill")))}
        assert texts["kv_cached"].slots == "120 tokens"
        assert texts["state_cached"].slots == "1 checkpoint"

    def test_the_running_requests_own_state_is_not_of_the_budget(self) -> None:
        given = snapshot(node(1, 0, 0, 100, "prefill"))
        state = replace(given.state, beside=1)
        before, after = (
            {text.key: text for text in plane_texts(replace(given, state=pool))}
            for pool in (given.state, state)
        )
        budget = (state.total - 1) * state.slot_bytes
        assert after["state_cached"].bytes.endswith(f" of {byte_size(budget)}")
        assert after["workspace"].bytes == byte_size(given.memory.workspace + state.slot_bytes)
        assert before["kv_cached"] == after["kv_cached"]


class TestWidths:
    def test_they_fill_the_room_and_keep_small_parts_visible(self) -> None:
        rng = random.Random(3)
        for _ in range(200):
            sizes = tuple(rng.choice((0, 1, 50, 10**9)) for _ in range(9))
            made = widths(sizes, 400)
            assert sum(made) == (400 if sum(sizes) else 0)
            assert all(width >= 2 for width, size in zip(made, sizes, strict=True) if size)

    def test_no_room(self) -> None:
        assert widths((1, 2), 0) == (0, 0)
