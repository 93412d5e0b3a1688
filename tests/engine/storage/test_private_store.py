"""Segments hold conversations: neither they nor their folder can be read by others."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.storage.samples import FINGERPRINT, open_store, segment, tokens_of

PART = segment(tokens_of(1, 20), 0, 20)


def modes(folder: Path) -> dict[str, int]:
    return {
        str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode)
        for path in [folder, *folder.rglob("*")]
    }


@pytest.fixture(autouse=True)
def open_handed() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def fill(folder: Path) -> None:
    store = open_store(folder)
    store.put(PART)
    store.close()


WANTED = {".": 0o700, FINGERPRINT: 0o700, f"{FINGERPRINT}/{PART.meta.file_name}": 0o600}


def test_what_is_made_is_private(tmp_path: Path) -> None:
    fill(tmp_path / "cache")
    assert modes(tmp_path / "cache") == WANTED


def test_what_was_made_by_an_older_version_is_mended_at_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    fill(folder)
    for name, found in modes(folder).items():
        (folder / name).chmod(found | 0o055)
    open_store(folder).close()
    assert modes(folder) == WANTED


def test_a_folder_that_the_user_keeps_other_things_in_stays_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o755)
    (folder / "notes.txt").write_text("mine")
    fill(folder)
    found = modes(folder)
    assert (found["."], found[FINGERPRINT]) == (0o755, 0o700)
