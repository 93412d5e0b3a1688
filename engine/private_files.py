"""Files that hold conversations: nobody but the user may read them."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600
_OTHERS = 0o077


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for the user alone. Raises OSError.

    Of those that were there only the last is mended; what lies above belongs to somebody else.
    """
    missing = [folder, *folder.parents]
    missing = missing[: next((at for at, path in enumerate(missing) if path.exists()), None)]
    for path in reversed(missing):
        path.mkdir(mode=FOLDER_MODE, exist_ok=True)
    mend(folder)


def mend(path: Path) -> None:
    """Take from others what they may do with a file or folder. Never raises."""
    with contextlib.suppress(OSError):
        mode = path.lstat().st_mode
        # A link's own mode means nothing, and what it leads to may be anybody's.
        if mode & _OTHERS and not path.is_symlink():
            path.chmod(mode & ~_OTHERS & 0o7777)


def open_private(path: Path, flags: int = os.O_WRONLY | os.O_CREAT | os.O_TRUNC) -> int:
    """A descriptor of a file that only the user may read, also where it was there before.

    Raises OSError.
    """
    opened = os.open(path, flags, FILE_MODE)
    # A file that was there keeps its mode when it is opened, and some systems have none to set. A
    # pipe or a device is not ours to close.
    with contextlib.suppress(OSError, AttributeError):
        if stat.S_ISREG(os.fstat(opened).st_mode):
            os.fchmod(opened, FILE_MODE)
    return opened
