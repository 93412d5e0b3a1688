"""The model folders opened last: their file, and what is wrong with one of them. Without Qt."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from app.core.words.tr import tr
from engine.hub.manifest import UNFINISHED
from engine.private_files import read_object, write_whole

MOST = 10
_LONGEST = 4096
_NAME = "recent-models.json"


def recent_file(window_file: Path) -> Path:
    """Beside the file in which the window remembers its place."""
    return window_file.with_name(_NAME)


def load(path: Path) -> tuple[Path, ...]:
    """The folders, the last one opened first; a missing or damaged file counts as none."""
    folders = read_object(path).get("folders")
    if not isinstance(folders, list):
        return ()
    # What can be read of a damaged list is kept.
    sound = [Path(folder) for folder in folders if _sound(folder)]
    return tuple(dict.fromkeys(sound))[:MOST]


def save(path: Path, folders: tuple[Path, ...]) -> None:
    """Write the file atomically, readable by the user alone; failing is not worth an error."""
    text = json.dumps({"folders": [str(folder) for folder in folders]}, indent=1) + "\n"
    # A name that is no text, which Linux allows, cannot be written.
    with contextlib.suppress(OSError, ValueError):
        write_whole(path, text)


def with_first(folders: tuple[Path, ...], folder: Path) -> tuple[Path, ...]:
    """The folders after another one was opened."""
    return (folder, *(known for known in folders if known != folder))[:MOST]


def folder_problem(folder: Path) -> str:
    """Why a folder cannot be opened any more, in one sentence; "" if it looks as if it could.

    May wait for a slow disk.
    """
    try:
        if not folder.exists():
            return tr("This folder is no longer there.")
        if not folder.is_dir():
            return tr("This is no longer a folder.")
        if (folder / UNFINISHED).exists():
            return tr("This download is not finished: fetch the rest in View > Models.")
        if not (folder / "config.json").is_file():
            return tr("There is no config.json in this folder any more.")
    except OSError as error:
        return tr("This folder cannot be read ({strerror}).").format(
            strerror=error.strerror or tr("unknown error")
        )
    return ""


def place_text(folder: Path) -> str:
    """Where a folder is, with "~" for the user's own."""
    parent = folder.parent
    with contextlib.suppress(ValueError, RuntimeError):
        inside = parent.relative_to(Path.home())
        return str(Path("~") / inside)
    return str(parent)


def _sound(raw: object) -> bool:
    """Whether it is a path that this file may hold."""
    if not isinstance(raw, str) or not 0 < len(raw) <= _LONGEST or "\0" in raw:
        return False
    return Path(raw).is_absolute()
