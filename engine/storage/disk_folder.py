"""The folder of segment files: readable by the user alone, and scanned at startup."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from engine.private_files import OwnFolder, mend
from engine.storage.disk_index import StoredSegment
from engine.storage.segment_file import (
    FILE_NAME,
    DamagedSegment,
    ForeignFile,
    ReplacedSegment,
    SegmentFile,
    Sizes,
    is_half_written,
    sweep,
)

T = TypeVar("T")
# How often a file may be replaced while being read before giving up.
_READ_TRIES = 8
_OURS = re.compile(r"[0-9a-f]{32}|weights")


class DiskFolder:
    """The files of one fingerprint.

    Attributes:
        own: the folder.
    """

    def __init__(self, cache_dir: Path, fingerprint: str, sizes: Sizes) -> None:
        self.own = OwnFolder(cache_dir, fingerprint)
        self._cache_dir = cache_dir
        self._fingerprint = fingerprint
        self._sizes = sizes
        # Files that the system refused to remove.
        self._stuck: set[str] = set()

    def names(self) -> list[str]:
        """Create the folder if it is missing; returns the names in it. Raises OSError."""
        self.own.make()
        # A folder in which the user keeps other things is not ours to restrict.
        if all(_OURS.fullmatch(item.name) for item in os.scandir(self._cache_dir)):
            mend(self._cache_dir)
        return self.own.names()

    def entries(
        self, names: list[str], damaged: Callable[[str, DamagedSegment], None]
    ) -> Iterator[StoredSegment]:
        """The intact segments among `names`; calls `damaged` for all others."""
        for name in names:
            if is_half_written(name):
                sweep(self.own, name)
                continue
            try:
                if not FILE_NAME.fullmatch(name):
                    raise ForeignFile("it is not a Biplane file")
                file = self.open(name)
            except DamagedSegment as error:
                # Another process may have just removed it.
                if not isinstance(error.__cause__, FileNotFoundError):
                    damaged(name, error)
            else:
                yield StoredSegment(file.meta, file.tokens, file.tags, file.nbytes, file.used)

    def open(self, name: str) -> SegmentFile:
        """A file with its header checked. Raises DamagedSegment."""
        return SegmentFile(self.own, name, self._fingerprint, self._sizes)

    def read(self, entry: StoredSegment, part: Callable[[SegmentFile], T]) -> T:
        """Read a part of a segment's file.

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
        """Remove a file; returns whether it is gone."""
        try:
            self.own.unlink(name)
        except OSError:
            self._stuck.add(name)
            return False
        self._stuck.discard(name)
        return True

    def unlink_stuck(self) -> int:
        """Retry removing files that could not be removed; returns how many are left."""
        return sum(not self.unlink(name) for name in tuple(self._stuck))

    def date(self, name: str, used: float) -> None:
        """Store a file's last use in it, for the next start."""
        with contextlib.suppress(OSError):
            self.own.date(name, used)
