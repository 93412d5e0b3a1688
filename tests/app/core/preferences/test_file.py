"""The settings file: sound, damaged, of a newer version, and shared by two windows."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from app.core.preferences.file import FORMAT, read, write
from app.core.preferences.table import Preferences


def put(path: Path, settings: dict[str, Any], **more: Any) -> Path:
    path.write_text(json.dumps({"format": FORMAT, "settings": settings, **more}))
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "biplane" / "settings.json"


@pytest.fixture
def folder(path: Path) -> Path:
    path.parent.mkdir()
    return path.parent


class TestReading:
    def test_no_file_means_defaults_and_no_word(self, path: Path) -> None:
        found = read(path)
        assert found.preferences == Preferences()
        assert found.sentence == ""

    def test_what_is_written_is_read(self, path: Path) -> None:
        keys = (("new", ("Ctrl+Y",)), ("quit", ()))
        write(path, {"theme": "dark", "interval": 512, "shortcuts": keys}, {})
        found = read(path)
        assert found.preferences == Preferences(theme="dark", interval=512, shortcuts=keys)
        assert found.sentence == ""

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"{",
            b"[]",
            b"\xff\xfe\x00",
            b'{"format": 1}',
            b'{"settings": {}}',
            b'{"format": "1", "settings": {}}',
            b'{"format": 1, "settings": [1]}',
            b"[" * 100_000,
            b" " * (1 << 20) + b"{}",
        ],
        ids=lambda content: repr(content[:20]),
    )
    def test_a_damaged_file_is_set_aside_with_a_sentence(
        self, path: Path, folder: Path, content: bytes
    ) -> None:
        path.write_bytes(content)
        found = read(path)
        copy = folder / "settings.aside-1.json"
        assert found.preferences == Preferences()
        assert str(copy) in found.sentence
        assert copy.read_bytes() == content
        assert not path.exists()
        assert read(path).sentence == ""

    def test_it_is_said_in_the_language_that_is_set(
        self, path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        said = {
            "The settings file is damaged": "设置文件已损坏",
            "{what}; every setting has its default.": "{what}；默认。",
        }
        monkeypatch.setattr("app.core.words.tr._texts", said)
        path.write_bytes(b"{")
        assert read(path).sentence.startswith("设置文件已损坏；默认。")

    def test_so_is_one_of_a_newer_version(self, path: Path, folder: Path) -> None:
        put(path, {"appearance.theme": "dark"})
        path.write_text(path.read_text().replace(f'"format": {FORMAT}', '"format": 99'))
        found = read(path)
        assert "newer version" in found.sentence
        assert found.preferences == Preferences()
        assert '"format": 99' in (folder / "settings.aside-1.json").read_text()

    def test_a_second_one_does_not_replace_the_first(self, path: Path, folder: Path) -> None:
        for content in ("one", "two"):
            path.write_text(content)
            read(path)
        kept = [(folder / f"settings.aside-{n}.json").read_text() for n in (1, 2)]
        assert kept == ["one", "two"]

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("appearance.theme", "pink"),
            ("appearance.scale", 1000),
            ("appearance.scale", 101),
            ("cache.interval", 100),
            ("cache.interval", True),
            ("cache.state_share", 1),
            ("cache.background_audit", "yes"),
            ("model.threads", -1),
            ("shortcuts", {"new": "Ctrl+N"}),
            ("shortcuts", [1]),
        ],
    )
    def test_a_single_wrong_value_costs_only_itself(
        self, path: Path, folder: Path, key: str, value: Any
    ) -> None:
        put(path, {key: value, "cache.policy": "lru"})
        found = read(path)
        assert found.preferences == Preferences(policy="lru")
        assert key in found.sentence
        assert (folder / "settings.aside-1.json").exists()

    @pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root reads all")
    def test_an_unreadable_file_is_told(self, path: Path, folder: Path) -> None:
        put(path, {})
        path.chmod(0)
        assert "cannot be read" in read(path).sentence


class TestWriting:
    def test_unknown_settings_and_entries_are_kept(self, path: Path, folder: Path) -> None:
        put(path, {"future.thing": [1, 2], "appearance.theme": "dark"}, more={"a": 1})
        write(path, {"policy": "lru"}, {})
        raw = json.loads(path.read_text())
        assert raw["settings"]["future.thing"] == [1, 2]
        assert raw["more"] == {"a": 1}
        assert read(path).preferences == Preferences(theme="dark", policy="lru")

    def test_a_default_is_not_written(self, path: Path) -> None:
        write(path, {"theme": "dark"}, {})
        write(path, {"theme": None}, {})
        assert json.loads(path.read_text())["settings"] == {}

    def test_two_windows_do_not_undo_each_other(self, path: Path) -> None:
        first = read(path)
        write(path, {"theme": "dark"}, first.raw)
        write(path, {"policy": "lru"}, first.raw)
        assert read(path).preferences == Preferences(theme="dark", policy="lru")

    @pytest.mark.skipif(sys.platform == "win32", reason="no such modes")
    def test_only_the_user_can_read_it(self, path: Path) -> None:
        write(path, {"theme": "dark"}, {})
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_nothing_else_is_left_in_the_folder(self, path: Path) -> None:
        write(path, {"theme": "dark"}, {})
        assert [one.name for one in path.parent.iterdir()] == [path.name]
