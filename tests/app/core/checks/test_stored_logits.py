"""The bundled model says what is stored, and whatever else it may say is noticed."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.checks import stored_logits
from app.core.checks.stored_logits import BOUND, Case, differences, read, stored_file, write
from app.core.options.shared import demo_model_dir
from engine import Engine, EngineConfig


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    config = EngineConfig(device="cpu", cache_bytes=32 << 20, threads=1)
    with Engine.open(demo_model_dir(), config) as opened:
        yield opened


@pytest.fixture(scope="module")
def stored() -> tuple[Case, ...]:
    return read(stored_file())


def test_it_says_what_is_stored(engine: Engine, stored: tuple[Case, ...]) -> None:
    found = differences(stored, engine)
    assert all(one.passed for one in found)
    # Far enough from the bound that another processor's rounding fits, and near enough to tell.
    assert max(one.largest for one in found) < BOUND / 2


def test_there_is_enough_to_compare(stored: tuple[Case, ...], engine: Engine) -> None:
    assert len(stored) >= 2
    assert {len(one.logits) for one in stored} == {
        engine.on_core(lambda c: c.model.config.vocab_size)
    }
    assert all(len(one.greedy) >= 8 for one in stored)


@pytest.mark.parametrize("at", [0, 1000, 2047])
def test_another_logit_is_noticed(engine: Engine, stored: tuple[Case, ...], at: int) -> None:
    logits = list(stored[0].logits)
    logits[at] += 2 * BOUND
    (found,) = differences((replace(stored[0], logits=tuple(logits)),), engine)
    assert not found.passed
    assert found.largest > BOUND


def test_another_token_is_noticed(engine: Engine, stored: tuple[Case, ...]) -> None:
    greedy = (*stored[0].greedy[:3], stored[0].greedy[3] + 1, *stored[0].greedy[4:])
    (found,) = differences((replace(stored[0], greedy=greedy),), engine)
    assert (found.passed, found.same) == (False, 3)


def test_another_vocabulary_is_noticed(engine: Engine, stored: tuple[Case, ...]) -> None:
    (found,) = differences((replace(stored[0], logits=(0.0,)),), engine)
    assert (found.passed, found.largest) == (False, float("inf"))


def test_a_result_that_is_not_a_number_is_noticed(
    engine: Engine, stored: tuple[Case, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = [float("nan")] * len(stored[0].logits)
    monkeypatch.setattr(stored_logits, "_logits_of", lambda _engine: lambda *_: broken)
    (found,) = differences(stored[:1], engine)
    assert (found.passed, found.largest) == (False, float("inf"))


def test_the_file_is_written_the_same_each_time(tmp_path: Path, stored: tuple[Case, ...]) -> None:
    write(stored, tmp_path / "again.gz")
    assert (tmp_path / "again.gz").read_bytes() == stored_file().read_bytes()
    assert read(tmp_path / "again.gz") == stored


@pytest.mark.parametrize(
    "content",
    [b"", b"no gzip", gzip.compress(b"{}", mtime=0), gzip.compress(b'[{"a": 1}]', mtime=0)],
)
def test_a_damaged_file_is_an_error_that_is_expected(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises((OSError, ValueError, EOFError)):
        read(tmp_path / "x")
