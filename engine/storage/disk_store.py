"""Segments in a folder: found again after a restart, within a budget, whatever else happens there.

The files alone are the index. Nothing that is found on the disk raises: what cannot be used is
named in one sentence, removed and forgotten, and so is what hangs under it.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from torch import Tensor

from engine.storage.disk_index import Chain, DiskIndex, Entry, Usable
from engine.storage.disk_writer import DiskWriter
from engine.storage.half_written import STALE_S, is_half_written, sweep
from engine.storage.segment_file import (
    DamagedSegment,
    ReplacedSegment,
    Segment,
    SegmentFile,
    Tokens,
)
from engine.storage.segment_meta import SUFFIX

T = TypeVar("T")
# How often a file may be replaced while it is read before it is given up.
READ_TRIES = 8


class DiskStore:
    """The segments of one fingerprint; use it from one thread.

    Attributes:
        budget: bytes that the files may take.
        version: grows with each visible change.
        damaged: files that were named and removed.
        failed: segments that could not be written.
    """

    def __init__(
        self, cache_dir: Path, fingerprint: str, budget: int, told: Callable[[str], None]
    ) -> None:
        """Look through the folder of `fingerprint` and take in every whole segment."""
        self.budget = budget
        self.version = 0
        self.damaged = 0
        self.failed = 0
        self._folder = cache_dir / fingerprint
        self._fingerprint = fingerprint
        self._told = told
        self._index = DiskIndex()
        self._used_bytes = 0
        self._writable = True
        self._finished: deque[tuple[Segment, int | None, str]] = deque()
        self._writer = DiskWriter(
            self._folder, fingerprint, lambda *what: self._finished.append(what)
        )
        self._open()

    # ---- questions

    @property
    def files(self) -> int:
        """Segments on disk or on their way there."""
        return len(self._index)

    @property
    def used_bytes(self) -> int:
        return self._used_bytes

    @property
    def pending(self) -> int:
        """Segments that are not written yet."""
        return self._writer.pending

    def __contains__(self, key: str) -> bool:
        return key in self._index

    def entries(self) -> Iterator[Entry]:
        """What there is, parents first."""
        return self._index.entries()

    def match(self, tokens: Tokens, usable: Usable) -> Chain:
        """The deepest usable chain; see DiskIndex.match."""
        return self._index.match(tokens, usable)

    def chain(self, key: str) -> Chain:
        """The segments from the root down to `key`; () where one of them is missing."""
        return self._index.chain(key)

    # ---- bytes

    def kv(self, key: str) -> tuple[Tensor, Tensor] | None:
        """k and v of a segment; None where its file is damaged or gone."""
        waiting = self._writer.waiting(key)
        if waiting is not None:
            return waiting.k, waiting.v
        return self._read(key, SegmentFile.kv)

    def state(self, key: str) -> Mapping[str, Tensor] | None:
        """The packed state at a segment's end; None where its file is damaged or gone."""
        waiting = self._writer.waiting(key)
        if waiting is not None:
            return waiting.state
        return self._read(key, SegmentFile.state)

    def put(self, segment: Segment) -> bool:
        """Take a segment in, to be written in the background; False where it cannot be."""
        self.settle()
        meta = segment.meta
        above = self._index.chain(meta.parent)
        if meta.start != (above[-1].meta.end if above else 0):
            # What it goes on from was removed meanwhile: nobody could ever reach it.
            return False
        if not self._writable or segment.nbytes + sum(e.nbytes for e in above) > self.budget:
            return False
        if not self._writer.put(segment):
            return False
        replaced = self._index.get(meta.key)
        if replaced is not None:
            self._used_bytes -= replaced.nbytes
        self._index.add(Entry(meta, segment.tokens, segment.tags, segment.nbytes, time.time()))
        self._used_bytes += segment.nbytes
        self._touch(self._index.chain(meta.key))
        self._trim()
        self.version += 1
        return True

    def touch(self, keys: Iterable[str]) -> None:
        """The segments were of use: the ones used longest ago go first."""
        self._touch(tuple(e for key in keys if (e := self._index.get(key)) is not None))

    def settle(self) -> None:
        """Take note of what the writer has done."""
        while self._finished:
            segment, written, why = self._finished.popleft()
            entry = self._index.get(segment.meta.key)
            if written is None:
                self.failed += 1
                # Once: what waited behind it fails for the same reason.
                if self._writable:
                    self._told(f"The cache's files cannot be written any more: {why}.")
                self._writable = False
                self._forget(segment.meta.key)
            elif entry is not None:
                self._used_bytes += written - entry.nbytes
                entry.nbytes = written
            else:
                # It was dropped while it waited.
                self._unlink(segment.meta.file_name)
            self.version += 1
            self._trim()

    def flush(self) -> None:
        """Wait until everything is written."""
        self._writer.flush()
        self.settle()

    def close(self) -> None:
        """Finish writing, and stop."""
        self._writer.close()
        self.settle()

    def remove(self, key: str) -> None:
        """Remove a segment and all that goes on from it."""
        self._forget(key)

    def clear(self) -> None:
        """Remove every file."""
        for entry in [e for e in self._index.entries() if not e.meta.parent]:
            self._forget(entry.meta.key)
        self.version += 1

    # ---- inside

    def _open(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            names = sorted(item.name for item in os.scandir(self._folder))
        except OSError as error:
            self._writable = False
            self._told(f"The cache's folder cannot be used ({error.strerror}): nothing is kept.")
            return
        if not os.access(self._folder, os.W_OK):
            self._writable = False
            self._told("The cache's folder cannot be written to: nothing new is kept.")
        for name in names:
            self._take(name)
        for entry in self._index.orphans():
            # What it goes on from was removed: its KV can never be whole again. Or another process
            # wrote both just now, and only this one was seen.
            if time.time() - entry.used < STALE_S:
                self._forget(entry.meta.key, unlink=False)
            elif entry.meta.key in self._index:
                self._damaged(entry.meta.file_name, "what it goes on from is gone")
                self._lose(entry.meta.key)
        self._trim()

    def _take(self, name: str) -> None:
        path = self._folder / name
        if is_half_written(name):
            sweep(path)
            return
        try:
            status = path.lstat()
            # Nothing but a file: to open a pipe would wait for ever.
            if not name.endswith(SUFFIX) or not stat.S_ISREG(status.st_mode):
                raise DamagedSegment("it is none of Biplane's")
            file = SegmentFile(path, self._fingerprint)
        except FileNotFoundError:
            # Another process has just removed it.
            return
        except OSError as error:
            self._damaged(name, f"it cannot be read ({error.strerror})")
            return
        except DamagedSegment as error:
            self._damaged(name, str(error))
            return
        self._index.add(Entry(file.meta, file.tokens, file.tags, file.nbytes, status.st_mtime))
        self._used_bytes += file.nbytes

    def _read(self, key: str, part: Callable[[SegmentFile], T]) -> T | None:
        entry = self._index.get(key)
        if entry is None:
            return None
        path = self._folder / entry.meta.file_name
        try:
            return self._read_expected(path, entry, part)
        except ReplacedSegment as error:
            self._told(f"The cache file {path.name} was left out: {error}.")
            # It is whole, and the other process's.
            self._forget(key, unlink=False)
            return None
        except DamagedSegment as error:
            self._damaged(path.name, str(error))
            self._lose(key)
            return None

    def _read_expected(self, path: Path, entry: Entry, part: Callable[[SegmentFile], T]) -> T:
        """Raises DamagedSegment, or ReplacedSegment where another segment took the name."""
        for _ in range(READ_TRIES):
            file = SegmentFile(path, self._fingerprint)
            file.expect(entry.meta, entry.tags)
            # Replaced after its header was read, maybe by the very same: look again.
            with contextlib.suppress(ReplacedSegment):
                return part(file)
        raise ReplacedSegment("other processes keep replacing it")

    def _damaged(self, name: str, why: str) -> None:
        self.damaged += 1
        self.version += 1
        removed = " and removed" if self._unlink(name) else ""
        # A name on a disk is any bytes; a sentence is text.
        shown = name.encode(errors="backslashreplace").decode()
        self._told(f"The cache file {shown} was left out{removed}: {why}.")

    def _forget(self, key: str, *, unlink: bool = True) -> None:
        """Drop a segment and all that hangs under it; `unlink`: their files too."""
        for entry in self._index.remove(key):
            self._used_bytes -= entry.nbytes
            if unlink:
                self._unlink(entry.meta.file_name)
        self.version += 1

    def _lose(self, key: str) -> None:
        """A damaged segment goes, and what went on from it is named too."""
        for entry in self._index.below(key):
            self._told(
                f"The cache file {entry.meta.file_name} was removed: what it goes on from is gone."
            )
        self._forget(key)

    def _trim(self) -> None:
        while self._used_bytes > self.budget:
            oldest = self._index.oldest()
            if oldest is None:
                return
            self._forget(oldest.meta.key)

    def _touch(self, entries: Iterable[Entry]) -> None:
        now = time.time()
        for entry in entries:
            entry.used = now
            with contextlib.suppress(OSError):
                os.utime(self._folder / entry.meta.file_name)

    def _unlink(self, name: str) -> bool:
        """Whether the file is gone now."""
        try:
            (self._folder / name).unlink(missing_ok=True)
        except OSError:
            return False
        return True
