"""Timed layers: every kind is seen, results do not change, and the wrappers come off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from engine import Engine, EngineConfig, PromptOptions
from engine.bench.prefill import prefill_times, timed_layers
from engine.bench.timed import token_ids
from engine.run.core import Core

IDS = token_ids(1, 150, 512)


@pytest.fixture
def engine(tiny_folder: Path, config: EngineConfig) -> Iterator[Engine]:
    with Engine.open(tiny_folder, config) as opened:
        yield opened


def layers_of(core: Core) -> list[Any]:
    return [layer for block in core.model.blocks for layer in (block.mixer, block.mlp)]


def test_every_kind_takes_time_and_the_parts_are_less_than_the_whole(engine: Engine) -> None:
    times = engine.on_core(lambda core: prefill_times(core, IDS))
    assert min(times.linear_ms, times.attention_ms, times.mlp_ms, times.rest_ms) > 0


def test_the_logits_are_the_same_bits(engine: Engine) -> None:
    def timed(core: Core) -> tuple[Tensor, dict[str, float]]:
        with timed_layers(core.model) as watch:
            found = core.logits(IDS, False, PromptOptions()).logits
        return found, dict(watch.taken)

    plain = engine.logits(IDS, reuse=False).logits
    found, taken = engine.on_core(timed)
    assert torch.equal(plain, found)
    assert all(seconds > 0 for seconds in taken.values())


def test_the_layers_are_plain_again_even_after_a_failure(engine: Engine) -> None:
    def fail(core: Core) -> bool:
        before = layers_of(core)
        with suppress(KeyboardInterrupt), timed_layers(core.model):
            assert not any(a is b for a, b in zip(before, layers_of(core), strict=True))
            raise KeyboardInterrupt
        return all(a is b for a, b in zip(before, layers_of(core), strict=True))

    assert engine.on_core(fail)
