"""The tiny random model of the engine's tests, and the bundled one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import assets
from engine import Engine, EngineConfig
from tests.engine.run.conftest import open_engine, tiny_folder

__all__ = ["open_engine", "tiny_folder"]


@pytest.fixture
def bundled() -> Iterator[Engine]:
    """The bundled model, whose template strips thinking as the small models of the family do."""
    folder = Path(assets.__file__).parent / "demo_model"
    with Engine.open(folder, EngineConfig(interval=64)) as engine:
        yield engine
        engine.check_invariants()
