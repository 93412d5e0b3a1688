"""Where everything lies: counted and deleted to the last file of ours, and not one of others."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from app.cli.main import main
from app.core import places as module
from app.core.cuda.state import cuda_folder
from app.core.instance import Instance
from app.core.launch_marker import LaunchMarker
from app.core.log import NAME as LOG_NAME
from app.core.log import log_folder, logging_to_file
from app.core.options.shared import default_cache_dir, default_history_file
from app.core.places import PLACE_IDS, Place, PlaceId, Size, delete, measure, places
from app.core.preferences.book import Book
from app.core.preferences.file import settings_file
from app.core.store.connection import NAME
from app.core.store.connections import Tokens
from app.core.store.downloads import downloads
from app.core.store.load_times import load_times_file, speed_file
from app.core.store.opening import data_folder, open_store
from app.shell.window_memory import WindowState, memory_file, save
from engine.hub.manifest import SOURCE, UNFINISHED, Manifest, RemoteFile, write
from engine.storage.segment_file import FILE_NAME, is_half_written
from tests.present import present

SEGMENT = f"{'0f' * 16}.safetensors"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "home" / name.lower()))
    monkeypatch.setattr(Tokens, "forget", lambda *_: None)
    return tmp_path / "home"


def put(path: Path, content: bytes = b"12345") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def model(folder: Path, name: str, *, whole: bool = True) -> None:
    files = (RemoteFile("model.safetensors", 5, "0" * 64, ""),)
    manifest = Manifest(f"owner/{name}", "main", "c" * 40, "", False, files)
    folder.mkdir(parents=True)
    write(manifest, folder / (SOURCE if whole else UNFINISHED))
    put(folder / "model.safetensors")
    put(folder / "sub" / "tokenizer.json")


@pytest.fixture
def full(home: Path) -> dict[PlaceId, int]:
    """Something in every place, as the program itself puts it there; and the number of files."""
    opened = open_store(data_folder())
    opened.store.close()
    put(data_folder() / "conversations-2026-11-21.sqlite")
    put(data_folder() / "conversations-2026-11-21-2.sqlite-wal")
    put(default_history_file())
    library = downloads()
    model(library.folder("owner/whole"), "whole")
    model(library.aside("owner/begun"), "begun", whole=False)
    states = default_cache_dir()
    put(states / ("ab" * 16) / SEGMENT)
    put(states / ("ab" * 16) / "12.345.tmp")
    put(states / "weights" / "demo-int8" / "layer.0.safetensors")
    put(states / "weights" / "demo-int8" / "layer.1.77.part")
    put(speed_file())
    put(load_times_file())
    put(cuda_folder() / "site" / "torch" / "lib.so")
    Book(settings_file()).set("text_px", 15)
    save(memory_file(), WindowState())
    put(settings_file().with_name("settings.aside-1.json"))
    with logging_to_file("info"):
        pass
    put(log_folder() / f"{LOG_NAME}.1")
    put(log_folder() / "run-99999999-1", b'{"pid": 99999999, "process_began": 1.0}\n')
    conversations = len(list(data_folder().glob("conversations*"))) + 1
    return {
        "conversations": conversations,
        "models": 3,
        "downloads": 3,
        "cache": 6,
        "cuda": 1,
        "settings": 3,
        "log": 3,
    }


def foreign(home: Path) -> set[Path]:
    """Files of others in every folder of ours."""
    states = default_cache_dir()
    made = {
        put(data_folder() / "notes.txt"),
        put(data_folder() / "conversations-mine.sqlite"),
        put(data_folder() / "models" / "mine" / "model" / "config.json"),
        put(data_folder() / "models" / ".unfinished" / "mine" / "x"),
        put(states / "photo.jpg"),
        put(states / "mine" / SEGMENT),
        put(states / ("ab" * 16) / "notes.txt"),
        put(states / "weights" / "demo-int8" / "notes.txt"),
        put(settings_file().with_name("mine.json")),
        put(log_folder() / "other.log"),
        put(home / "outside" / "config.json"),
    }
    (downloads().folder("owner/whole") / "link").symlink_to(home / "outside")
    (data_folder() / "conversations-2026-11-22.sqlite").symlink_to(home / "outside/config.json")
    (states / ("cd" * 16)).symlink_to(home / "outside")
    return made


def by_id(id: PlaceId) -> Place:
    return next(one for one in places() if one.id == id)


def files(home: Path) -> set[Path]:
    return {path for path in home.rglob("*") if path.is_file() and not path.is_symlink()}


class TestCounting:
    def test_nothing_is_nothing_and_creates_nothing(self, home: Path) -> None:
        assert [measure(one) for one in places()] == [Size()] * len(PLACE_IDS)
        assert not home.exists()

    def test_every_file_of_ours_is_in_one_place(self, home: Path, full: dict[PlaceId, int]) -> None:
        counted = {one.id: measure(one).files for one in places()}
        assert counted == full
        assert sum(counted.values()) == len(files(home))
        nbytes = sum(path.stat().st_size for path in files(home))
        assert sum((measure(one) for one in places()), Size()).nbytes == nbytes

    def test_what_is_not_ours_is_not_counted(self, home: Path, full: dict[PlaceId, int]) -> None:
        foreign(home)
        counted = {one.id: measure(one).files for one in places()}
        # The link in a folder that is wholly ours, and not what it leads to.
        assert counted == full | {"models": 4}

    def test_names_are_those_that_the_engine_gives(self) -> None:
        assert FILE_NAME.fullmatch(SEGMENT)
        for name in (SEGMENT, "12.345.tmp", "x.safetensors", "1234567890.1.tmp", "notes.txt"):
            ours = bool(FILE_NAME.fullmatch(name)) or is_half_written(name)
            assert bool(module.SEGMENT.fullmatch(name)) == ours, name


class TestDeleting:
    @pytest.mark.parametrize("id", PLACE_IDS)
    def test_one_place_and_no_other(
        self, home: Path, full: dict[PlaceId, int], id: PlaceId
    ) -> None:
        place = by_id(id)
        ours, before = set(place.files()), files(home)
        found = delete(place)
        assert (found.problem, found.size.files) == ("", full[id])
        assert before - files(home) == ours
        assert {one.id: measure(one).files for one in places()} == full | {id: 0}

    def test_all_of_it_leaves_nothing(self, home: Path, full: dict[PlaceId, int]) -> None:
        for one in places():
            delete(one)
        left = {path for path in home.rglob("*") if path.name not in ("data", "config", "cache")}
        assert left <= {home / "state"}

    def test_files_of_others_stay_whatever_is_deleted(
        self, home: Path, full: dict[PlaceId, int]
    ) -> None:
        theirs = foreign(home)
        for one in places():
            assert delete(one).problem == ""
        assert files(home) == theirs
        assert (data_folder() / "conversations-2026-11-22.sqlite").is_symlink()

    def test_what_is_kept_stays(self, full: dict[PlaceId, int]) -> None:
        folder = downloads().folder("owner/whole")
        assert delete(by_id("models"), (folder,)).size == Size()
        assert (folder / "model.safetensors").exists()

    def test_another_cache_folder(self, tmp_path: Path) -> None:
        put(tmp_path / "elsewhere" / ("ab" * 16) / SEGMENT)
        cache = next(one for one in places(tmp_path / "elsewhere") if one.id == "cache")
        assert delete(cache).size == Size(1, 5)
        assert not (tmp_path / "elsewhere").exists()

    def test_what_cannot_be_deleted_is_said(
        self, full: dict[PlaceId, int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        unlink = Path.unlink

        def refuse(path: Path, missing_ok: bool = False) -> None:
            if path.name == SEGMENT:
                raise PermissionError(1, "Operation not permitted")
            unlink(path, missing_ok)

        monkeypatch.setattr(Path, "unlink", refuse)
        found = delete(by_id("cache"))
        assert re.search(rf"{SEGMENT} cannot be deleted \(Operation not permitted\)", found.problem)
        assert found.size.files == full["cache"] - 1

    def test_the_marker_of_a_running_window_stays(self) -> None:
        marker = LaunchMarker(log_folder())
        log_folder().mkdir(parents=True)
        marker.begin()
        assert measure(by_id("log")) == Size()
        marker.end()

    def test_tokens_of_servers_are_forgotten_with_the_settings(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gone: list[str] = []
        monkeypatch.setattr(Tokens, "forget", lambda _self, address: gone.append(str(address)))
        entry = {"address": "http://127.0.0.1:8000/v1", "model": "m"}
        text = json.dumps({"connections": [entry]}).encode()
        put(settings_file().with_name("connections.json"), text)
        delete(by_id("settings"))
        assert gone == ["http://127.0.0.1:8000/v1"]


class TestCommand:
    def test_it_lists_and_deletes_nothing(
        self, home: Path, full: dict[PlaceId, int], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["places", "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert {one["id"]: one["files"] for one in told} == full
        assert main(["places"]) == 0
        assert len(capsys.readouterr().out.splitlines()) == len(PLACE_IDS) + 1

    def test_it_deletes_what_is_named(
        self, full: dict[PlaceId, int], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["places", "--delete", "cache", "--delete", "models", "--yes"]) == 0
        assert "cache: 6 files deleted" in capsys.readouterr().out
        left = {one.id: measure(one).files for one in places()}
        assert left == full | {"cache": 0, "models": 0, "conversations": left["conversations"]}

    def test_all_of_it_and_its_own_log_leave_nothing(
        self, home: Path, full: dict[PlaceId, int]
    ) -> None:
        assert main(["places", "--delete", "all", "--yes"]) == 0
        assert files(home) == set()

    def test_nobody_is_there_to_be_asked(
        self, full: dict[PlaceId, int], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["places", "--delete", "cache"]) == 2
        assert "--yes deletes without asking" in capsys.readouterr().err
        assert measure(by_id("cache")).files == full["cache"]

    @pytest.mark.parametrize("what", ["conversations", "models", "settings", "all"])
    def test_not_while_a_window_uses_it(
        self, full: dict[PlaceId, int], what: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        window = present(Instance.claim(data_folder()))
        assert main(["places", "--delete", what, "--yes"]) == 2
        assert "close its window first" in capsys.readouterr().err
        assert (data_folder() / NAME).exists()
        # Cache files that are gone are a miss for its engine, nothing more.
        assert main(["places", "--delete", "cache", "--yes"]) == 0
        window.close()
