"""How a budget becomes slots, and the error if it cannot."""

from __future__ import annotations

import pytest

from engine.config import EngineConfig
from engine.errors import CacheError
from engine.run.memory import CONTEXTS_WORTH, default_budget, size_host, size_planes

MIB = 1 << 20
SIZES = {"kv_slot_bytes": 12 << 10, "state_slot_bytes": 19 * MIB}


def test_the_planes_share_the_budget() -> None:
    sizes = size_planes(EngineConfig(cache_bytes=512 * MIB), context=4096, **SIZES)
    used = sizes.kv_slots * SIZES["kv_slot_bytes"] + sizes.state_slots * SIZES["state_slot_bytes"]
    assert 0 <= 512 * MIB - used < SIZES["kv_slot_bytes"]
    assert sizes.state_slots


def test_a_small_model_gets_no_more_than_it_can_use() -> None:
    assert default_budget(100, 1000) == CONTEXTS_WORTH * 1000 * 100


def test_a_budget_without_room_for_tokens_says_how_much_is_needed() -> None:
    with pytest.raises(CacheError, match=r"budget of 0 MiB .* give at least 20 MiB"):
        size_planes(EngineConfig(cache_bytes=1000), context=4096, **SIZES)
    enough = size_planes(EngineConfig(cache_bytes=20 * MIB), context=4096, **SIZES)
    assert enough.kv_slots >= 64


@pytest.mark.parametrize("budget", [0, 512 * MIB])
def test_a_model_without_attention_is_refused_in_a_sentence(budget: int) -> None:
    with pytest.raises(CacheError, match="no full-attention layer"):
        size_planes(
            EngineConfig(cache_bytes=budget), kv_slot_bytes=0, state_slot_bytes=MIB, context=4096
        )


def test_a_host_budget_without_room_for_a_checkpoint_says_how_much_is_needed() -> None:
    with pytest.raises(CacheError, match="holds no checkpoint of this model"):
        size_host(EngineConfig(host_bytes=MIB), **SIZES)
    assert size_host(EngineConfig(host_bytes=0), **SIZES) is None
