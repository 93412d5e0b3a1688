"""The engine on a GGUF file of the bundled model: cached equals cold, also after a restart."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from gguf import GGMLQuantizationType as Kind

from engine import Engine, EngineConfig, Message, Sampling
from engine.events import TextDelta
from tests.gguf_files import floats, quantised, write_folder

DEMO = Path(__file__).parents[3] / "assets" / "demo_model"
ASKED = [Message("system", "Be short."), Message("user", "What is a river?")]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("gguf") / "demo-Q8_0.gguf"
    write_folder(DEMO, made, quantised(Kind.Q8_0))
    return made


def answer(engine: Engine) -> str:
    sampling = Sampling(temperature=0.0, max_tokens=30)
    told = engine.generate(ASKED, sampling)
    return "".join(event.text for event in told if isinstance(event, TextDelta))


def test_unquantised_it_answers_as_the_folder_does(tmp_path: Path) -> None:
    file = tmp_path / "demo-BF16.gguf"
    write_folder(DEMO, file, floats(Kind.BF16))
    config = EngineConfig(threads=1)
    with Engine.open(file, config) as ours, Engine.open(DEMO, config) as plain:
        assert ours.model.name == "demo-BF16"
        assert ours.model.context == plain.model.context
        found, expected = (engine.logits(ASKED, reuse=False) for engine in (ours, plain))
        assert np.array_equal(found.logits, expected.logits)
        assert answer(ours) == answer(plain)


def test_in_exact_mode_a_resumed_run_has_the_bits_of_a_cold_one(path: Path) -> None:
    draw = random.Random(4)
    ids = [draw.randrange(2000) for _ in range(700)]
    with Engine.open(path, EngineConfig(mode="exact", interval=256, threads=1)) as engine:
        assert (engine.model.weights, engine.model.dtype) == ("Q8_0", "bfloat16")
        engine.logits(ids[:600])
        again = engine.logits(ids)
        assert again.reused >= 256
        assert np.array_equal(again.logits, engine.logits(ids, reuse=False).logits)
        engine.check_invariants()


def test_after_a_restart_and_under_another_name_its_cache_is_found(
    path: Path, tmp_path: Path
) -> None:
    config = EngineConfig(disk_bytes=64 << 20, cache_dir=tmp_path / "cache", threads=1)
    with Engine.open(path, config) as engine:
        said = answer(engine)
        assert engine.probe(ASKED).reused
    other = tmp_path / "renamed.gguf"
    other.write_bytes(path.read_bytes())
    with Engine.open(other, config) as engine:
        assert engine.probe(ASKED).computed == 0
        assert answer(engine) == said
    raw = bytearray(other.read_bytes())
    raw[-3000] ^= 1
    other.write_bytes(raw)
    with Engine.open(other, config) as engine:
        assert engine.probe(ASKED).reused == 0
