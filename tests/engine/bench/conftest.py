"""A model of two layers, one of each kind, and measurements small enough for a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import EngineConfig
from engine.bench.machine import Effort
from engine.bench.random_model import random_model
from engine.model.family import QWEN35_0_8B

TINY = QWEN35_0_8B | {
    "vocab_size": 512,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "full_attention_interval": 2,
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


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_model(tmp_path_factory.mktemp("bench") / "tiny", TINY, seed=5, dtype="bfloat16")


@pytest.fixture
def config() -> EngineConfig:
    return EngineConfig(cache_bytes=32 << 20, threads=1)


@pytest.fixture
def little() -> Effort:
    """A measurement of the machine that takes no time and is worth nothing."""
    return Effort(read_bytes=1 << 20, rows=(16, 32), repeats=1)
