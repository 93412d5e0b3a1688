"""The file of connections: what goes in comes out, and nothing else is ever in it."""

from __future__ import annotations

import stat
from pathlib import Path

from app.core.store.connections import MOST, connections_file, load, save, with_first
from engine.net.client.address import Address
from engine.net.client.connection import Connection


def connection(number: int, **more: str) -> Connection:
    metrics = more.pop("metrics", "")
    where = Address.parse(metrics, path="/metrics") if metrics else None
    return Connection(Address.parse(f"http://h{number}:8000"), "org/m", where, **more)


def test_there_and_back(tmp_path: Path) -> None:
    file = connections_file(tmp_path / "window.json")
    known = (connection(1), connection(2, metrics="http://h2:9", events="tcp://h2:5557"))
    save(file, known)
    assert load(file) == known
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_last_one_is_the_first() -> None:
    known = (connection(1), connection(2))
    assert with_first(known, connection(2, events="tcp://a:1")) == (
        connection(2, events="tcp://a:1"),
        connection(1),
    )


def test_not_more_than_anybody_looks_through(tmp_path: Path) -> None:
    known: tuple[Connection, ...] = ()
    for number in range(MOST + 5):
        known = with_first(known, connection(number))
    assert len(known) == MOST
    save(tmp_path / "c.json", known)
    assert load(tmp_path / "c.json") == known


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    save(file / "c.json", (connection(1),))
    assert load(file / "c.json") == ()


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text(" " * (1 << 20))
    assert load(file) == ()


class TestNames:
    def test_a_connection_is_known_by_its_place_and_model(self) -> None:
        assert str(connection(1)) == "http://h1:8000/v1#org/m"
        assert Connection.parse("http://h1:8000/v1#org/m") == connection(1)
        assert connection(1).name == "m"

    def test_a_folder_is_none(self) -> None:
        for known in ("/models/a#b", "", "C:\\models#x", "http://h1", "#m", "x://#m", "http://#m"):
            assert Connection.parse(known) is None
