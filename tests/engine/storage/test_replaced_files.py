"""A store whose files are replaced, left half written, or cleared."""

from __future__ import annotations

import os
from pathlib import Path

from engine.private_files import OwnFolder
from engine.storage.segment_file import prefix_key, write_segment
from tests.engine.storage.small_segments import (
    NAMESPACE,
    TOKENS,
    Opened,
    assert_same,
    file_of,
    segment,
)


def ends(opened: Opened) -> set[int]:
    return {entry.meta.end for entry in opened.store.entries()}


def test_a_segment_in_place_of_another_is_counted_once(tmp_path: Path) -> None:
    opened, part = Opened(tmp_path), segment(20, tag=2)
    opened.store.put(segment(20))
    opened.store.put(part)
    opened.store.close()
    assert opened.store.used_bytes == file_of(tmp_path, part).stat().st_size
    assert_same(opened.store, part)


def test_the_longest_unused_leaf_goes_first_and_a_restart_remembers(tmp_path: Path) -> None:
    parts = {20: segment(20), 40: segment(40, 20), 30: segment(30, tag=2)}
    opened = Opened(tmp_path)
    for part in parts.values():
        opened.store.put(part)
    opened.store.close()
    for age, end in enumerate((30, 40, 20)):
        os.utime(file_of(tmp_path, parts[end]), (100.0 - age, 100.0 - age))
    opened = Opened(tmp_path)
    opened.store.touch([parts[30].meta.key])
    size = opened.store.used_bytes
    # 20 is the oldest of all, but 40 hangs under it.
    assert ends(Opened(tmp_path, budget=size - 1)) == {20, 30}
    left = Opened(tmp_path)
    assert ends(left) == {20, 30}
    assert ends(Opened(tmp_path, budget=file_of(tmp_path, parts[30]).stat().st_size)) == {30}


def test_a_file_that_another_store_replaced_is_not_taken_for_the_old_one(tmp_path: Path) -> None:
    old, other = Opened(tmp_path), Opened(tmp_path)
    old.store.put(segment(40))
    old.store.flush()
    for part in (segment(20, tag=2), segment(40, 20, tag=2)):
        other.store.put(part)
    other.store.flush()
    key = prefix_key(TOKENS[:40])
    assert old.store.kv(key) is None
    assert len(old.told) == 1
    assert_same(other.store, segment(40, 20, tag=2))
    old.store.close()
    other.store.close()


def test_half_written_files_of_dead_processes_go_and_those_of_living_ones_stay(
    tmp_path: Path,
) -> None:
    folder = tmp_path / NAMESPACE
    folder.mkdir()
    written = folder / segment(20).meta.file_name
    write_segment(OwnFolder(folder), segment(20), NAMESPACE)
    half = written.read_bytes()[:200]
    written.unlink()
    living, dead = folder / f"{os.getpid()}.0.tmp", folder / "999999999.0.tmp"
    empty, foreign, notes = (folder / f"{name}.tmp" for name in ("999999999.1", "9999.2", "notes"))
    for path in (living, dead):
        path.write_bytes(half)
    empty.touch()
    for path in (foreign, notes):
        path.write_text("somebody's own notes, which only look like a file of ours")
        os.utime(path, (1, 1))
    opened = Opened(tmp_path)
    assert set(folder.iterdir()) == {living, foreign, notes}
    assert len(opened.told) == 1
    assert "notes.tmp was skipped and left in place" in opened.told[0]


def test_clear_removes_every_file(tmp_path: Path) -> None:
    opened = Opened(tmp_path)
    for part in (segment(20), segment(40, 20)):
        opened.store.put(part)
    opened.store.clear()
    opened.store.close()
    assert list((tmp_path / NAMESPACE).iterdir()) == []
    assert opened.store.used_bytes == 0
