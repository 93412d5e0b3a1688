"""The segment files of other namespaces in a cache folder: all models share one budget.

They are known by name, size and time alone, which a directory tells; a header is read only to find
out which of several files that were used at the same moment continues another.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path

from engine.storage.segment_file import DamagedSegment, SegmentFile, Sizes
from engine.storage.segment_meta import SUFFIX

# Another engine that is still writing, of this program or another, is seen after at most this long.
LOOK_EVERY_S = 5.0
_NAMESPACE = re.compile(r"[0-9a-f]{32}")
# The budgets that these files were written under are not known here.
_ANY_SIZE = Sizes(token=0, state=1 << 62, most=1 << 62)


@dataclass(frozen=True, slots=True)
class _Neighbour:
    used: float
    nbytes: int
    path: Path

    @property
    def name(self) -> str:
        return self.path.name


class Neighbours:
    """Everything in a cache folder that another model, or other settings, left there."""

    def __init__(self, cache_dir: Path, own: str) -> None:
        """own: the namespace whose files do not count."""
        self._nbytes = 0
        self._cache_dir, self._own = cache_dir, own
        # The least recently used first.
        self._files: list[_Neighbour] = []
        self._looked = float("-inf")

    def look(self, *, now: bool = False) -> None:
        """Read the directories again, unless that was done a moment ago."""
        if not now and time.monotonic() - self._looked < LOOK_EVERY_S:
            return
        found = []
        with contextlib.suppress(OSError):
            for folder in os.scandir(self._cache_dir):
                if folder.name != self._own and _NAMESPACE.fullmatch(folder.name):
                    found += _files(Path(folder.path))
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
        tied = self._files[:same]
        gone = tied[0] if len(tied) == 1 else max(tied, key=_end)
        self._files.remove(gone)
        self._nbytes -= gone.nbytes
        # One that stays is counted again at the next look.
        with contextlib.suppress(OSError):
            gone.path.unlink()
        return True


def _files(folder: Path) -> list[_Neighbour]:
    found = []
    with contextlib.suppress(OSError):
        for item in os.scandir(folder):
            with contextlib.suppress(OSError):
                if item.name.endswith(SUFFIX) and item.is_file(follow_symlinks=False):
                    status = item.stat(follow_symlinks=False)
                    found.append(_Neighbour(status.st_mtime, status.st_size, Path(item.path)))
    return found


def _end(one: _Neighbour) -> int:
    """The position at which a segment ends: a file never continues one that ends later."""
    try:
        return SegmentFile(one.path, one.path.parent.name, _ANY_SIZE).meta.end
    except (DamagedSegment, OSError):
        # Of no use to anybody.
        return 1 << 62
