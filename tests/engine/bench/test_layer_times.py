"""Timed layers: every kind is seen, results do not change, and the wrappers come off."""

from __future__ import annotations

from contextlib import suppress

import pytest
import torch

from engine import Engine, PromptOptions
from engine.bench.layer_times import prefill_times, timed_layers
from engine.bench.timed import token_ids

IDS = token_ids(1, 150, 512)


@pytest.fixture
def engine(tiny_folder, config):
    with Engine.open(tiny_folder, config) as opened:
        yield opened


def layers_of(core):
    return [layer for block in core.model._blocks for layer in (block._mixer, block._mlp)]


def test_every_kind_takes_time_and_the_parts_are_less_than_the_whole(engine):
    times = engine.on_core(lambda core: prefill_times(core, IDS))
    assert min(times.linear_ms, times.attention_ms, times.mlp_ms, times.rest_ms) > 0


def test_the_logits_are_the_same_bits(engine):
    def timed(core):
        with timed_layers(core.model) as watch:
            found = core.logits(IDS, False, PromptOptions()).logits
        return found, dict(watch.taken)

    plain = engine.logits(IDS, reuse=False).logits
    found, taken = engine.on_core(timed)
    assert torch.equal(plain, found)
    assert all(seconds > 0 for seconds in taken.values())


def test_the_layers_are_plain_again_even_after_a_failure(engine):
    def fail(core):
        before = layers_of(core)
        with suppress(KeyboardInterrupt), timed_layers(core.model):
            assert not any(a is b for a, b in zip(before, layers_of(core), strict=True))
            raise KeyboardInterrupt
        return all(a is b for a, b in zip(before, layers_of(core), strict=True))

    assert engine.on_core(fail)
