"""A family is a layer class and an entry in each of two tables: the how-to, followed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from engine import Engine, EngineConfig
from engine.bench.random_model import random_model
from engine.errors import ModelError
from engine.model.config import MODEL_TYPES, parse_config
from engine.model.inspect import inspect_model
from engine.model.loader import FAMILY_LAYERS, NAMED_DTYPES, LoadOptions, load_model
from tests.engine.model import toy_family
from tests.engine.model.conftest import BASE
from tests.engine.model.toy_family import DOWN, TOY_LAYERS, TOY_TYPE, UP

TOY = BASE | {"model_type": "toy_text", "vocab_size": 512, "max_position_embeddings": 4096}


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODEL_TYPES, "toy_text", TOY_TYPE)
    monkeypatch.setitem(FAMILY_LAYERS, "toy", TOY_LAYERS)


@pytest.fixture
def folder(registered: None, tmp_path: Path) -> Path:
    return random_model(tmp_path / "toy", TOY, seed=7, dtype="float32")


def opened(folder: Path, **how: object) -> Engine:
    config = {"mode": "exact", "interval": 256, "cache_bytes": 32 << 20, "threads": 1} | how
    return Engine.open(folder, EngineConfig(**config))  # type: ignore[arg-type]


@pytest.fixture(params=["stored", "int8"])
def engine(request: pytest.FixtureRequest, folder: Path) -> Iterator[Engine]:
    with opened(folder, weights=request.param) as made:
        yield made
        made.check_invariants()


def prompt(count: int) -> tuple[int, ...]:
    return tuple(9 + (i * i * 7 + i * 13) % 500 for i in range(count))


def test_it_takes_less_than_thirty_lines() -> None:
    lines = Path(toy_family.__file__).read_text().splitlines()
    assert len([line for line in lines if line.strip()]) < 30


def test_without_its_entry_it_is_refused_by_name() -> None:
    with pytest.raises(ModelError, match='"toy_text"'):
        parse_config(TOY)


def test_it_is_described_without_being_loaded(folder: Path) -> None:
    report = inspect_model(folder)
    assert (report.model_type, report.family) == ("toy_text", "toy")


def test_a_resumed_run_has_the_bits_of_a_cold_one(engine: Engine) -> None:
    assert engine.model.family == "toy"
    engine.logits(prompt(700))
    cold = engine.logits(prompt(900), reuse=False)
    warm = engine.logits(prompt(900))
    assert warm.reused >= 512
    assert torch.equal(warm.logits, cold.logits)


def test_its_layer_is_the_one_that_runs(folder: Path) -> None:
    """The whole model against itself with another feed-forward, written out on the file's bytes."""
    model = load_model(folder, LoadOptions(), torch.device("cpu"), lambda *_: None)
    stored = load_file(folder / "model.safetensors")
    layer = model.blocks[0].mlp
    x = torch.randn((3, TOY["hidden_size"]), generator=torch.Generator().manual_seed(1))
    up, down = (stored[f"model.layers.0.{name}"] for name in (UP, DOWN))
    expected = (x @ up.mT).clamp(min=0) ** 2 @ down.mT
    with torch.inference_mode():
        many = layer.forward(x, None)  # type: ignore[arg-type]
        one = layer.step(x[0], None)  # type: ignore[arg-type]
    assert model.dtype == NAMED_DTYPES["float32"]
    assert torch.allclose(many, expected, atol=1e-5)
    assert torch.allclose(one, expected[0], atol=1e-5)
