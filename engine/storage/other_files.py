"""Segment files outside the open index: of other models and settings, and of other processes."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from engine.storage.disk_index import DiskIndex, Entry
from engine.storage.half_written import STALE_S, is_half_written, sweep
from engine.storage.segment_file import DamagedSegment, SegmentFile, Sizes, Tokens
from engine.storage.segment_meta import SUFFIX

# How many headers are read between two looks at what else there is to do.
BATCH = 32
# The budgets that these files were written under are not known here.
_ANY_SIZE = Sizes(token=0, state=1 << 62, most=1 << 62)
_NAMESPACE = re.compile(r"[0-9a-f]{32}")


class OtherFiles:
    """The files of a cache folder, found by reading their headers; nothing but forgetting."""

    def __init__(self, cache_dir: Path, own: str) -> None:
        """own: the namespace of the open index, "" if there is none."""
        self._cache_dir = cache_dir
        self._own = own

    def forget(
        self, prefixes: Sequence[Tokens], known: Collection[str]
    ) -> Iterator[tuple[int, int]]:
        """Remove every segment whose sequence begins with one of `prefixes`.

        Token ids of another tokenizer equal none of them, so its files stay. Yields, after each
        small piece of work, how many files and bytes it removed. Never raises.

        Args:
            known: names of the files that the open index has.
        """
        for folder in self._folders():
            names = _names(folder)
            if folder.name == self._own and set(names) <= set(known):
                continue
            index = DiskIndex()
            for at, name in enumerate(names):
                entry = _entry(folder, name)
                if entry is not None:
                    index.add(entry)
                if at % BATCH == BATCH - 1:
                    yield 0, 0
            yield _remove(folder, [*_beginning_with(index, prefixes), *_useless(index)])

    def _folders(self) -> list[Path]:
        try:
            return sorted(
                item
                for item in self._cache_dir.iterdir()
                if _NAMESPACE.fullmatch(item.name) and item.is_dir() and not item.is_symlink()
            )
        except OSError:
            return []


def _names(folder: Path) -> list[str]:
    try:
        names = sorted(item.name for item in folder.iterdir())
    except OSError:
        return []
    for name in names:
        if is_half_written(name):
            sweep(folder / name)
    return [name for name in names if name.endswith(SUFFIX)]


def _entry(folder: Path, name: str) -> Entry | None:
    path = folder / name
    try:
        if path.is_symlink() or not path.is_file():
            return None
        file = SegmentFile(path, folder.name, _ANY_SIZE)
        return Entry(file.meta, file.tokens, file.tags, file.nbytes, path.stat().st_mtime)
    except (DamagedSegment, OSError):
        # Whoever opens this folder next reports and removes it.
        return None


def _beginning_with(index: DiskIndex, prefixes: Sequence[Tokens]) -> list[Entry]:
    return [
        gone
        for prefix in prefixes
        for entry in index.passing(prefix)
        for gone in index.remove(entry.meta.key)
    ]


def _useless(index: DiskIndex) -> list[Entry]:
    """Files that continue a missing one: nobody can say whose they are, or use them."""
    return [one for one in index.orphans() if time.time() - one.used > STALE_S]


def _remove(folder: Path, entries: Sequence[Entry]) -> tuple[int, int]:
    files = freed = 0
    for entry in entries:
        with contextlib.suppress(OSError):
            (folder / entry.meta.file_name).unlink()
            files += 1
            freed += entry.nbytes
    return files, freed
