"""Engines elsewhere as a source: it listens once, and reads once what they had before."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from app.debugger.remote.logic.source import RemoteSource
from engine.net.kv_events.address import Publisher
from engine.net.kv_events.dump import Dump, read
from tests.engine.net.kv_events.test_dump import dumped, told


def test_a_dump_is_read_once_for_all_who_listen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "dump.json"
    kept.write_bytes(dumped(told([1, 2], worker=1)))
    may_end, ended, reads = threading.Event(), threading.Event(), list[Path]()

    def slow(dump: Path) -> Dump:
        reads.append(dump)
        assert may_end.wait(60)
        return read(dump)

    monkeypatch.setattr("app.debugger.remote.logic.source.read", slow)
    source = RemoteSource([Publisher(f"ipc://{tmp_path}/1", label="1")], dump=kept)
    begin = source.fleet.begin_from

    def begun(dump: object) -> None:
        begin(dump)  # type: ignore[arg-type]
        ended.set()

    monkeypatch.setattr(source.fleet, "begin_from", begun)
    source.start()
    source.start()
    source.stop()
    source.start()
    may_end.set()
    assert ended.wait(60)
    assert source.listening
    source.stop()
    source.stop()
    assert not source.listening
    assert reads == [kept]
    with pytest.raises(AssertionError, match="cannot be restarted"):
        source.start()
    assert reads == [kept]
