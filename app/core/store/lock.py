"""Gives one window at a time the conversations; the lock is released with the process."""

from __future__ import annotations

import os
from pathlib import Path

from engine.private_files import open_private

try:
    import fcntl
except ImportError:
    # Not on Windows: the last window to save a conversation wins there.
    fcntl = None  # type: ignore[assignment]

NAME = "conversations.lock"


class StoreLock:
    """A lock on a folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Whether we hold the lock now. Raises OSError if the folder is not writable."""
        descriptor = open_private(self._path, os.O_RDWR | os.O_CREAT)
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
