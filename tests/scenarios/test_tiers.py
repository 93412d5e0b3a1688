"""Scenarios 64 to 69: demotion, promotion, restarts, damage and resizing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from engine.cache.extents import to_slots
from tests.engine.cache.tiers.three_tiers import ThreeTiers
from tests.engine.run.conftest import Opener, ids
from tests.engine.run.test_disk_tier import files
from tests.present import present
from tests.scenarios.steps import off_by, right

CROWDED = {"cache_bytes": 1 << 20, "host_bytes": 16 << 20, "interval": 64}


def chat(seed: int, length: int) -> list[int]:
    made: list[int] = np.random.default_rng(seed).integers(1, 50_000, length).tolist()
    return made


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_tier_64_down_and_up_is_bit_equal_for_full_length_hits_too(
    open_engine: Opener, mode: str
) -> None:
    """SGLang 39830: a full-length hit from host was wrong 20 times of 20."""
    engine = open_engine(mode=mode, **CROWDED)
    for seed in range(20):
        prompt = ids(seed, 300)
        first = engine.logits(prompt).logits
        for other in range(100, 106):
            engine.logits(ids(other + 7 * seed, 300))
        again = engine.logits(prompt)
        assert again.reused == 300
        assert present(again.plan.state).tier == "host"
        assert torch.equal(again.logits, first)


def test_tier_65_host_holds_no_kv_that_no_state_covers() -> None:
    """SGLang 39436: KV on host without its state was dead memory."""
    world = ThreeTiers(device=(300, 3), host=(900, 9), files=None)
    rng = np.random.default_rng(65)
    for step in range(60):
        world.run(chat(step % 7, int(rng.integers(20, 200))), decode=[step])
        assert world.host is not None
        parents = {node.parent for node in world.host.reader.nodes()}
        for node in world.host.reader.nodes()[1:]:
            assert node.checkpoint is not None or node.id in parents


def test_tier_66_a_full_host_gives_up_the_oldest() -> None:
    """SGLang 33713: demotion dropped the newest, silently."""
    world = ThreeTiers(device=(220, 2), host=(450, 6), files=None)
    for seed in range(1, 9):
        world.run(chat(seed, 200))
    assert world.tiers.probe([*chat(7, 200), 1]).resume == 200
    assert world.tiers.probe([*chat(1, 200), 1]).resume == 0


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_tier_67_a_restart_has_the_same_hits_and_the_same_logits(
    open_engine: Opener, tmp_path: Path, mode: str
) -> None:
    """llama.cpp 25913: states were lost; another model, dtype or mode finds nothing here."""
    kept = {"cache_dir": tmp_path, "disk_bytes": 64 << 20, "interval": 128, "mode": mode}
    engine = open_engine(**kept)
    engine.logits(ids(1, 500))
    here = engine.logits((*ids(1, 500), 3, 4))
    engine.close()
    engine = open_engine(**kept)
    there = engine.logits((*ids(1, 500), 3, 5))
    cold = engine.logits((*ids(1, 500), 3, 5), reuse=False)
    assert there.reused >= here.reused - 4
    assert off_by(there.logits, cold.logits) <= (0 if mode == "exact" else 1e-4)
    other = open_engine(**{**kept, "dtype": "bfloat16"})
    assert other.logits((*ids(1, 500), 3, 5)).reused == 0


def test_tier_68_a_damaged_file_is_skipped_and_named(open_engine: Opener, tmp_path: Path) -> None:
    """llama.cpp 21762 and 22275 died while saving or reading; here the turn goes on."""
    kept = {"cache_dir": tmp_path, "disk_bytes": 64 << 20, "interval": 128}
    engine = open_engine(**kept)
    engine.logits(ids(1, 500))
    engine.close()
    for path in files(tmp_path)[::2]:
        path.write_bytes(path.read_bytes()[:-200])
    engine = open_engine(**kept)
    right(engine, (*ids(1, 500), 7))
    disk = engine.snapshot().disk
    assert disk is not None
    assert disk.damaged > 0


def test_tier_69_pools_are_resized_under_a_live_cache() -> None:
    """FreeToken: everything is moved or given back, and conserved."""
    world = ThreeTiers(device=(600, 9), host=None, files=None)
    for seed in range(4):
        world.run(chat(seed, 150))
    for kv_slots, state_slots in ((400, 4), (900, 12), (200, 2), (600, 0)):
        moves = world.cache.resize(kv_slots, state_slots)
        for source, target in moves.kv:
            for here, there in zip(to_slots(source), to_slots(target), strict=True):
                world.bytes.kv[int(there)] = world.bytes.kv[int(here)]
        for here, there in moves.states:
            world.bytes.state[there] = world.bytes.state[here]
        world.verify()
        assert world.cache.reader.sizes == (kv_slots, state_slots)
