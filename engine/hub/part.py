"""A partially downloaded file: its bytes so far, and their checksums."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from engine.hub.failures import HubError
from engine.hub.manifest import RemoteFile

_READ = 1 << 20
END = ".part"


class Part:
    """The start of a file, on disk.

    Attributes:
        size: bytes present.
    """

    def __init__(self, folder: Path, file: RemoteFile, check: Callable[[], None]) -> None:
        """Open what an earlier run has left, and compute its checksums.

        check: called periodically; its exceptions end the reading. Raises OSError.
        """
        self._file = file
        self.path = folder / f"{file.name}{END}"
        # A link in its place would be followed and written through.
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        self._out = os.fdopen(os.open(self.path, flags, 0o644), "r+b", buffering=0)
        self.size = 0
        self._restart_sums()
        if os.fstat(self._out.fileno()).st_size > file.size:
            self.clear()
        while chunk := self._out.read(_READ):
            self._add(chunk)
            check()

    def write(self, chunk: bytes) -> None:
        """Add bytes to the end. Raises OSError, and HubError if there are more than stated."""
        if self.size + len(chunk) > self._file.size:
            self.clear()
            raise HubError(
                "damaged",
                "{name} is longer than its repository states: try again to "
                "fetch it from the start.",
                name=self._file.name,
            )
        view = memoryview(chunk)
        while view:
            view = view[self._out.write(view) :]
        self._add(chunk)

    def clear(self) -> None:
        """Start over. Raises OSError."""
        self._out.seek(0)
        self._out.truncate()
        self.size = 0
        self._restart_sums()

    def finish(self) -> None:
        """Verify the whole file and rename it. Raises OSError, and HubError if it is wrong, after
        removing it.
        """
        stated, found = self._file.digest, self._found()
        if found != stated:
            self.clear()
            kind = "sha256" if self._file.sha256 else "checksum"
            raise HubError(
                "damaged",
                "{name} arrived damaged: its {kind} is {found}…, not "
                "{stated}…. Try again to fetch it from the start.",
                name=self._file.name,
                kind=kind,
                found=found[:12],
                stated=stated[:12],
            )
        os.fsync(self._out.fileno())
        self.close()
        self.path.replace(self.path.with_name(self._file.name))

    def close(self) -> None:
        self._out.close()

    def _found(self) -> str:
        return (self._sha256 if self._file.sha256 else self._git).hexdigest()

    def _add(self, chunk: bytes) -> None:
        self.size += len(chunk)
        (self._sha256 if self._file.sha256 else self._git).update(chunk)

    def _restart_sums(self) -> None:
        self._sha256 = hashlib.sha256()
        # git's sha1 of a file includes a header line.
        self._git = hashlib.sha1(b"blob %d\0" % self._file.size, usedforsecurity=False)
