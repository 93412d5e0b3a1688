"""Migrations: from the file of every version to today's."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from app.core.store.connection import NAME, connect
from app.core.store.records import StoredFile, StoredQueued
from app.core.store.schema import COLUMNS, STEPS, VERSION, migrate, version_of
from tests.app.core.store import earlier
from tests.app.core.store.conftest import OpenStore


def shape(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Tables and indexes, whatever the white space."""
    found = connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
    )
    return [(name, "".join(sql.split())) for name, sql in found]


class TestMigrations:
    def test_every_version_has_a_file(self) -> None:
        assert len(earlier.FILES) == VERSION + 1

    @pytest.mark.parametrize("version", range(1, VERSION + 1))
    def test_it_becomes_todays_with_all_its_rows(
        self, version: int, tmp_path: Path, open_again: OpenStore
    ) -> None:
        (tmp_path / "data").mkdir(mode=0o700)
        earlier.write(tmp_path / "data" / NAME, version)
        opened = open_again()
        assert opened.sentence == ""
        store = opened.store
        (one,) = store.conversations()
        assert (one.title, one.updated, one.leaf) == ("Old wings", 20.0, 3)
        assert [m.content for m in store.messages(1)] == ["How old?", "Very."]
        assert store.messages(1)[1].token_ids == (5, 6)
        assert store.drafts() == {1: "And"}
        assert store.selected() == 1
        assert [hit.message for hit in store.search("very")] == [3]
        if version >= 2:
            assert [preset.name for preset in store.presets()] == ["Pilot"]
        if version >= 3:
            assert store.draft_files() == [StoredFile(4, 1, "spars.txt", "spruce", 6)]
            assert store.queued() == [StoredQueued(5, 1, "And then?")]
            assert next(store.numbers) == 6
        if version >= 4:
            assert store.conversations()[0].system_draft == "Be old."

    @pytest.mark.parametrize("version", range(VERSION + 1))
    def test_it_ends_with_the_same_tables_as_a_new_file(self, version: int, tmp_path: Path) -> None:
        earlier.write(tmp_path / "old.sqlite", version)
        old, new = connect(tmp_path / "old.sqlite"), connect(tmp_path / "new.sqlite")
        assert migrate(old) == VERSION - version
        migrate(new)
        assert shape(old) == shape(new)
        assert version_of(old) == version_of(new) == VERSION == len(STEPS)
        old.close()
        new.close()

    @pytest.mark.parametrize("version", range(1, VERSION + 1))
    def test_the_file_of_a_version_is_what_its_steps_make(
        self, version: int, tmp_path: Path
    ) -> None:
        earlier.write(tmp_path / "old.sqlite", version)
        old, new = connect(tmp_path / "old.sqlite"), connect(tmp_path / "new.sqlite")
        migrate(new, version)
        assert shape(old) == shape(new)
        old.close()
        new.close()

    def test_the_columns_are_those_of_the_tables(self, tmp_path: Path) -> None:
        new = connect(tmp_path / "new.sqlite")
        migrate(new)
        for table, names in COLUMNS.items():
            assert [row[1] for row in new.execute(f"PRAGMA table_info({table})")] == names
        new.close()

    def test_a_step_that_fails_leaves_the_version_before_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        broken = (*STEPS, ("CREATE TABLE more (x)", "CREATE TABLE more (x)"))
        monkeypatch.setattr("app.core.store.schema.STEPS", broken)
        new = connect(tmp_path / "new.sqlite")
        with pytest.raises(sqlite3.Error):
            migrate(new, len(broken))
        assert version_of(new) == VERSION
        assert "more" not in dict(shape(new))
        new.close()
