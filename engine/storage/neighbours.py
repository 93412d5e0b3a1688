"""The segment files of other namespaces in a cache folder: all models share one budget.

They are known by name, size and time alone, which a directory tells; a header is read only before
one is removed: it tells whether the file is a segment at all, and which of several files that were
used at the same moment continues another.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path

from engine.private_files import OwnFolder
from engine.storage.segment_file import DamagedSegment, ForeignFile, SegmentFile, Sizes
from engine.storage.segment_meta import FILE_NAME

# Another engine that is still writing, of this program or another, is seen after at most this long.
LOOK_EVERY_S = 5.0
_NAMESPACE = re.compile(r"[0-9a-f]{32}")
# The budgets that these files were written under are not known here.
_ANY_SIZE = Sizes(token=0, state=1 << 62, most=1 << 62)


@dataclass(frozen=True, slots=True)
class _Neighbour:
    used: float
    nbytes: int
    namespace: str
    name: str


class Neighbours:
    """Everything in a cache folder that another model, or other settings, left there."""

    def __init__(self, cache_dir: Path, own: str) -> None:
        """own: the namespace whose files do not count."""
        self._nbytes = 0
        self._cache_dir, self._own = cache_dir, own
        # The least recently used first.
        self._files: list[_Neighbour] = []
        # Files that look like segments from outside and are none.
        self._foreign: set[_Neighbour] = set()
        self._looked = float("-inf")

    def look(self, *, now: bool = False) -> None:
        """Read the directories again, unless that was done a moment ago."""
        if not now and time.monotonic() - self._looked < LOOK_EVERY_S:
            return
        found = []
        with contextlib.suppress(OSError):
            for folder in os.scandir(self._cache_dir):
                if folder.name != self._own and _NAMESPACE.fullmatch(folder.name):
                    found += self._in(folder.name)
        self._files = sorted(found, key=lambda one: one.used)
        self._nbytes = sum(one.nbytes for one in found)
        self._looked = time.monotonic()

    @property
    def nbytes(self) -> int:
        """Of all files, as they were a moment ago."""
        self.look()
        return self._nbytes

    def bytes_used_since(self, used: float) -> int:
        """Bytes of the files last used at a moment or later, in seconds since 1970."""
        self.look()
        older = bisect_left(self._files, used, key=lambda one: one.used)
        return sum(one.nbytes for one in self._files[older:])

    def names(self) -> set[str]:
        """Of all files, as they were a moment ago."""
        self.look()
        return {one.name for one in self._files}

    def remove_older(self, used: float | None) -> bool:
        """Remove the least recently used file if it was used before a moment (None: whenever).

        What continues it goes before it. False if there is none.
        """
        if not self._files or (used is not None and self._files[0].used >= used):
            return False
        same = bisect_left(self._files, self._files[0].used + 1e-6, key=lambda one: one.used)
        gone = max(self._files[:same], key=self._end)
        self._files.remove(gone)
        self._nbytes -= gone.nbytes
        # One that stays is counted again at the next look.
        if gone not in self._foreign:
            with contextlib.suppress(OSError):
                OwnFolder(self._cache_dir, gone.namespace).unlink(gone.name)
        return True

    def _in(self, namespace: str) -> list[_Neighbour]:
        with contextlib.suppress(OSError):
            files = OwnFolder(self._cache_dir, namespace).files()
            found = (
                _Neighbour(status.st_mtime, status.st_size, namespace, name)
                for name, status in files
                if FILE_NAME.fullmatch(name)
            )
            return [one for one in found if one not in self._foreign]
        return []

    def _end(self, one: _Neighbour) -> int:
        """The position at which a segment ends: a file never continues one that ends later."""
        folder = OwnFolder(self._cache_dir, one.namespace)
        try:
            return SegmentFile(folder, one.name, one.namespace, _ANY_SIZE).meta.end
        except DamagedSegment as error:
            if isinstance(error, ForeignFile):
                self._foreign.add(one)
            # Of no use to anybody.
            return 1 << 62
