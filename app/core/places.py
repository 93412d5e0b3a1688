"""Where everything that Biplane keeps lies, how big it is, and how each part is deleted.

A place knows its own files by their names. Whatever else lies beside them, and whatever a link
leads to, is neither counted nor touched. Without Qt; uses disks, so not for the window's thread.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from app.core.cuda.state import cuda_folder
from app.core.launch_marker import PREFIX, is_running
from app.core.log import NAME as LOG_NAME
from app.core.log import log_folder
from app.core.options.shared import default_cache_dir, default_history_file
from app.core.preferences.file import settings_file
from app.core.store.connection import NAME as STORE_NAME
from app.core.store.connections import Tokens, connections_file
from app.core.store.connections import load as load_connections
from app.core.store.downloads import downloads
from app.core.store.load_times import load_times_file, speed_file
from app.core.store.opening import data_folder
from app.core.words.tr import tr

PlaceId = Literal["conversations", "models", "downloads", "cache", "cuda", "settings", "log"]
PLACE_IDS: tuple[PlaceId, ...] = get_args(PlaceId)
# Those that a window keeps open or writes again while it runs.
OF_A_WINDOW: frozenset[PlaceId] = frozenset({"conversations", "models", "downloads", "settings"})

# What the engine names its files in a cache folder: it is the user's own, and may hold others.
NAMESPACE = re.compile(r"[0-9a-f]{32}")
SEGMENT = re.compile(r"[0-9a-f]{32}\.safetensors|[0-9]{1,9}\.[0-9]+\.tmp")
WEIGHTS, PACKED = "weights", re.compile(r"[\w.-]+\.(?:safetensors|part)")
_CONVERSATIONS = re.compile(
    rf"{Path(STORE_NAME).stem}(?:-\d{{4}}-\d\d-\d\d(?:-\d+)?)?\.sqlite(?:-wal|-shm|-journal)?"
)
_LOCKS = ("conversations.lock", "window.lock")
_SETTINGS = re.compile(
    r"(?:settings|window|cache|recent-models|connections)\.json(?:\.\d+|\.aside)?"
    r"|settings\.aside-\d+\.json"
)
_LOG = re.compile(rf"{re.escape(LOG_NAME)}(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Place:
    """One kind of things that Biplane keeps.

    Attributes:
        title: in the page; what: what goes when it is deleted, in a sentence.
        folders: where its files lie, the main one first; none need exist.
        files: its files as they are now.
    """

    id: PlaceId
    title: str
    what: str
    folders: tuple[Path, ...]
    files: Callable[[], Iterator[Path]]


@dataclass(frozen=True, slots=True)
class Size:
    """How much lies in a place."""

    files: int = 0
    nbytes: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(self.files + other.files, self.nbytes + other.nbytes)


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was deleted, and a sentence for the first file that could not be."""

    size: Size = Size()
    problem: str = ""

    def __add__(self, other: Deleted) -> Deleted:
        return Deleted(self.size + other.size, self.problem or other.problem)


def places(cache_dir: Path | None = None) -> tuple[Place, ...]:
    """All of them. `cache_dir`: of the cache files, where it is not the default one."""
    data, config = data_folder(), settings_file().parent
    states = cache_dir or default_cache_dir()
    measured = (speed_file(), load_times_file())
    history = default_history_file()
    models = downloads().root
    cuda = cuda_folder()
    return (
        Place(
            "conversations",
            tr("Conversations"),
            tr("All conversations go for good, and what was typed in a terminal's chat."),
            (data, history.parent),
            lambda: _chain(_named(data, _CONVERSATIONS, _LOCKS), _there(history)),
        ),
        Place(
            "models",
            tr("Models"),
            tr("Downloaded models go; those that lie elsewhere stay."),
            (models, data),
            lambda: _chain(*(_tree(one.folder) for one in downloads().downloaded())),
        ),
        Place(
            "downloads",
            tr("Unfinished downloads"),
            tr("What has arrived of them goes."),
            (models, data),
            _unfinished,
        ),
        Place(
            "cache",
            tr("Cache files"),
            tr("Conversations stay; the next turn of each reads it anew."),
            (states, measured[0].parent),
            lambda: _chain(_cache_files(states), _there(*measured)),
        ),
        Place(
            "cuda",
            tr("CUDA part"),
            tr("Models run on the processor from the next start on."),
            (cuda, data),
            lambda: _tree(cuda),
        ),
        Place(
            "settings",
            tr("Settings"),
            tr("Everything is as after the installation; servers have to be connected anew."),
            (config,),
            lambda: _named(config, _SETTINGS),
        ),
        Place(
            "log",
            tr("Log and crash reports"),
            tr("Nothing else changes."),
            (log_folder(), log_folder().parent),
            _log_files,
        ),
    )


def measure(place: Place) -> Size:
    """Count a place's files; what cannot be looked at counts nothing."""
    size = Size()
    for path in place.files():
        found = _status(path)
        if found is not None:
            size += Size(1, found.st_size)
    return size


def delete(place: Place, keep: Collection[Path] = ()) -> Deleted:
    """Delete a place's files, and folders that are empty then.

    What other processes have open goes on working for them: the log of a running window begins
    anew, and an engine takes a file that is gone for a miss.

    keep: folders whose files stay, such as that of an open model.
    """
    gone = Deleted()
    parents: set[Path] = set()
    if place.id == "settings":
        _forget_tokens()
    for path in tuple(place.files()):
        if not any(path.is_relative_to(one) for one in keep):
            gone += _unlink(path)
            parents.add(path.parent)
    _prune(parents, place.folders)
    return gone


def _unlink(path: Path) -> Deleted:
    found = _status(path)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        said = tr("{path} cannot be deleted ({reason}).").format(path=path, reason=reason)
        return Deleted(problem=said)
    return Deleted(Size(1, found.st_size) if found is not None else Size())


def _prune(parents: Iterable[Path], roots: Collection[Path]) -> None:
    """Remove empty folders, up to the roots and those too."""
    inside = {
        folder
        for parent in parents
        for folder in (parent, *parent.parents)
        if any(folder.is_relative_to(root) for root in roots)
    }
    for folder in sorted(inside, key=lambda one: len(one.parts), reverse=True):
        # Not empty, or a link: somebody else's business.
        try:
            folder.rmdir()
        except OSError:
            continue


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except OSError:
        return None


def _chain(*parts: Iterable[Path]) -> Iterator[Path]:
    for part in parts:
        yield from part


def _there(*paths: Path) -> Iterator[Path]:
    return (path for path in paths if _status(path) is not None)


def _named(folder: Path, names: re.Pattern[str], others: Collection[str] = ()) -> Iterator[Path]:
    """The plain files of a folder with such a name."""
    try:
        entries = sorted(os.scandir(folder), key=lambda one: one.name)
    except OSError:
        return
    for one in entries:
        if (names.fullmatch(one.name) or one.name in others) and _is_plain(one):
            yield folder / one.name


def _tree(folder: Path) -> Iterator[Path]:
    """Everything in a folder that is wholly ours; links are files, and are not followed."""
    if folder.is_symlink():
        return
    for at, below, names in os.walk(folder, followlinks=False):
        here = Path(at)
        yield from (here / name for name in sorted(names))
        yield from (here / name for name in below if (here / name).is_symlink())


def _unfinished() -> Iterator[Path]:
    library = downloads()
    return _chain(*(_tree(library.aside(one.manifest.repo)) for one in library.unfinished()))


def _cache_files(states: Path) -> Iterator[Path]:
    for folder in _folders(states):
        if NAMESPACE.fullmatch(folder.name):
            yield from _named(folder, SEGMENT)
        elif folder.name == WEIGHTS:
            for model in _folders(folder):
                yield from _named(model, PACKED)


def _log_files() -> Iterator[Path]:
    folder = log_folder()
    yield from _named(folder, _LOG)
    for path in _named(folder, re.compile(rf"{PREFIX}.+")):
        # That of a running window: its crash would leave no report.
        if not is_running(path):
            yield path


def _folders(parent: Path) -> list[Path]:
    try:
        with os.scandir(parent) as entries:
            names = sorted(one.name for one in entries if one.is_dir(follow_symlinks=False))
    except OSError:
        return []
    return [parent / name for name in names]


def _is_plain(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def _forget_tokens() -> None:
    """The tokens of servers lie in the system's keyring, by the addresses in the settings."""
    tokens = Tokens()
    for one in load_connections(connections_file(settings_file())):
        tokens.forget(one.address)
