"""What is dropped while it waits to be written: no file of it is left, whenever that happens."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from engine.cache.tiers.lower import FileCause
from engine.private_files import OwnFolder
from engine.storage import disk_writer
from engine.storage.segment_file import Segment, write_segment
from tests.engine.storage.samples import FINGERPRINT, open_store, same, segment, tokens_of

IDS = tokens_of(1, 60)
PARTS = [segment(IDS, start, start + 20) for start in (0, 20, 40)]
OTHER = segment(tokens_of(2, 20), 0, 20)


class Gate:
    """Holds the writer before or after the bytes of each file, until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, after: bool) -> None:
        self.reached, self._open, self._after = threading.Event(), threading.Event(), after
        self.written: list[str] = []
        monkeypatch.setattr(disk_writer, "write_segment", self._write)

    def open(self) -> None:
        self._open.set()

    def _write(self, folder: OwnFolder, part: Segment, fingerprint: str) -> int:
        if self._after:
            size = write_segment(folder, part, fingerprint)
        self.reached.set()
        assert self._open.wait(60)
        if not self._after:
            size = write_segment(folder, part, fingerprint)
        self.written.append(part.meta.key)
        return size


def names(folder: Path) -> set[str]:
    return {path.name for path in (folder / FINGERPRINT).iterdir()}


@pytest.mark.parametrize("after", [False, True], ids=["before its bytes", "after its bytes"])
def test_no_file_is_left_of_what_was_found_wrong_on_its_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    gate = Gate(monkeypatch, after=after)
    store = open_store(tmp_path)
    for part in (*PARTS, OTHER):
        assert store.put(part)
    assert gate.reached.wait(60)
    store.remove_passing(IDS[:20], FileCause.QUARANTINED)
    gate.open()
    # Not settled: a process that is killed right here must leave nothing either.
    store._writer.flush()
    assert names(tmp_path) == {OTHER.meta.file_name}
    assert gate.written == [PARTS[0].meta.key, OTHER.meta.key], "the others were not even begun"
    store.close()
    again = open_store(tmp_path)
    assert again.files == 1
    again.close()


def test_what_comes_again_after_it_was_dropped_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch, after=True)
    store = open_store(tmp_path)
    store.put(PARTS[0])
    assert gate.reached.wait(60)
    store.remove(PARTS[0].meta.key, FileCause.QUARANTINED)
    store.put(replace(PARTS[0]))
    gate.open()
    store.flush()
    assert store.pending == store.pending_bytes == 0
    assert same(PARTS[0], store)
    assert names(tmp_path) == {PARTS[0].meta.file_name}
    store.close()


def test_a_segment_that_spans_the_wrong_position_goes_with_all_behind_it(tmp_path: Path) -> None:
    ids, fork = tokens_of(1, 90), tokens_of(1, 90)
    fork[15:] += 1
    store = open_store(tmp_path)
    for part in (segment(ids, 0, 10), segment(ids, 10, 50), segment(ids, 50, 90)):
        store.put(part)
    for part in (segment(fork, 10, 40), OTHER):
        store.put(part)
    store.remove_passing(ids[:30], FileCause.QUARANTINED)
    ends = {(entry.meta.start, entry.meta.end) for entry in store.entries()}
    assert ends == {(0, 10), (10, 40), (0, 20)}
    store.close()


def test_a_file_that_cannot_be_removed_does_not_end_the_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some systems keep a file that somebody reads; whoever flushes must not wait for ever."""
    gate = Gate(monkeypatch, after=True)
    store = open_store(tmp_path)
    assert store.put(PARTS[0])
    assert gate.reached.wait(60)
    store.remove_passing(IDS[:20], FileCause.QUARANTINED)
    with monkeypatch.context() as patched:
        patched.setattr(OwnFolder, "unlink", refuse)
        gate.open()
        flushed = threading.Thread(target=store.flush, daemon=True)
        flushed.start()
        flushed.join(60)
        assert not flushed.is_alive()
    assert store.put(OTHER)
    store.close()
    assert OTHER.meta.file_name in names(tmp_path)


def refuse(*_: object, **__: object) -> None:
    raise PermissionError(13, "The file is in use")
