"""Engines to read from, and the naive forward of the same sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import assets
from engine import Engine, EngineConfig
from engine.commands import InspectMemory, InspectRecall
from engine.readings import MemoryReading, RecallReading
from engine.run.inspect.jobs import memory_steps, recall_steps
from tests.engine.run.conftest import ids as some_ids
from tests.engine.run.inspect.naive import Naive, naive_forward

DEMO = Path(assets.__file__).parent / "demo_model"


@dataclass(frozen=True, slots=True)
class Subject:
    """An engine in float32, a sequence for it, and what a naive forward makes of that."""

    engine: Engine
    ids: tuple[int, ...]
    naive: Naive

    def memory(self, full: int, linear: int, ids: tuple[int, ...] = ()) -> MemoryReading:
        asked = InspectMemory(1, ids or self.ids, full=full, linear=linear)
        *_, found = self.engine.on_core(lambda core: list(memory_steps(core, asked)))
        assert isinstance(found, MemoryReading)
        return found

    def recall(
        self, needle: tuple[int, int] | None, query: int | None = None, ids: tuple[int, ...] = ()
    ) -> RecallReading:
        asked = InspectRecall(1, ids or self.ids, needle=needle, query=query)
        *_, found = self.engine.on_core(lambda core: list(recall_steps(core, asked)))
        assert isinstance(found, RecallReading)
        return found

    def linear_layers(self) -> list[int]:
        kinds = self.engine.model.cache_shape.kinds
        return [at for at, kind in enumerate(kinds) if kind == "linear"]

    def full_layers(self) -> list[int]:
        kinds = self.engine.model.cache_shape.kinds
        return [at for at, kind in enumerate(kinds) if kind == "full"]


MakeSubject = Callable[[str, int], Subject]


@pytest.fixture(scope="module")
def make_subject(tiny_folder: Path) -> Iterator[MakeSubject]:
    """make_subject("tiny" or "bundled", tokens)."""
    engines: dict[str, Engine] = {}
    made: dict[tuple[str, int], Subject] = {}

    def make(name: str, tokens: int) -> Subject:
        folder = tiny_folder if name == "tiny" else DEMO
        if name not in engines:
            config = EngineConfig(cache_bytes=16 << 20, threads=1, dtype="float32")
            engines[name] = Engine.open(folder, config)
        if (name, tokens) not in made:
            ids = some_ids(len(name), tokens)
            made[name, tokens] = Subject(engines[name], ids, naive_forward(folder, ids))
        return made[name, tokens]

    yield make
    for engine in engines.values():
        engine.check_invariants()
        engine.close()


@pytest.fixture(params=["tiny", "bundled"])
def subject(request: pytest.FixtureRequest, make_subject: MakeSubject) -> Subject:
    """150 tokens: more than a window, and no whole number of passes."""
    return make_subject(request.param, 150)
