"""What a run writes to the log: correct figures, and nothing of the conversation."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from engine import Message, Sampling
from engine.events import RequestFinished
from tests.engine.run.conftest import Opener, ids
from tests.engine.run.test_disk_tier import files


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "engine")
    return caplog


def lines(logged: pytest.LogCaptureFixture, start: str) -> list[str]:
    return [m for m in logged.messages if m.startswith(start)]


def test_a_request_by_its_figures(open_engine: Opener, logged: pytest.LogCaptureFixture) -> None:
    engine = open_engine()
    said = list(engine.generate([Message("user", " w5 w6 w7")], Sampling.greedy(5)))[-1]
    assert isinstance(said, RequestFinished)
    plan = said.report.plan
    (line,) = lines(logged, "Request ")
    assert f"{plan.total} tokens, 0 reused" in line
    assert "5 generated" in line
    assert plan.reason.value in line
    assert not [m for m in logged.messages if "w6" in m]


def test_evictions_in_numbers_add_up(open_engine: Opener, logged: pytest.LogCaptureFixture) -> None:
    engine = open_engine(cache_bytes=1 << 20, interval=64)
    third = engine.snapshot().kv.total // 3
    for number in range(12):
        list(engine.generate(ids(number, third), Sampling.greedy(2)))
    counts: dict[str, int] = {}
    for line in lines(logged, "Evicted "):
        for part in line.partition(": ")[2].rstrip(".").split(", "):
            cause, _, count = part.rpartition(" ")
            counts[cause] = counts.get(cause, 0) + int(count)
    assert counts == dict(engine.snapshot().evicted)
    assert sum(counts.values()) > 5
    engine.close()


def test_a_damaged_file_is_named_without_its_hash(
    open_engine: Opener, tmp_path: Path, logged: pytest.LogCaptureFixture
) -> None:
    settings = {"cache_dir": tmp_path, "disk_bytes": 64 << 20, "interval": 128}
    engine = open_engine(**settings)
    engine.logits(ids(1, 300))
    engine.close()
    damaged = files(tmp_path)[0]
    damaged.write_bytes(b"nonsense")
    open_engine(**settings)
    (line, *_) = lines(logged, "Notice: The cache file")
    assert "was skipped" in line
    assert damaged.stem not in line
