"""An idle engine comes to rest, however small its disk is."""

from __future__ import annotations

import time
from pathlib import Path

import psutil
import pytest

from engine import Engine
from engine.run.core import Core
from tests.engine.run.conftest import Opener, disk_of, ids, write_out

DEVICE_BYTES = 16 << 20


def written(engine: Engine) -> int:
    """Bytes of all files written so far, once nothing is pending."""

    def flushed(core: Core) -> int:
        write_out(core)
        return int(disk_of(core).written_bytes)

    return engine.on_core(flushed)


def rest(engine: Engine) -> int:
    """Wait until nothing more is written; returns the bytes of all files ever written."""
    last = -1
    for _ in range(400):
        # Every query gives the engine another idle moment.
        now = written(engine)
        if now == last:
            return now
        last = now
        time.sleep(0.02)
    raise AssertionError(f"still writing after {last} bytes")


def on_disk(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.safetensors"))


@pytest.mark.slow
@pytest.mark.parametrize("disk_bytes", [1 << 20, 4 << 20, DEVICE_BYTES, 64 << 20], ids=str)
@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_nothing_is_written_if_nothing_is_new(
    open_engine: Opener, tmp_path: Path, disk_bytes: int, mode: str
) -> None:
    engine = open_engine(
        mode=mode,
        interval=64,
        cache_bytes=DEVICE_BYTES,
        cache_dir=tmp_path,
        disk_bytes=disk_bytes,
    )
    for number in range(8):
        engine.logits(ids(number, 1200))
        before = rest(engine)
        for _ in range(5):
            engine.snapshot()
        assert rest(engine) == before, "reading the cache creates nothing new"
    # No file was written only to be displaced in the same idle period.
    held = engine.snapshot().disk
    assert held is not None
    assert held.used_bytes == on_disk(tmp_path) <= disk_bytes
    process = psutil.Process()
    first, used = written(engine), process.cpu_times()
    time.sleep(0.6)
    now = process.cpu_times()
    assert now.user + now.system - used.user - used.system < 0.2
    assert written(engine) == first


def test_one_turn_of_a_chat_writes_no_more_than_the_disk_holds(
    open_engine: Opener, tmp_path: Path
) -> None:
    budget = 2 << 20
    engine = open_engine(
        interval=64, cache_bytes=DEVICE_BYTES, cache_dir=tmp_path, disk_bytes=budget
    )
    for number in range(6):
        before = rest(engine)
        engine.logits(ids(number, 1500))
        assert rest(engine) - before <= budget
