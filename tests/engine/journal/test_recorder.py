"""Recording: it writes what is told, hides what is private, and never gets in the engine's way."""

from __future__ import annotations

import gc
import json
import stat
import threading
import time
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.analysis.show import TraceState
from engine.cache import TwoPlaneCache
from engine.cache.journal.changes import CheckpointSkipped, EntriesLost, Noticed
from engine.cache.journal.journal import Journal
from engine.errors import TraceError
from engine.journal import writer as writing
from engine.journal.reader import TraceReader
from engine.journal.recorder import Recorder
from engine.stored_state import StoredState
from tests.engine.journal.samples import HEADER, request


def clock() -> float:
    return 100.0


def cache_of(journal: Journal) -> TwoPlaneCache:
    return TwoPlaneCache(64, 4, kv_slot_bytes=1, state_slot_bytes=10, clock=clock, journal=journal)


def record(path: Path, journal: Journal, **header: Any) -> Recorder:
    cache = cache_of(journal)
    return Recorder(path, replace(HEADER, **header), journal, {"device": cache}, clock())


class TestPrivacy:
    def test_no_token_and_no_word_is_in_the_file_unless_asked_for(self, tmp_path: Path) -> None:
        journal = Journal()
        path = tmp_path / "trace.jsonl"
        recorder = record(path, journal)
        ran = request([70001, 70002, 70001], [70003], text="a secret answer")
        journal.log_request(101.0, ran)
        assert not recorder.stop().problem
        text = path.read_text()
        assert not any(token in text for token in ("70001", "70002", "70003", "secret"))
        traced = next(line.request for line in TraceReader(path) if line.request is not None)
        assert len(traced.ran.prompt) == 3
        assert traced.ran.prompt[0] != traced.ran.prompt[2]

    @pytest.mark.parametrize("name", ["trace.jsonl", "trace.jsonl.gz"])
    def test_nobody_else_can_read_it(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / name
        path.write_text("of old")
        path.chmod(0o644)
        record(path, Journal()).stop()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_a_file_name_that_is_a_hash_of_tokens_is_left_out(self, tmp_path: Path) -> None:
        journal = Journal()
        recorder = record(tmp_path / "trace.jsonl", journal)
        name = f"{0xFEDCBA9876543210FEDCBA9876543210:x}.safetensors"
        journal.of("device", clock)(Noticed(f"The cache file {name} was removed: too short."))
        recorder.stop()
        last = list(TraceReader(tmp_path / "trace.jsonl"))[-1].entry.what
        assert last == Noticed("The cache file … was removed: too short.")

    def test_equal_prompts_stay_equal_and_answers_go_on_from_them(self, tmp_path: Path) -> None:
        journal = Journal()
        path = tmp_path / "trace.jsonl"
        recorder = record(path, journal)
        journal.log_request(101.0, request([5, 6, 7], [8, 9]))
        journal.log_request(102.0, request([5, 6, 7, 8, 9, 10]))
        recorder.stop()
        first, second = (line.request for line in TraceReader(path) if line.request is not None)
        whole = np.concatenate([first.ran.prompt, first.ran.decoded])
        assert second.ran.prompt[:5].tolist() == whole.tolist()
        assert (first.session_id, first.turn_id) == (0, 0)
        assert (second.session_id, second.turn_id) == (0, 1)

    def test_with_text_the_file_has_both(self, tmp_path: Path) -> None:
        journal = Journal()
        path = tmp_path / "trace.jsonl"
        recorder = record(path, journal, hashed=False, text=True)
        journal.log_request(101.0, request([5, 6, 7], [8], text="hello"))
        recorder.stop()
        line = json.loads(path.read_text().splitlines()[-1])
        assert (line["input_tokens"], line["output_tokens"]) == ([5, 6, 7], [8])
        assert line["text"] == "hello"


class TestWriting:
    @pytest.mark.parametrize("name", ["trace.jsonl", "trace.jsonl.gz"])
    def test_a_file_rebuilds_the_cache(self, tmp_path: Path, name: str) -> None:
        journal = Journal()
        cache = cache_of(journal)
        recorder = Recorder(tmp_path / name, HEADER, journal, {"device": cache}, clock())
        match = cache.match([1, 2, 3])
        lock = cache.lock(match)
        extents = cache.alloc_kv(3)
        assert extents is not None
        cache.insert([1, 2, 3], extents, owned_from=0, lock=lock)
        slot = cache.alloc_state()
        assert slot is not None
        cache.donate(lock, slot, StoredState(3))
        cache.unlock(lock)
        done = recorder.stop()
        assert (done.problem, done.path) == ("", tmp_path / name)
        state = TraceState()
        for line in TraceReader(tmp_path / name):
            state.apply(line.entry)
        views = state.tier("device").nodes()
        assert [(v.start, v.end) for v in views] == [(0, 0), (0, 3)]
        assert views[1].checkpoint is not None
        assert state.tier("device").kv_pool() == cache.reader.kv_pool()

    def test_what_is_written_is_on_disk_soon_and_without_a_stop(self, tmp_path: Path) -> None:
        journal = Journal()
        path = tmp_path / "trace.jsonl"
        recorder = record(path, journal)
        journal.of("device", clock)(CheckpointSkipped(77))
        ends = time.monotonic() + 60
        while '"position":77' not in path.read_text():
            assert time.monotonic() < ends, "an entry stayed in memory"
            time.sleep(0.01)
        recorder.stop()

    def test_stopping_twice_and_telling_afterwards_are_harmless(self, tmp_path: Path) -> None:
        journal = Journal()
        recorder = record(tmp_path / "trace.jsonl", journal)
        lines = recorder.stop().lines
        journal.of("device", clock)(CheckpointSkipped(1))
        assert recorder.stop().lines == lines
        assert not [t for t in threading.enumerate() if t.name == "biplane-trace"]

    def test_nothing_of_it_needs_the_garbage_collector(self, tmp_path: Path) -> None:
        journal = Journal()
        gc.collect()
        gc.disable()
        try:
            recorder = record(tmp_path / "trace.jsonl", journal)
            recorder.stop()
            known = weakref.ref(recorder)
            del recorder
            assert known() is None
        finally:
            gc.enable()


class TestTrouble:
    def test_a_folder_that_is_not_there_is_a_sentence(self, tmp_path: Path) -> None:
        with pytest.raises(TraceError, match="cannot be written"):
            record(tmp_path / "no" / "trace.jsonl", Journal())

    def test_a_full_disk_ends_the_recording_and_nothing_else(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Full:
            """A file on a disk that takes one line."""

            def __init__(self, path: Path) -> None:
                self.left = 1

            def write(self, raw: bytes) -> None:
                if not self.left:
                    raise OSError(28, "No space left on device")
                self.left -= 1

            def flush(self) -> None: ...

            def close(self) -> None: ...

        monkeypatch.setattr(writing, "_open", Full)
        journal = Journal()
        recorder = record(tmp_path / "trace.jsonl", journal)
        log_change = journal.of("device", clock)
        ends = time.monotonic() + 60
        while not recorder.problem and time.monotonic() < ends:
            log_change(CheckpointSkipped(1))
            time.sleep(0.01)
        log_change(CheckpointSkipped(2))
        assert recorder.stop().problem == (
            "The trace trace.jsonl cannot be written: No space left on device."
        )

    def test_what_comes_too_fast_is_counted(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(writing, "PENDING", 5)
        journal = Journal()
        path = tmp_path / "trace.jsonl"
        recorder = record(path, journal)
        log_change = journal.of("device", clock)
        for position in range(400):
            log_change(CheckpointSkipped(position))
        ends = time.monotonic() + 60
        while not recorder._writer._queue.empty():
            assert time.monotonic() < ends
            time.sleep(0.01)
        log_change(CheckpointSkipped(1000))
        recorder.stop()
        found = [line.entry.what for line in TraceReader(path)]
        lost = [what.entries for what in found if isinstance(what, EntriesLost)]
        seen = [what for what in found if isinstance(what, CheckpointSkipped)]
        assert lost
        assert sum(lost) + len(seen) == 401
        assert seen[-1] == CheckpointSkipped(1000)
