"""The user's files, readable by no one else."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

FOLDER_MODE = 0o700
FILE_MODE = 0o600
_OTHERS = 0o077
_MOST_BYTES = 64 << 10
_NO_FOLDER = "is a link, or not a folder"
# Some systems cannot open a file within an opened folder, and lack some of these flags.
_DESCRIPTORS = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
# Opening a pipe must not wait for its writer.
_READ = os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | getattr(os, "O_CLOEXEC", 0)


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents, for the user alone. Raises OSError.

    Of existing folders only the last one's mode is corrected; its parents are not ours.
    """
    missing = [folder, *folder.parents]
    missing = missing[: next((at for at, path in enumerate(missing) if path.exists()), None)]
    for path in reversed(missing):
        path.mkdir(mode=FOLDER_MODE, exist_ok=True)
    mend(folder)


def mend(path: Path) -> None:
    """Remove others' permissions on a file or folder. Never raises."""
    with contextlib.suppress(OSError):
        mode = path.lstat().st_mode
        # A link's own mode means nothing, and its target may not be ours.
        if mode & _OTHERS and not path.is_symlink():
            path.chmod(mode & ~_OTHERS & 0o7777)


def open_private(path: Path, flags: int = os.O_WRONLY | os.O_CREAT | os.O_TRUNC) -> int:
    """A descriptor of a file that only the user may read, even if it existed before.

    Raises OSError.
    """
    opened = os.open(path, flags, FILE_MODE)
    # An existing file keeps its mode when opened, and some systems have none to set. A pipe or a
    # device is not ours to restrict.
    with contextlib.suppress(OSError, AttributeError):
        if stat.S_ISREG(os.fstat(opened).st_mode):
            os.fchmod(opened, FILE_MODE)
    return opened


def read_object(path: Path, most: int = _MOST_BYTES) -> dict[str, Any]:
    """The JSON object in a file; {} if it is missing, damaged, or has more than `most` bytes."""
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
        raw = json.loads(content) if len(content) <= most else None
    except (OSError, ValueError, RecursionError):
        raw = None
    return raw if isinstance(raw, dict) else {}


def write_whole(path: Path, text: str, *, synced: bool = False) -> None:
    """Write a file for the user alone, atomically: the previous one stays until it is complete.

    Raises OSError, or ValueError if it cannot be UTF-8.

    synced: it is flushed to disk before it replaces the other.
    """
    make_folder(path.parent)
    # Several windows may write at once.
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with open(open_private(draft), "w", encoding="utf-8") as file:
            file.write(text)
            if synced:
                file.flush()
                os.fsync(file.fileno())
        draft.replace(path)
    except (OSError, ValueError):
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


class NotOurs(OSError):
    """Someone else's file or folder is where one of ours would be; strerror says so."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(errno.EPERM, f"{name} {what}")
        self.what = what

    def __str__(self) -> str:
        return str(self.strerror)


class OwnFolder:
    """A folder of ours inside one that the user chose.

    Inside the chosen folder no link is followed and nothing of another user's is used. Every
    operation reopens the folder and works within what it opened, so that a link that replaces it
    meanwhile has no effect. All methods raise OSError.

    Attributes:
        path: of the folder.
    """

    def __init__(self, chosen: Path, *names: str) -> None:
        """`chosen` may be a link; `names` are the nested folders below it."""
        self.path = chosen.joinpath(*names)
        self._chosen = chosen
        self._names = names

    def make(self) -> None:
        """Create the missing parts of it, for the user alone."""
        if not self._chosen.exists():
            make_folder(self._chosen)
        with self._opened(make=True):
            pass

    def names(self) -> list[str]:
        """Names of everything in it, sorted."""
        with self._opened() as at:
            return sorted(os.listdir(self.path if at is None else at))

    def files(self) -> list[tuple[str, os.stat_result]]:
        """The names and states of the files in it, excluding links."""
        found = []
        with self._opened() as at, os.scandir(self.path if at is None else at) as items:
            for item in items:
                with contextlib.suppress(OSError):
                    status = item.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode):
                        found.append((item.name, status))
        return found

    def read(self, name: str) -> io.BufferedReader:
        """Open a file for reading; others' permissions on it are removed."""
        with self._opened() as at:
            try:
                opened = os.open(self._in(at, name), _READ, dir_fd=at)
            except OSError as error:
                raise NotOurs(name, "is a link") if error.errno == errno.ELOOP else error from None
        try:
            _take(name, opened, stat.S_ISREG, "is not a file")
            return os.fdopen(opened, "rb")
        except BaseException:
            os.close(opened)
            raise

    def create(self, name: str) -> io.BufferedWriter:
        """Create a file for writing, which must not exist yet."""
        with self._opened() as at:
            return os.fdopen(os.open(self._in(at, name), _CREATE, FILE_MODE, dir_fd=at), "wb")

    def rename(self, name: str, new: str) -> None:
        """Rename a file, replacing the one that has the new name."""
        with self._opened() as at:
            os.replace(self._in(at, name), self._in(at, new), src_dir_fd=at, dst_dir_fd=at)

    def unlink(self, name: str) -> None:
        """Remove a file if it exists."""
        with contextlib.suppress(FileNotFoundError), self._opened() as at:
            os.unlink(self._in(at, name), dir_fd=at)

    def date(self, name: str, used: float) -> None:
        """Set when a file was last used, in seconds since 1970."""
        with self._opened() as at:
            follow = os.utime not in os.supports_follow_symlinks
            os.utime(self._in(at, name), (used, used), dir_fd=at, follow_symlinks=follow)

    @contextlib.contextmanager
    def _opened(self, *, make: bool = False) -> Iterator[int | None]:
        """Its descriptor, or None on systems where folders have none."""
        with contextlib.ExitStack() as stack:
            at, path = None, self._chosen
            if _DESCRIPTORS:
                at = _closed_by(stack, os.open(path, _FOLDER))
            for name in self._names:
                path = path / name
                here = path if at is None else name
                if make:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(here, FOLDER_MODE, dir_fd=at)
                if at is not None:
                    try:
                        at = _closed_by(stack, os.open(name, _FOLDER | _NO_LINK, dir_fd=at))
                    except OSError as error:
                        if error.errno in (errno.ELOOP, errno.ENOTDIR):
                            raise NotOurs(name, _NO_FOLDER) from None
                        raise
                _take(name, path if at is None else at, stat.S_ISDIR, _NO_FOLDER)
            yield at

    def _in(self, at: int | None, name: str) -> Path | str:
        """The file in the form a system call takes."""
        if at is not None:
            return name
        path = self.path / name
        if path.is_symlink():
            raise NotOurs(name, "is a link")
        return path


def _take(name: str, what: int | Path, kind: Callable[[int], bool], otherwise: str) -> None:
    """Remove others' permissions on a descriptor or path; raises NotOurs if it is not ours."""
    status = os.fstat(what) if isinstance(what, int) else what.lstat()
    if not kind(status.st_mode):
        raise NotOurs(name, otherwise)
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise NotOurs(name, "belongs to another user")
    if status.st_mode & _OTHERS:
        with contextlib.suppress(OSError, TypeError):
            # TypeError: on systems where no descriptor can be given.
            os.chmod(what, status.st_mode & ~_OTHERS & 0o7777)


def _closed_by(stack: contextlib.ExitStack, opened: int) -> int:
    stack.callback(os.close, opened)
    return opened
