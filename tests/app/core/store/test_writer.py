"""The writer's thread: it merges, keeps what fails, and says so once."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.store import writer as module
from app.core.store.connection import connect
from app.core.store.writer import Write, Writer
from tests.present import present

# For what comes at once, but not on every machine.
PATIENCE_S = 60.0
PUT = "INSERT INTO notes VALUES (?, ?) ON CONFLICT(id) DO UPDATE SET text = excluded.text"


def note(id: int, text: str) -> Write:
    return Write(("note", id), ((PUT, (id, text)),))


class Desk:
    """A writer on a table of notes, and what it reported."""

    def __init__(self, path: Path) -> None:
        self.reported: list[str] = []
        self.reader = connect(path)
        self.reader.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        self.writer = Writer(path, self.reported.append)

    def notes(self) -> list[str]:
        return [text for (text,) in self.reader.execute("SELECT text FROM notes ORDER BY id")]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "notes.sqlite")
    yield made
    made.writer.close(PATIENCE_S)
    made.reader.close()


class TestMerging:
    def test_only_the_last_text_of_a_period_is_written(self, desk: Desk) -> None:
        desk.writer.post(note(1, "first"), now=True)
        assert desk.writer.flush(PATIENCE_S)
        before = desk.reader.execute("PRAGMA data_version").fetchone()
        for step in range(200):
            desk.writer.post(note(1, f"step {step}"))
        assert desk.writer.flush(PATIENCE_S)
        after = desk.reader.execute("PRAGMA data_version").fetchone()
        assert desk.notes() == ["step 199"]
        assert before != after

    def test_it_is_woken_once_for_what_grows(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "PERIOD_S", 10 * PATIENCE_S)
        desk.writer.post(note(1, "first"), now=True)
        assert desk.writer.flush(PATIENCE_S)
        woken: list[None] = []
        real = desk.writer._changed.notify_all
        monkeypatch.setattr(desk.writer._changed, "notify_all", lambda: woken.append(real()))
        for step in range(50):
            desk.writer.post(note(1, f"step {step}"))
        assert len(woken) == 1
        desk.writer.post(note(2, "at once"), now=True)
        assert len(woken) == 2
        assert desk.writer.flush(PATIENCE_S)
        assert desk.notes() == ["step 49", "at once"]

    def test_what_grows_is_written_within_the_period(self, desk: Desk) -> None:
        desk.writer.post(note(1, "a"), now=True)
        assert desk.writer.flush(PATIENCE_S)
        began = time.monotonic()
        desk.writer.post(note(1, "b"))
        while desk.notes() != ["b"]:
            assert time.monotonic() - began < PATIENCE_S
            time.sleep(0.005)

    def test_closing_writes_what_is_left(self, desk: Desk) -> None:
        desk.writer.post(note(1, "last"))
        assert desk.writer.close(PATIENCE_S)
        assert desk.notes() == ["last"]


class TestFailing:
    def test_a_rule_broken_by_one_spares_the_others(self, desk: Desk) -> None:
        with desk.writer.together():
            desk.writer.post(note(1, "good"))
            bad = Write(("note", 2), (("INSERT INTO notes VALUES (2, NULL)", ()),))
            desk.writer.post(bad, now=True)
            desk.writer.post(note(3, "good too"))
        assert desk.writer.flush(PATIENCE_S)
        assert desk.notes() == ["good", "good too"]

    def test_what_the_disk_refuses_is_said_once_and_written_later(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = module._commit
        full = [True]

        def commit(connection: sqlite3.Connection, batch: list[Write]) -> bool:
            if full[0]:
                raise sqlite3.OperationalError("database or disk is full")
            return real(connection, batch)

        monkeypatch.setattr(module, "_commit", commit)
        monkeypatch.setattr(module, "_RETRY_S", 0.01)
        desk.writer.post(note(1, "old"), now=True)
        assert not desk.writer.flush(PATIENCE_S)
        desk.writer.post(note(1, "new"), now=True)
        # Long enough for several attempts.
        time.sleep(0.1)
        assert len(desk.reported) == 1
        assert "disk is full" in desk.reported[0]
        full[0] = False
        began = time.monotonic()
        while desk.notes() != ["new"]:
            assert time.monotonic() - began < PATIENCE_S
            time.sleep(0.01)

    def test_who_waits_for_a_disk_that_has_room_again_has_it_tried_at_once(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "_RETRY_S", 10 * PATIENCE_S)
        pages = "PRAGMA max_page_count = {}"
        desk.writer.post(note(1, "one"), now=True)
        assert desk.writer.flush(PATIENCE_S)
        connection = present(desk.writer._connection)
        connection.execute(pages.format(2))
        desk.writer.post(note(2, "long " * 10_000), now=True)
        assert not desk.writer.flush(PATIENCE_S)
        assert not desk.writer.flush(PATIENCE_S), "it is still full"
        connection.execute(pages.format(1000))
        assert desk.writer.flush(PATIENCE_S)
        assert len(desk.notes()) == 2
        assert len(desk.reported) == 1

    def test_a_file_that_cannot_be_opened_yet_is_written_once_it_can(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "_RETRY_S", 10 * PATIENCE_S)
        said: list[str] = []
        path = tmp_path / "later" / "x.sqlite"
        made = Writer(path, said.append)
        made.post(Write(("table", 1), (("CREATE TABLE notes (id, text)", ()),)), now=True)
        assert not made.flush(PATIENCE_S)
        path.parent.mkdir()
        assert made.close(PATIENCE_S)
        assert ["keeps trying" in sentence for sentence in said] == [True]
        assert path.stat().st_size

    def test_a_file_that_cannot_be_opened_is_said(self, tmp_path: Path) -> None:
        said: list[str] = []
        made = Writer(tmp_path / "none" / "x.sqlite", said.append)
        made.post(note(1, "x"), now=True)
        assert not made.close(PATIENCE_S)
        assert len(said) == 1
