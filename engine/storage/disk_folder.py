"""The folder of segment files: readable by the user alone, and scanned at the start."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from engine.private_files import make_folder, mend
from engine.storage.disk_index import Entry
from engine.storage.half_written import is_half_written, sweep
from engine.storage.segment_file import DamagedSegment, ReplacedSegment, SegmentFile, Sizes
from engine.storage.segment_meta import SUFFIX

T = TypeVar("T")
# How often a file may be replaced while it is being read before it is given up.
_READ_TRIES = 8
_OURS = re.compile(r"[0-9a-f]{32}|weights")


class DiskFolder:
    """The files of one fingerprint.

    Attributes:
        path: of the folder.
    """

    def __init__(self, cache_dir: Path, fingerprint: str, sizes: Sizes) -> None:
        self.path = cache_dir / fingerprint
        self._cache_dir = cache_dir
        self._fingerprint = fingerprint
        self._sizes = sizes
        # Files that the system would not remove.
        self._stuck: set[str] = set()

    def names(self) -> list[str]:
        """Create the folder if it is missing; returns the names in it. Raises OSError."""
        if not self._cache_dir.exists():
            make_folder(self._cache_dir)
        make_folder(self.path)
        # A folder in which the user keeps other things is not ours to restrict.
        if all(_OURS.fullmatch(item.name) for item in os.scandir(self._cache_dir)):
            mend(self._cache_dir)
        return sorted(item.name for item in os.scandir(self.path))

    def entries(self, names: list[str], damaged: Callable[[str, str], None]) -> Iterator[Entry]:
        """The intact segments among `names`; `damaged(name, why)` is called for all others."""
        for name in names:
            try:
                entry = self._entry(name)
            except DamagedSegment as error:
                damaged(name, str(error))
            except OSError as error:
                damaged(name, f"it cannot be read ({error.strerror})")
            else:
                if entry is not None:
                    yield entry

    def open(self, name: str) -> SegmentFile:
        """A file with its header checked. Raises DamagedSegment."""
        return SegmentFile(self.path / name, self._fingerprint, self._sizes)

    def read(self, entry: Entry, part: Callable[[SegmentFile], T]) -> T:
        """A part of a segment's file.

        Raises DamagedSegment, or ReplacedSegment if another segment took the name.
        """
        for _ in range(_READ_TRIES):
            file = self.open(entry.meta.file_name)
            file.expect(entry.meta, entry.tags)
            # Replaced after its header was read, maybe by the same segment: try again.
            with contextlib.suppress(ReplacedSegment):
                return part(file)
        raise ReplacedSegment("other processes keep replacing it")

    def unlink(self, name: str) -> bool:
        """Whether the file is gone now."""
        try:
            (self.path / name).unlink(missing_ok=True)
        except OSError:
            self._stuck.add(name)
            return False
        self._stuck.discard(name)
        return True

    def unlink_stuck(self) -> int:
        """Try again to remove what could not be removed; returns how many files are left."""
        return sum(not self.unlink(name) for name in tuple(self._stuck))

    def date(self, name: str, used: float) -> None:
        """Store in a file when it was used, for the next start."""
        with contextlib.suppress(OSError):
            os.utime(self.path / name, (used, used))

    def _entry(self, name: str) -> Entry | None:
        """None if there is nothing to add and nothing to report."""
        path = self.path / name
        if is_half_written(name):
            sweep(path)
            return None
        try:
            status = path.lstat()
        except FileNotFoundError:
            # Another process just removed it.
            return None
        # Regular files only: opening a pipe would block for ever.
        if not name.endswith(SUFFIX) or not stat.S_ISREG(status.st_mode):
            raise DamagedSegment("it is not a Biplane file")
        mend(path)
        file = self.open(name)
        return Entry(file.meta, file.tokens, file.tags, file.nbytes, status.st_mtime)
