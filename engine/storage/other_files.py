"""Segment files outside the open index: of other models and settings, and of other processes."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from engine.private_files import OwnFolder
from engine.storage.disk_index import DiskIndex, StoredSegment
from engine.storage.segment_file import (
    FILE_NAME,
    STALE_S,
    DamagedSegment,
    SegmentFile,
    Sizes,
    Tokens,
    is_half_written,
    sweep,
)

# How many headers are read before yielding to other work.
BATCH = 32
# The budgets that these files were written under are unknown.
_ANY_SIZE = Sizes(token=0, state=1 << 62, most=1 << 62)
_NAMESPACE = re.compile(r"[0-9a-f]{32}")


class OtherFiles:
    """The files of a cache folder, found by reading their headers; only used for forgetting."""

    def __init__(self, cache_dir: Path, own: str) -> None:
        """own: the namespace of the open index, "" if there is none."""
        self._cache_dir = cache_dir
        self._own = own

    def forget(
        self, prefixes: Sequence[Tokens], known: Collection[str]
    ) -> Iterator[tuple[int, int]]:
        """Remove every segment whose sequence begins with one of `prefixes`.

        Token ids of another tokenizer match none of them, so its files stay. Yields, after each
        small piece of work, how many files and bytes it removed. Never raises.

        Args:
            known: names of the files that the open index has.
        """
        for namespace in self._namespaces():
            folder = OwnFolder(self._cache_dir, namespace)
            names = _names(folder)
            if namespace == self._own and set(names) <= set(known):
                continue
            index = DiskIndex()
            for at, name in enumerate(names):
                entry = _entry(folder, name, namespace)
                if entry is not None:
                    index.add(entry)
                if at % BATCH == BATCH - 1:
                    yield 0, 0
            yield _remove(folder, [*_beginning_with(index, prefixes), *_useless(index)])

    def _namespaces(self) -> list[str]:
        try:
            return sorted(filter(_NAMESPACE.fullmatch, os.listdir(self._cache_dir)))
        except OSError:
            return []


def _names(folder: OwnFolder) -> list[str]:
    """Names of its segments; removes partial files of dead processes."""
    try:
        names = folder.names()
    except OSError:
        return []
    for name in filter(is_half_written, names):
        sweep(folder, name)
    return list(filter(FILE_NAME.fullmatch, names))


def _entry(folder: OwnFolder, name: str, namespace: str) -> StoredSegment | None:
    try:
        file = SegmentFile(folder, name, namespace, _ANY_SIZE)
    except DamagedSegment:
        # Whoever opens this folder next reports it.
        return None
    return StoredSegment(file.meta, file.tokens, file.tags, file.nbytes, file.used)


def _beginning_with(index: DiskIndex, prefixes: Sequence[Tokens]) -> list[StoredSegment]:
    return [
        gone
        for prefix in prefixes
        for entry in index.passing(prefix)
        for gone in index.remove(entry.meta.key)
    ]


def _useless(index: DiskIndex) -> list[StoredSegment]:
    """Files that continue a missing one, which makes them unusable and of unknown origin."""
    return [one for one in index.orphans() if time.time() - one.used > STALE_S]


def _remove(folder: OwnFolder, entries: Sequence[StoredSegment]) -> tuple[int, int]:
    files = freed = 0
    for entry in entries:
        with contextlib.suppress(OSError):
            folder.unlink(entry.meta.file_name)
            files += 1
            freed += entry.nbytes
    return files, freed
