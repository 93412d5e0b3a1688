"""Files that hold conversations, readable by the user alone."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600
_OTHERS = 0o077


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
