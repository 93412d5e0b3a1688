"""The list of recent models: its file, which may be damaged, and what is wrong with a folder."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

from app.models.logic.recent_models import (
    MOST,
    folder_problem,
    load,
    place_text,
    recent_file,
    save,
    with_first,
)
from engine.hub.manifest import UNFINISHED

FOLDERS = tuple(Path(f"/models/{name}") for name in "abc")


class TestFile:
    def test_what_is_saved_comes_back(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "recent-models.json"
        save(path, FOLDERS)
        assert load(path) == FOLDERS
        assert [file.name for file in path.parent.iterdir()] == ["recent-models.json"]

    @pytest.mark.skipif(sys.platform == "win32", reason="has no such modes")
    def test_only_the_user_may_read_it(self, tmp_path: Path) -> None:
        path = tmp_path / "recent-models.json"
        path.write_text("{}")
        path.chmod(0o644)
        save(path, FOLDERS)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    @pytest.mark.parametrize(
        "text",
        ["", "[]", "nonsense", "{}", "[" * 60_000, '{"folders": 1}', "\x00\xff", "1" * 100_000],
    )
    def test_a_damaged_file_counts_as_none(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "recent-models.json"
        path.write_text(text, encoding="latin-1")
        assert load(path) == ()

    def test_what_is_sound_in_it_is_kept(self, tmp_path: Path) -> None:
        path = tmp_path / "recent-models.json"
        mixed = [1, None, "", "relative", "/models/a", "/" + "x" * 5000, "/mod\0els", "/models/a"]
        path.write_text(json.dumps({"folders": [*mixed, "/models/b"]}), encoding="utf-8")
        assert load(path) == FOLDERS[:2]

    def test_without_a_file_there_are_none(self, tmp_path: Path) -> None:
        assert load(tmp_path / "recent-models.json") == ()
        assert load(tmp_path) == ()

    def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("", encoding="utf-8")
        save(tmp_path / "file" / "recent-models.json", FOLDERS)

    def test_a_name_that_is_no_text_is_not_written(self, tmp_path: Path) -> None:
        path = tmp_path / "recent-models.json"
        save(path, (Path("/models/\udcff"), *FOLDERS))
        assert load(path) in ((), (Path("/models/\udcff"), *FOLDERS))

    def test_it_lies_beside_the_windows_own(self) -> None:
        assert recent_file(Path("/c/window.json")) == Path("/c/recent-models.json")


class TestList:
    def test_the_last_one_opened_is_first_and_there_once(self) -> None:
        a, b, c = FOLDERS
        assert with_first((a, b), c) == (c, a, b)
        assert with_first((a, b, c), b) == (b, a, c)

    def test_there_are_ten(self) -> None:
        many = tuple(Path(f"/models/{number}") for number in range(20))
        assert len(with_first(many, Path("/models/new"))) == MOST == 10


class TestFolder:
    def test_what_is_wrong_with_it(self, tmp_path: Path) -> None:
        folder = tmp_path / "model"
        assert folder_problem(folder) == "This folder is no longer there."
        folder.mkdir()
        assert folder_problem(folder) == "There is no config.json in this folder any more."
        (folder / "config.json").write_text("{}")
        assert folder_problem(folder) == ""
        (folder / UNFINISHED).write_text("{}")
        assert "not finished" in folder_problem(folder)
        assert folder_problem(folder / "config.json") == "This is no longer a folder."

    def test_one_that_the_system_refuses(self) -> None:
        assert folder_problem(Path("/" + "x" * 5000)).startswith("This folder cannot be read (")

    def test_where_it_is(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", "/home/someone")
        assert place_text(Path("/home/someone/models/qwen")) == "~/models"
        assert place_text(Path("/home/someone/qwen")) == "~"
        assert place_text(Path("/srv/models/qwen")) == "/srv/models"
