"""Closing an engine: what is worth keeping is saved to disk, however long that takes."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from engine import Engine, EngineConfig, Sampling, events
from engine.cache.tiers.saving import Saver
from engine.commands import Submit
from engine.loop import RunLoop
from engine.private_files import OwnFolder
from engine.run.core import Core
from engine.storage import disk_writer
from engine.storage.segment_file import Segment, write_segment
from tests.engine.run.conftest import Opener, disk_of, ids, write_out
from tests.engine.run.test_requests import wait


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.safetensors"))


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Blocks all writing until it is set."""
    opened = threading.Event()

    def slowly(folder: OwnFolder, segment: Segment, fingerprint: str) -> int:
        assert opened.wait(60)
        return write_segment(folder, segment, fingerprint)

    monkeypatch.setattr(disk_writer, "write_segment", slowly)
    return opened


def chats(engine: Engine) -> int:
    """Fill the cache while nothing can be written; returns the number of checkpoints."""
    for number in range(3):
        engine.logits(ids(number, 400))
    return sum(node.checkpoint is not None for node in engine.snapshot().nodes)


def test_nothing_is_lost_if_more_is_pending_than_the_writer_takes(
    open_engine: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gate: threading.Event
) -> None:
    """Each copy fills the queue, so every other one has to wait."""
    monkeypatch.setattr(disk_writer, "MOST_PENDING_BYTES", 1)
    engine = open_engine(interval=128, cache_dir=tmp_path, disk_bytes=64 << 20)
    stored = chats(engine)
    assert stored > 8
    progress: list[tuple[int, int]] = []

    def close(core: Core) -> None:
        gate.set()
        core.store.close(lambda written, total: progress.append((written, total)))

    engine.on_core(close)
    engine.close()
    assert len(files(tmp_path)) == stored
    written = [done for done, _ in progress]
    totals = {total for _, total in progress}
    assert written == sorted(written)
    assert len(set(written)) > 3, "progress is reported while writing"
    (total,) = totals
    assert 0.8 * total <= written[-1] <= total
    assert sum(path.stat().st_size for path in files(tmp_path)) <= total


def test_an_engine_with_nothing_to_write_closes_at_once_without_progress(
    open_engine: Opener, tmp_path: Path
) -> None:
    engine = open_engine(interval=128, cache_dir=tmp_path, disk_bytes=64 << 20)
    chats(engine)

    def finish(core: Core) -> list[tuple[int, int]]:
        progress: list[tuple[int, int]] = []
        core.store.tiers.save()
        write_out(core)
        core.store.close(lambda written, total: progress.append((written, total)))
        return progress

    assert [total for _, total in engine.on_core(finish) if total] == []


def test_the_run_loop_reports_closing_progress(
    tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(folder: OwnFolder, segment: Segment, fingerprint: str) -> int:
        time.sleep(0.03)
        return write_segment(folder, segment, fingerprint)

    monkeypatch.setattr(disk_writer, "write_segment", slowly)
    config = EngineConfig(
        interval=128, cache_bytes=8 << 20, cache_dir=tmp_path, disk_bytes=64 << 20, threads=1
    )
    loop = RunLoop(tiny_folder, config)
    loop.start()
    received: list[events.Event] = []
    for number in range(2):
        loop.post(Submit(number, ids(number, 900), Sampling.greedy(1)))
        received += wait(loop, events.RequestFinished)
    assert loop.close(60)
    received += loop.drain()
    progress = [event for event in received if isinstance(event, events.ClosingProgress)]
    assert len({event.written for event in progress}) > 1
    assert len({event.total for event in progress}) == 1
    assert all(0 <= event.written <= event.total for event in progress)
    assert isinstance(received[-1], events.EngineClosed)
    assert len(files(tmp_path)) > 8


def test_a_disk_that_fails_does_not_keep_the_engine_from_ending(
    open_engine: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk_writer, "write_segment", full)
    engine = open_engine(interval=128, cache_dir=tmp_path, disk_bytes=64 << 20)
    chats(engine)
    engine.close()
    assert files(tmp_path) == []


def test_ages_survive_a_restart_of_the_machine(
    open_engine: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache's clock restarts with the machine; the age recorded in a file does not."""
    with monkeypatch.context() as patched:
        # Nothing is saved before it is verified: a file records what was known when it was written.
        patched.setattr(Saver, "save_one", lambda self: False)
        engine = open_engine(cache_dir=tmp_path, disk_bytes=64 << 20)
        engine.logits(ids(1, 300))
        node = max((n for n in engine.snapshot().nodes if n.checkpoint), key=lambda n: n.end)
        assert engine.verify(node.id) is not None
    engine.close()
    hour = 3600.0
    for path in files(tmp_path):
        status = path.stat()
        os.utime(path, (status.st_atime - hour, status.st_mtime - hour))
    booted = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: time.perf_counter() - booted + 5.0)
    engine = open_engine(cache_dir=tmp_path, disk_bytes=64 << 20)
    now = time.monotonic()
    points = [n.checkpoint for n in engine.snapshot().nodes if n.checkpoint]
    assert points
    for point in points:
        assert 0 <= now - point.created < 60
        assert hour <= now - point.last_used < hour + 60
        assert point.state.verdict is None or 0 <= now - point.state.verdict.time < 60
    assert any(point.state.verdict for point in points)


def test_failed_writes_are_retried_once_the_disk_works(
    open_engine: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Failing(monkeypatch)
    monkeypatch.setattr("engine.storage.write_trouble.FIRST_WAIT_S", 0.0)
    engine = open_engine(interval=128, cache_dir=tmp_path, disk_bytes=64 << 20)
    stored = chats(engine)
    engine.on_core(save_all)
    assert files(tmp_path) == []
    disk.full = False
    engine.on_core(save_all)
    assert len(files(tmp_path)) == stored
    engine.close()


def test_closing_retries_failed_writes_once(
    open_engine: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user who freed space after the notice does not know about any pause."""
    disk = Failing(monkeypatch)
    engine = open_engine(interval=128, cache_dir=tmp_path, disk_bytes=64 << 20)
    stored = chats(engine)
    engine.on_core(save_all)
    assert engine.on_core(lambda core: disk_of(core)._store.trouble)
    disk.full = False
    engine.close()
    assert len(files(tmp_path)) == stored


def test_closing_does_not_retry_forever(
    open_engine: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Failing(monkeypatch)
    monkeypatch.setattr("engine.storage.write_trouble.FIRST_WAIT_S", 0.0)
    monkeypatch.setattr("engine.storage.write_trouble.LONGEST_WAIT_S", 0.0)
    engine = open_engine(interval=128, cache_dir=tmp_path, disk_bytes=64 << 20)
    stored = chats(engine)
    before = disk.tried
    engine.close()
    assert disk.tried - before <= 2 * stored


def test_a_writer_that_finishes_just_after_it_was_full_gets_the_rest(
    open_engine: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gate: threading.Event
) -> None:
    with monkeypatch.context() as patched:
        # Everything is left to the end.
        patched.setattr(Saver, "save_one", lambda self: False)
        engine = open_engine(interval=128, cache_dir=tmp_path, disk_bytes=64 << 20)
        stored = chats(engine)
        engine.on_core(lambda core: None)

    def close(core: Core) -> None:
        tiers = core.store.tiers
        whole = tiers.save
        assert whole(2) == 2
        monkeypatch.setattr(disk_writer, "MOST_PENDING_BYTES", 1)

        def save(most: int) -> int:
            saved = whole(most)
            # The writer finishes between two polls.
            gate.set()
            write_out(core)
            return saved

        monkeypatch.setattr(tiers, "save", save)
        core.store.close()

    engine.on_core(close)
    assert len(files(tmp_path)) == stored
    engine.close()


class Failing:
    """A disk that is full until told otherwise.

    Attributes:
        tried: number of files whose writing was attempted.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full, self.tried = True, 0
        monkeypatch.setattr(disk_writer, "write_segment", self._write)

    def _write(self, folder: OwnFolder, segment: Segment, fingerprint: str) -> int:
        self.tried += 1
        if self.full:
            raise OSError(28, "No space left on device")
        return write_segment(folder, segment, fingerprint)


def save_all(core: Core) -> None:
    core.store.tiers.save()
    write_out(core)
