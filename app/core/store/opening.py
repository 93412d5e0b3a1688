"""Opens the store whatever the state of its file, and reports problems in one sentence."""

from __future__ import annotations

import contextlib
import logging
import shutil
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import platformdirs

from app.core.store.connection import NAME
from app.core.store.lock import StoreLock
from app.core.store.salvage import salvage
from app.core.store.schema import NewerError
from app.core.store.soundness import DamagedError, make_ready
from app.core.store.store import Store
from app.core.words import format as fmt
from app.core.words.tr import tr
from engine.private_files import FILE_MODE, make_folder

# Suffixes of SQLite's auxiliary files.
_BESIDE = ("-wal", "-shm")
_NO_INDEX = tr("This build of SQLite has no full-text index, so searching reads every message.")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opened:
    """An open store.

    Attributes:
        sentence: a problem for the user to know; "" if all is well.
    """

    store: Store
    sentence: str = ""


def data_folder() -> Path:
    """The platform's folder for user data."""
    return platformdirs.user_data_path("biplane", appauthor=False)


def open_store(folder: Path | None, report: Callable[[str], None] = lambda _: None) -> Opened:
    """Open the conversations in `folder`; None keeps them for this run only.

    There is always a store: a damaged file is set aside and its readable rows are copied, and if
    nothing can be written, conversations last as long as the window.

    Args:
        report: called with a sentence, on any thread, when saving fails later.
    """
    if folder is None:
        return Opened(_temporary(None, report))
    lock = StoreLock(folder)
    try:
        make_folder(folder)
        if not lock.take():
            return Opened(
                _temporary(None, report),
                tr(
                    "Another Biplane window has your conversations open; those of "
                    "this window are not kept."
                ),
            )
        sentence = _make_usable(folder / NAME)
        opened = Store(folder / NAME, report, lock)
    except (OSError, sqlite3.Error) as error:
        lock.release()
        log.error("The conversations cannot be opened for writing.", exc_info=error)
        reason = getattr(error, "strerror", None) or error
        return Opened(
            _temporary(folder / NAME, report),
            tr(
                "Conversations cannot be saved in {folder} ({reason}); new ones are "
                "lost when the window closes."
            ).format(folder=folder, reason=reason),
        )
    if not sentence and not opened.indexed:
        sentence = _NO_INDEX
    return Opened(opened, sentence)


def _make_usable(path: Path) -> str:
    """Repair or migrate the file; returns what was done. Raises OSError and sqlite3.Error."""
    try:
        make_ready(path)
        return ""
    except DamagedError as error:
        # The traceback only: SQLite may quote content that it could not read.
        log.error("The conversations are damaged.", exc_info=error)
        what = tr("Your conversations were damaged")
    except NewerError:
        what = tr("Your conversations were saved by a newer version of Biplane")
    except IsADirectoryError:
        what = tr("Your conversations were damaged")
    kept, saved = _set_aside(path)
    found = (
        tr("{messages} could be read").format(messages=fmt.plural(saved, "message"))
        if saved
        else tr("no message could be read")
    )
    return tr("{what}: {found}, and the file is kept as {name}.").format(
        what=what, found=found, name=kept.name
    )


def _set_aside(path: Path) -> tuple[Path, int]:
    """Keep a copy of an unusable file, and replace it with a sound one with its rows.

    Returns the copy and the number of messages. Raises OSError and sqlite3.Error.
    """
    kept = _free_name(path)
    with TemporaryDirectory(dir=path.parent, prefix=".recovery-") as made:
        work, new = Path(made) / "old.sqlite", Path(made) / "new.sqlite"
        saved = 0
        if path.is_file():
            path.chmod(FILE_MODE)
            _copy_files(path, work)
        saved = salvage(work, new)
        make_ready(new)
        for end in _BESIDE:
            extra = path.with_name(path.name + end)
            if extra.exists():
                extra.rename(kept.with_name(kept.name + end))
        path.rename(kept)
        new.rename(path)
    return kept, saved


def _free_name(path: Path) -> Path:
    """`conversations-2026-11-21.sqlite`, or one with a number after the date."""
    day = time.strftime("%Y-%m-%d")
    names = (
        f"{path.stem}-{day}{more}{path.suffix}" for more in ("", *map("-{}".format, range(2, 9999)))
    )
    return next(path.with_name(name) for name in names if not path.with_name(name).exists())


def _copy_files(path: Path, target: Path) -> None:
    # Not the -shm file, which is rebuilt from the log.
    for end in ("", "-wal"):
        source = path.with_name(path.name + end)
        if source.is_file():
            made = target.with_name(target.name + end)
            shutil.copyfile(source, made)
            made.chmod(FILE_MODE)


def _temporary(source: Path | None, report: Callable[[str], None]) -> Store:
    """A store for this run only, with the readable rows of `source`."""
    folder = TemporaryDirectory(prefix="biplane-", ignore_cleanup_errors=True)
    path = Path(folder.name) / NAME
    if source is not None:
        with contextlib.suppress(OSError, sqlite3.Error):
            work = Path(folder.name) / "old.sqlite"
            if source.is_file():
                _copy_files(source, work)
                salvage(work, path)
    make_ready(path)
    return Store(path, report, folder=folder)
