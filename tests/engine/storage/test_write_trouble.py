"""A disk that cannot be written to: said as long as it lasts, and tried again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.storage import disk_store, disk_writer
from engine.storage.disk_store import DiskStore
from engine.storage.write_trouble import FIRST_WAIT_S, LONGEST_WAIT_S, WriteTrouble
from tests.engine.storage.samples import FINGERPRINT, SIZES, open_store, same, segment, tokens_of


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def refuse(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(disk_writer, "write_segment", refuse)
        yield


def test_each_failure_in_a_row_waits_longer_up_to_a_bound() -> None:
    clock = Clock()
    trouble = WriteTrouble(clock)
    waits = []
    for _ in range(12):
        trouble.failed("No space left on device")
        began = clock.now
        while trouble.waits:
            clock.now += 1
        waits.append(clock.now - began)
    assert waits[:3] == [FIRST_WAIT_S, 2 * FIRST_WAIT_S, 4 * FIRST_WAIT_S]
    assert waits[-1] == LONGEST_WAIT_S
    trouble.over()
    assert (trouble.sentence, trouble.waits) == ("", False)


def test_what_fails_behind_a_failure_does_not_make_the_pause_longer() -> None:
    clock = Clock()
    trouble = WriteTrouble(clock)
    assert trouble.failed("No space left on device")
    assert not any(trouble.failed("No space left on device") for _ in range(9))
    clock.now += FIRST_WAIT_S
    assert not trouble.waits


def test_it_is_said_as_long_as_it_lasts_and_writing_goes_on_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, told = Clock(), list[str]()
    monkeypatch.setattr(disk_store, "WriteTrouble", lambda: WriteTrouble(clock))
    store = DiskStore(tmp_path, FINGERPRINT, SIZES, told.append)
    first, second, third = (segment(tokens_of(seed, 20), 0, 10) for seed in (1, 2, 3))
    store.put(first)
    store.flush()
    assert store.trouble == ""
    with full_disk(monkeypatch):
        assert store.put(second)
        store.flush()
    assert "No space left on device" in store.trouble
    assert told == [store.trouble]
    assert not store.ready
    assert not store.put(second)
    clock.now += FIRST_WAIT_S
    assert store.ready
    assert "No space left on device" in store.trouble, "nobody knows yet that it is over"
    assert store.put(second)
    store.flush()
    assert store.trouble == ""
    assert store.put(third)
    store.flush()
    assert all(same(part, store) for part in (first, second, third))
    assert len(told) == 1
    store.close()


def test_a_folder_of_no_use_is_said_as_long_as_it_is_open(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    store = open_store(tmp_path / "taken")
    assert "cannot be used" in store.trouble
    assert not store.ready
    assert not store.busy
    store.close()
