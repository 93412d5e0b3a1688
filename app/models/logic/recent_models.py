"""The recently opened models: where that is kept, and problems with them. Without Qt."""

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
    """Next to the file that stores the window's geometry."""
    return window_file.with_name(_NAME)


def load(path: Path) -> tuple[Path, ...]:
    """The folders, most recent first; a missing or damaged file counts as empty."""
    folders = read_object(path).get("folders")
    if not isinstance(folders, list):
        return ()
    # Keep the valid entries of a damaged list.
    sound = [Path(folder) for folder in folders if _sound(folder)]
    return tuple(dict.fromkeys(sound))[:MOST]


def save(path: Path, folders: tuple[Path, ...]) -> None:
    """Write the file atomically, private to the user; a failure is ignored."""
    text = json.dumps({"folders": [str(folder) for folder in folders]}, indent=1) + "\n"
    # A path that is not valid Unicode, which Linux allows, cannot be written.
    with contextlib.suppress(OSError, ValueError):
        write_whole(path, text)


def with_first(folders: tuple[Path, ...], folder: Path) -> tuple[Path, ...]:
    """The folders after another one was opened."""
    return (folder, *(known for known in folders if known != folder))[:MOST]


def folder_problem(folder: Path) -> str:
    """Why a folder can no longer be opened, in one sentence; "" if it looks usable.

    May block on a slow disk.
    """
    try:
        if folder.suffix.lower() == ".gguf" and not folder.is_dir():
            return "" if folder.exists() else tr("This file is no longer there.")
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
    """A folder's path, with "~" for the home folder."""
    parent = folder.parent
    with contextlib.suppress(ValueError, RuntimeError):
        inside = parent.relative_to(Path.home())
        return str(Path("~") / inside)
    return str(parent)


def _sound(raw: object) -> bool:
    """Whether it is a path that this file may contain."""
    if not isinstance(raw, str) or not 0 < len(raw) <= _LONGEST or "\0" in raw:
        return False
    return Path(raw).is_absolute()
