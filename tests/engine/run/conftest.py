"""A tiny random model with one token per word, and engines on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import Engine, EngineConfig
from engine.bench.random_model import random_model
from engine.model.family import QWEN35_0_8B
from engine.model.hybrid import HybridModel
from engine.run.core import Core
from engine.storage.disk_tier import DiskTier
from kernels.step_ops import TORCH

TINY = QWEN35_0_8B | {
    "vocab_size": 512,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 5,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 16,
    "linear_value_head_dim": 16,
    "max_position_embeddings": 8192,
    "eos_token_id": 2,
}
CACHE_BYTES = 32 << 20
Opener = Callable[..., Engine]


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_model(tmp_path_factory.mktemp("models") / "tiny", TINY, seed=5, dtype="float32")


@pytest.fixture(scope="session")
def headed_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny model with a draft head."""
    folder = tmp_path_factory.mktemp("models") / "tiny"
    return random_model(folder, TINY, seed=5, dtype="float32", draft_head=True)


@pytest.fixture
def as_on_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models that are loaded run few rows as on a device, by its operations in PyTorch."""
    begin = HybridModel.__init__

    def begun(self: HybridModel, *args: Any, **options: Any) -> None:
        begin(self, *args, **options)
        self.step_ops = TORCH

    monkeypatch.setattr(HybridModel, "__init__", begun)


@pytest.fixture(params=["cpu", "device"])
def everywhere(request: pytest.FixtureRequest) -> None:
    """By the kernels in C, and as on a device: passes over fixed buffers where they can be."""
    if request.param == "device":
        request.getfixturevalue("as_on_device")


@pytest.fixture
def open_engine(tiny_folder: Path) -> Iterator[Opener]:
    """Opens engines on the tiny model and closes them, checking the invariants first."""
    opened: list[Engine] = []

    def open_one(**settings: Any) -> Engine:
        config = EngineConfig(**{"cache_bytes": CACHE_BYTES, "threads": 1, **settings})
        engine = Engine.open(tiny_folder, config)
        opened.append(engine)
        return engine

    yield open_one
    for engine in opened:
        if not engine.alive:
            continue
        engine.check_invariants()
        state, kv = engine.snapshot().state, engine.snapshot().kv
        assert (state.live, kv.live) == (1, 0), "a finished request left slots behind"
        assert state.locked == kv.locked == 0, "a finished request left locks behind"
        engine.close()


def disk_of(core: Core) -> DiskTier:
    """The disk of an engine that has one."""
    disk = core.store.tiers.disk
    assert isinstance(disk, DiskTier)
    return disk


def write_out(core: Core) -> None:
    """Wait until the disk has all that was given to it."""
    disk_of(core)._store.flush()


def ids(start: int, count: int, vocab: int = 512) -> tuple[int, ...]:
    """A repeatable sequence of token ids without special ones."""
    return tuple(9 + (start * 131 + i * i * 7 + i * 13) % (vocab - 9) for i in range(count))
