"""Segments in a folder: found again after a restart, kept within a budget, robust to damage.

The files alone are the index. Nothing found on the disk raises: unusable files are reported in one
sentence, removed and dropped, and so are their descendants. A file that is not certainly a segment
of ours is considered foreign: it is left in place, and never overwritten.

The most recently used segments are kept. A segment replaces others only if all of them were used
before it, and one that was evicted for lack of room is not stored again until it is used again: so
an idle engine comes to rest, and no file is written twice.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from torch import Tensor

from engine.cache.tiers.lower import FileCause
from engine.private_files import OwnFolder
from engine.sentence import say
from engine.storage.disk_folder import DiskFolder
from engine.storage.disk_index import DiskIndex, Lineage, StoredSegment, Usable
from engine.storage.disk_writer import DiskWriter
from engine.storage.segment_file import (
    FILE_NAME,
    STALE_S,
    SUFFIX,
    DamagedSegment,
    ForeignFile,
    ReplacedSegment,
    Segment,
    SegmentFile,
    Sizes,
    Tokens,
    file_bytes,
)
from engine.storage.write_trouble import WriteTrouble

T = TypeVar("T")
# These causes leave descendants without their beginning.
_BREAKS = (FileCause.DAMAGED, FileCause.GONE, FileCause.NOT_WRITTEN)
# How many evicted segments are remembered, the latest ones.
MOST_REMEMBERED = 4096
# Other engines still writing, of this program or another, are noticed within this time.
LOOK_EVERY_S = 5.0
_NAMESPACE = re.compile(r"[0-9a-f]{32}")
# The budgets that these files were written under are unknown.
_ANY_SIZE = Sizes(token=0, state=1 << 62, most=1 << 62)


@dataclass(frozen=True, slots=True)
class _Neighbour:
    used: float
    nbytes: int
    namespace: str
    name: str


class Neighbours:
    """Everything in a cache folder that another model or other settings left there."""

    def __init__(self, cache_dir: Path, own: str) -> None:
        """own: the namespace whose files do not count."""
        self._nbytes = 0
        self._cache_dir, self._own = cache_dir, own
        # Least recently used first.
        self._files: list[_Neighbour] = []
        # Files that look like segments by name but are not.
        self._foreign: set[_Neighbour] = set()
        self._looked = float("-inf")

    def look(self, *, now: bool = False) -> None:
        """Read the directories again, unless that was done recently."""
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
        """Bytes of all files, as of the last scan."""
        self.look()
        return self._nbytes

    def bytes_used_since(self, used: float) -> int:
        """Bytes of the files last used at `used` or later, in seconds since 1970."""
        self.look()
        older = bisect_left(self._files, used, key=lambda one: one.used)
        return sum(one.nbytes for one in self._files[older:])

    def names(self) -> set[str]:
        """Names of all files, as of the last scan."""
        self.look()
        return {one.name for one in self._files}

    def remove_older(self, used: float | None) -> bool:
        """Remove the least recently used file if it was used before `used` (None: whenever).

        Its continuations are removed before it. False if there is none.
        """
        if not self._files or (used is not None and self._files[0].used >= used):
            return False
        same = bisect_left(self._files, self._files[0].used + 1e-6, key=lambda one: one.used)
        gone = max(self._files[:same], key=self._end)
        self._files.remove(gone)
        self._nbytes -= gone.nbytes
        # A file that stays is counted again at the next scan.
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
            # Useless to anyone.
            return 1 << 62


class StoreWatch(Protocol):
    """Called on the store's thread, after each change except a removal."""

    def added(self, entry: StoredSegment) -> None:
        """It was accepted, and will be written; it replaces one with the same key."""

    def written(self, entry: StoredSegment) -> None:
        """Its file was written."""

    def used(self, entries: Sequence[StoredSegment]) -> None:
        """All of them were used at the same time, later than before."""

    def removed(self, entry: StoredSegment, cause: FileCause) -> None:
        """It was removed; one that is superseded is replaced next."""

    def troubled(self, damaged: int, trouble: str) -> None:
        """Another file is damaged, or writing became impossible, or possible again ("")."""


class Unwatched:
    """A watch that ignores everything."""

    def added(self, entry: StoredSegment) -> None: ...

    def written(self, entry: StoredSegment) -> None: ...

    def used(self, entries: Sequence[StoredSegment]) -> None: ...

    def removed(self, entry: StoredSegment, cause: FileCause) -> None: ...

    def troubled(self, damaged: int, trouble: str) -> None: ...


class Displaced:
    """Remembers the last use of evicted segments, so that an idle engine does not rewrite them."""

    def __init__(self) -> None:
        self._used: dict[str, float] = {}

    def add(self, key: str, used: float) -> None:
        """A segment was evicted; `used`: seconds since 1970."""
        self._used.pop(key, None)
        self._used[key] = used
        if len(self._used) > MOST_REMEMBERED:
            del self._used[next(iter(self._used))]

    def since(self, key: str, used: float) -> bool:
        """Whether a segment last used then was evicted and not used since."""
        return used <= self._used.get(key, -1.0)

    def forget(self, key: str) -> None:
        """It was stored again."""
        self._used.pop(key, None)

    def clear(self) -> None:
        self._used.clear()


class DiskStore:
    """The segments of one fingerprint; use it from one thread.

    Attributes:
        budget: maximum bytes of the files, including other namespaces in the folder.
        damaged: number of files reported, and removed if ours.
        failed: number of segments that could not be written.
        lost: why the last requested segment could not be read; None if all could.
    """

    def __init__(
        self,
        cache_dir: Path,
        fingerprint: str,
        sizes: Sizes,
        notify: Callable[[str], None],
        watch: StoreWatch | None = None,
    ) -> None:
        """Scan the folder of `fingerprint` and add every intact segment.

        Args:
            sizes: the file sizes of this model, and the limit on all files together.
            notify: called with a sentence about each problem (a damaged file, a full disk).
            watch: notified of every change.
        """
        self.budget = sizes.most
        self.damaged = 0
        self.failed = 0
        self.lost: FileCause | None = None
        self._fingerprint = fingerprint
        self._folder = DiskFolder(cache_dir, fingerprint, sizes)
        self._others = Neighbours(cache_dir, fingerprint)
        self._notify = notify
        self._watch = watch or Unwatched()
        self._index = DiskIndex()
        self._used_bytes = 0
        # Why the folder cannot be used at all; "" if it can.
        self._closed = ""
        self._trouble = WriteTrouble()
        self._displaced = Displaced()
        # Keys whose file names are taken by foreign files.
        self._taken: set[str] = set()
        self._unwritten: dict[str, Segment] = {}
        self._finished: deque[tuple[Segment, int | None, str]] = deque()
        self._writer = DiskWriter(
            self._folder.own, fingerprint, lambda *what: self._finished.append(what)
        )
        self._open()

    @property
    def files(self) -> int:
        """Number of segments on disk or being written."""
        return len(self._index)

    @property
    def used_bytes(self) -> int:
        return self._used_bytes

    @property
    def pending(self) -> int:
        """Number of segments that `settle` has not yet seen written."""
        return len(self._unwritten)

    @property
    def pending_bytes(self) -> int:
        """Bytes of the segments not written yet."""
        return self._writer.pending_bytes

    @property
    def written_bytes(self) -> int:
        """Bytes of all files written since the start."""
        return self._writer.written_bytes

    @property
    def ready(self) -> bool:
        """Whether a segment would be accepted now, given room for it."""
        return not (self._closed or self._writer.full or self._trouble.waits)

    @property
    def busy(self) -> bool:
        """Whether segments are refused only until the writer has caught up."""
        return not self._closed and self._writer.full

    @property
    def trouble(self) -> str:
        """One sentence for as long as nothing can be written; "" otherwise."""
        return self._closed or self._trouble.sentence

    def waits(self, key: str) -> bool:
        """Whether a segment is pending."""
        return key in self._unwritten

    def __contains__(self, key: str) -> bool:
        return key in self._index

    def entries(self) -> Iterator[StoredSegment]:
        """The segments, parents first."""
        return self._index.entries()

    def paths(self) -> Iterator[Lineage]:
        """The segments down to each that nothing goes on from; see DiskIndex.paths."""
        return self._index.paths()

    def match(self, tokens: Tokens, usable: Usable) -> Lineage:
        """The deepest usable lineage; see DiskIndex.match."""
        return self._index.match(tokens, usable)

    def lineage(self, key: str) -> Lineage:
        """The segments from the root down to `key`; () if one of them is missing."""
        return self._index.lineage(key)

    def on_the_way(self, tokens: Tokens) -> list[StoredSegment]:
        """The segments that a sequence of these tokens can continue."""
        return self._index.on_the_way(tokens)

    def room(self, used: float, kept: Lineage) -> int:
        """Bytes available to something last used at `used`: free ones, and those of older segments.

        Segments in `kept` stay.
        """
        own = self._used_bytes - self._index.bytes_used_before(used, kept)
        return self.budget - own - self._others.bytes_used_since(used)

    def elsewhere(self, keys: Iterable[str]) -> set[str]:
        """The keys that segments of other namespaces have."""
        names = self._others.names()
        return {key for key in keys if key + SUFFIX in names}

    def refuses(self, key: str, used: float) -> bool:
        """Whether it was evicted for lack of room and not used since, or its name is taken."""
        return key in self._taken or self._displaced.since(key, used)

    # ---- bytes

    def kv(self, key: str) -> tuple[Tensor, Tensor] | None:
        """k and v of a segment; None if its file is damaged or missing."""
        waiting = self._writer.waiting(key)
        if waiting is not None:
            return waiting.k, waiting.v
        return self._read(key, SegmentFile.kv)

    def state(self, key: str) -> Mapping[str, Tensor] | None:
        """The packed state at a segment's end; None if its file is damaged or missing."""
        waiting = self._writer.waiting(key)
        if waiting is not None:
            return waiting.state
        return self._read(key, SegmentFile.state)

    def put(self, segment: Segment, used: float | None = None) -> bool:
        """Accept a segment, to be written in the background; False if it is refused.

        It replaces only segments last used before `used`, in seconds since 1970 (None: now).
        """
        used = time.time() if used is None else used
        self.settle()
        meta = segment.meta
        above = self._index.lineage(meta.parent)
        if meta.start != (above[-1].meta.end if above else 0):
            # Its parent has been removed, so it could never be reached.
            return False
        if not self.ready or self.refuses(meta.key, used):
            return False
        replaced = self._index.get(meta.key)
        nbytes = file_bytes(segment, self._fingerprint)
        kept = above if replaced is None else (*above, replaced)
        if nbytes - (replaced.nbytes if replaced else 0) > self.room(used, kept):
            return False
        if replaced is not None:
            self._watch.removed(replaced, FileCause.SUPERSEDED)
            # Its descendants may have been used since.
            used = max(used, replaced.used)
        self._unwritten[meta.key] = segment
        self._writer.put(segment)
        self._used_bytes += nbytes - (replaced.nbytes if replaced else 0)
        added = StoredSegment(meta, segment.tokens, segment.tags, nbytes, used)
        self._index.add(added)
        self._watch.added(added)
        self._displaced.forget(meta.key)
        self.touch((entry.meta.key for entry in above), used)
        self._trim()
        return True

    def touch(self, keys: Iterable[str], used: float | None = None) -> None:
        """Mark segments as used at `used`, or now: the least recently used are evicted first."""
        moment = time.time() if used is None else used
        found = (self._index.get(key) for key in keys)
        older = [entry for entry in found if entry is not None and entry.used < moment]
        for entry in older:
            entry.used = moment
            if self._writer.waiting(entry.meta.key) is None:
                self._folder.date(entry.meta.file_name, moment)
        if older:
            self._watch.used(older)

    def settle(self) -> None:
        """Process the writer's results."""
        while self._finished:
            segment, written, why = self._finished.popleft()
            key, before = segment.meta.key, self.trouble
            entry = self._index.get(key) if self._unwritten.get(key) is segment else None
            if written is None:
                self.failed += 1
                first = self._trouble.failed(why)
                self._forget(key, FileCause.NOT_WRITTEN)
                if first:
                    self._notify(self._trouble.sentence)
            else:
                self._trouble.over()
            if written is not None and entry is not None:
                del self._unwritten[key]
                self._used_bytes += written - entry.nbytes
                entry.nbytes = written
                self._folder.date(segment.meta.file_name, entry.used)
                self._watch.written(entry)
            if self.trouble != before:
                self._watch.troubled(self.damaged, self.trouble)

    def try_again(self) -> None:
        """Retry at once after a failed write."""
        self._trouble.wait_no_longer()

    def wait(self, seconds: float) -> None:
        """Wait until something was written, up to a limit."""
        self._writer.wait(seconds)
        self.settle()

    def flush(self) -> None:
        """Wait until everything is written."""
        self._writer.flush()
        self.settle()

    def close(self) -> None:
        """Finish writing, and stop."""
        self._writer.close()
        self.settle()
        self._others.look(now=True)
        self._trim()

    def remove(self, key: str, cause: FileCause) -> None:
        """Remove a segment and its descendants, written or not."""
        self._forget(key, cause)

    def remove_passing(self, tokens: Tokens, cause: FileCause) -> None:
        """Remove every segment that reaches the end of `tokens`, and its descendants."""
        for entry in self._index.passing(tokens):
            self._forget(entry.meta.key, cause)

    def leftovers(self) -> int:
        """Number of files of removed segments still present; retries removing them."""
        return self._folder.unlink_stuck() + self._writer.discarding

    def clear(self) -> None:
        """Remove every file."""
        for entry in [e for e in self._index.entries() if not e.meta.parent]:
            self._forget(entry.meta.key, FileCause.DROPPED_BY_USER)
        self._displaced.clear()

    # ---- internals

    def _open(self) -> None:
        try:
            names = self._folder.names()
        except OSError as error:
            self._closed = say(
                "The cache folder cannot be used ({strerror}): nothing is written to disk.",
                strerror=error.strerror,
            )
            self._notify(self._closed)
            return
        left_out: set[str] = set()

        def damaged(name: str, error: DamagedSegment) -> None:
            left_out.add(name.removesuffix(SUFFIX))
            self._damaged(name, error)

        for entry in self._folder.entries(names, damaged):
            self._index.add(entry)
            self._used_bytes += entry.nbytes
        for entry in self._index.orphans():
            self._leave_orphan(entry, left_out)
        self._index.settle_ages()
        self._trim()

    def _leave_orphan(self, entry: StoredSegment, left_out: set[str]) -> None:
        """Its parent was removed, so its KV can never be complete again.

        Unless another process just wrote both and only this one was seen; not if the parent is one
        of those `left_out`.
        """
        key = entry.meta.key
        if key not in self._index:
            # It was removed with another.
            return
        if self._index.missing_above(key) in left_out:
            self._tell_removed(entry)
        elif time.time() - entry.used < STALE_S:
            self._forget(key, FileCause.PARENT_GONE, unlink=False)
            return
        else:
            gone = DamagedSegment(say("the file that it continues is gone"))
            self._damaged(entry.meta.file_name, gone)
        self._lose(key, FileCause.PARENT_GONE)

    def _read(self, key: str, part: Callable[[SegmentFile], T]) -> T | None:
        entry = self._index.get(key)
        if entry is None:
            return None
        name = entry.meta.file_name
        try:
            return self._folder.read(entry, part)
        except ReplacedSegment as error:
            self._notify(say("The cache file {name} was skipped: {error}.", name=name, error=error))
            # It is intact, and belongs to the other process.
            self._forget(key, FileCause.REPLACED, unlink=False)
            return None
        except DamagedSegment as error:
            self._damaged(name, error)
            gone = isinstance(error.__cause__, FileNotFoundError)
            self.lost = FileCause.GONE if gone else FileCause.DAMAGED
            self._lose(key, self.lost)
            return None

    def _damaged(self, name: str, why: DamagedSegment) -> None:
        """Remove a file that is ours, leave any other in place, and report it."""
        self.damaged += 1
        self._watch.troubled(self.damaged, self.trouble)
        # A file name may be any bytes; a sentence is text.
        shown = name.encode(errors="backslashreplace").decode()
        if isinstance(why, ForeignFile):
            self._taken.add(name.removesuffix(SUFFIX))
            self._notify(
                say(
                    "The cache file {shown} was skipped and left in place: {why}.",
                    shown=shown,
                    why=why,
                )
            )
            return
        removed = say(" and removed") if self._folder.unlink(name) else ""
        self._notify(
            say(
                "The cache file {shown} was skipped{removed}: {why}.",
                shown=shown,
                removed=removed,
                why=why,
            )
        )

    def _forget(self, key: str, cause: FileCause, *, unlink: bool = True) -> None:
        """Drop a segment and its descendants; `unlink`: their files too."""
        for entry in self._index.remove(key):
            self._used_bytes -= entry.nbytes
            self._unwritten.pop(entry.meta.key, None)
            self._writer.drop(entry.meta.key)
            if unlink and entry.meta.key not in self._taken:
                self._folder.unlink(entry.meta.file_name)
            if cause is FileCause.NO_ROOM:
                self._displaced.add(entry.meta.key, entry.used)
            below = entry.meta.key != key and cause in _BREAKS
            why = FileCause.PARENT_GONE if below else cause
            self._watch.removed(entry, why)

    def _lose(self, key: str, cause: FileCause) -> None:
        """Remove a damaged segment, and report its descendants too."""
        for entry in self._index.below(key):
            self._tell_removed(entry)
        self._forget(key, cause)

    def _tell_removed(self, entry: StoredSegment) -> None:
        self._notify(
            say(
                "The cache file {file_name} was removed: the file that it continues is gone.",
                file_name=entry.meta.file_name,
            )
        )

    def _trim(self) -> None:
        while self._used_bytes + self._others.nbytes > self.budget:
            oldest = self._index.oldest()
            if self._others.remove_older(oldest.used if oldest is not None else None):
                continue
            if oldest is None:
                return
            self._forget(oldest.meta.key, FileCause.NO_ROOM)
