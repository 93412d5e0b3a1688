"""Files of conversations are the user's alone, whatever the umask, and also those of old."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.private_files import make_folder, mend, open_private


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


def test_a_pipe_is_left_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o644)
    os.close(open_private(pipe, os.O_RDWR))
    assert mode(pipe) == 0o644
