"""Files of conversations are the user's alone, whatever the umask, and also those of old."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import private_files
from engine.private_files import (
    NotOurs,
    OwnFolder,
    make_folder,
    mend,
    open_private,
    read_object,
    write_whole,
)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def open_handed() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def test_a_new_folder_is_private_all_the_way(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_folder(tmp_path / "a" / "b")
    assert (mode(tmp_path / "a"), mode(tmp_path / "a" / "b")) == (0o700, 0o700)
    assert mode(tmp_path) == 0o755, "what was there before is not ours"


def test_a_folder_and_a_file_of_old_are_mended(tmp_path: Path) -> None:
    folder, file = tmp_path / "old", tmp_path / "file"
    folder.mkdir(mode=0o755)
    file.write_text("chat")
    file.chmod(0o644)
    make_folder(folder)
    os.close(open_private(file))
    assert (mode(folder), mode(file)) == (0o700, 0o600)
    assert file.read_text() == ""


def test_what_a_link_leads_to_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "shared"
    file.write_text("of others")
    file.chmod(0o644)
    (tmp_path / "link").symlink_to(file)
    mend(tmp_path / "link")
    mend(tmp_path / "not there")
    assert mode(file) == 0o644


def test_a_file_is_written_whole_for_the_user_alone(tmp_path: Path) -> None:
    file = tmp_path / "new" / "small.json"
    for synced in (False, True):
        write_whole(file, f'{{"synced": {int(synced)}}}', synced=synced)
        assert read_object(file) == {"synced": int(synced)}
        assert (mode(file.parent), mode(file)) == (0o700, 0o600)
        assert list(file.parent.iterdir()) == [file]


def test_what_cannot_be_written_leaves_the_file_before_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "small.json"
    write_whole(file, "{}")
    with pytest.raises(ValueError, match="surrogates"):
        write_whole(file, "\ud800")
    assert file.read_text() == "{}"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    "text", ["", "[]", "nonsense", "[" * 60_000, "1" * 5_000, "null", "\x00\xff"]
)
def test_what_is_no_object_is_an_empty_one(tmp_path: Path, text: str) -> None:
    file = tmp_path / "small.json"
    file.write_text(text, encoding="latin-1")
    assert read_object(file) == {}
    assert read_object(tmp_path) == read_object(tmp_path / "not there") == {}


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "small.json"
    file.write_text('{"a": 1}')
    assert (read_object(file, 8), read_object(file, 7)) == ({"a": 1}, {})


def test_a_pipe_is_left_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o644)
    os.close(open_private(pipe, os.O_RDWR))
    assert mode(pipe) == 0o644


@pytest.mark.parametrize("descriptors", [True, False], ids=["by descriptor", "by path"])
class TestOwnFolder:
    @pytest.fixture(autouse=True)
    def way(self, monkeypatch: pytest.MonkeyPatch, descriptors: bool) -> None:
        if not descriptors:
            monkeypatch.setattr(private_files, "_DESCRIPTORS", False)
            monkeypatch.setattr(private_files, "_NO_LINK", 0)

    def test_what_is_made_in_it_is_private_and_found_again(self, tmp_path: Path) -> None:
        folder = OwnFolder(tmp_path / "chosen", "outer", "inner")
        folder.make()
        with folder.create("draft") as file:
            file.write(b"chat")
        folder.rename("draft", "kept")
        folder.date("kept", 12.0)
        with folder.read("kept") as read:
            assert read.read() == b"chat"
        assert folder.names() == ["kept"]
        assert [(name, status.st_mtime) for name, status in folder.files()] == [("kept", 12.0)]
        paths = [folder.path / "kept", folder.path, folder.path.parent, tmp_path / "chosen"]
        assert [mode(path) for path in paths] == [0o600, 0o700, 0o700, 0o700]
        folder.unlink("kept")
        folder.unlink("kept")
        assert folder.names() == []

    def test_the_modes_of_an_older_version_are_mended(self, tmp_path: Path) -> None:
        folder = OwnFolder(tmp_path, "own")
        folder.path.mkdir(mode=0o755)
        (folder.path / "chat").touch(0o644)
        folder.make()
        folder.read("chat").close()
        assert (mode(folder.path), mode(folder.path / "chat")) == (0o700, 0o600)

    def test_no_link_and_no_file_in_its_place_is_used(self, tmp_path: Path) -> None:
        (tmp_path / "target" / "inner").mkdir(parents=True)
        (tmp_path / "link").symlink_to(tmp_path / "target")
        (tmp_path / "file").touch()
        for folder in (
            OwnFolder(tmp_path, "link"),
            OwnFolder(tmp_path, "link", "inner"),
            OwnFolder(tmp_path, "file"),
        ):
            for use in (folder.make, folder.names, lambda f=folder: f.create("new")):
                with pytest.raises(NotOurs, match="is a link, or not a folder"):
                    use()
        assert list((tmp_path / "target" / "inner").iterdir()) == []
        assert OwnFolder(tmp_path / "link", "inner").names() == [], "a link may be chosen"

    def test_no_link_or_pipe_in_it_is_read(self, tmp_path: Path) -> None:
        folder = OwnFolder(tmp_path, "own")
        folder.make()
        (tmp_path / "notes").write_text("of others")
        (folder.path / "link").symlink_to(tmp_path / "notes")
        os.mkfifo(folder.path / "pipe")
        with pytest.raises(NotOurs, match="link is a link"):
            folder.read("link")
        with pytest.raises(NotOurs, match="pipe is not a file"):
            folder.read("pipe")
        assert folder.files() == []

    def test_nothing_of_another_user_is_used(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = OwnFolder(tmp_path, "own")
        folder.make()
        folder.create("chat").close()
        monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
        for use in (folder.make, folder.names, lambda: folder.read("chat")):
            with pytest.raises(NotOurs, match="belongs to another user"):
                use()

    def test_what_is_there_is_not_created_anew(self, tmp_path: Path) -> None:
        folder = OwnFolder(tmp_path, "own")
        folder.make()
        folder.create("chat").close()
        with pytest.raises(FileExistsError):
            folder.create("chat")

    def test_no_descriptor_stays_open(self, tmp_path: Path) -> None:
        if not Path("/proc/self/fd").is_dir():
            pytest.skip("the system does not list open files")
        before = len(os.listdir("/proc/self/fd"))
        folder = OwnFolder(tmp_path, "own", "inner")
        folder.make()
        folder.create("chat").close()
        (folder.path / "link").symlink_to("chat")
        for name in ("chat", "link", "none"):
            with contextlib.suppress(OSError):
                folder.read(name).close()
        assert len(os.listdir("/proc/self/fd")) == before
