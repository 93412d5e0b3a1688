"""The thread that writes segments: the only module of this package that uses threads."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

from engine.private_files import OwnFolder
from engine.storage.segment_file import Segment, write_segment

# Queued copies take memory: beyond this no more are accepted until some are written.
MOST_PENDING_BYTES = 1 << 30

log = logging.getLogger(__name__)

Done = Callable[[Segment, int | None, str], None]


class DiskWriter:
    """Writes segments in order, in the background.

    A queued segment can be read from memory.

    Attributes:
        written_bytes: of all files since the start.
    """

    def __init__(self, folder: OwnFolder, fingerprint: str, done: Done) -> None:
        """`done(segment, bytes of the file or None, why not)` is called on the writer's thread."""
        self._folder = folder
        self._fingerprint = fingerprint
        self._done = done
        self._queue: queue.SimpleQueue[Segment | None] = queue.SimpleQueue()
        self._pending: dict[str, Segment] = {}
        self._bytes = 0
        self._writing: Segment | None = None
        self.written_bytes = 0
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def pending(self) -> int:
        """Number of queued segments."""
        return len(self._pending)

    @property
    def pending_bytes(self) -> int:
        """Bytes of the queued copies and of the one being written."""
        return self._bytes

    @property
    def discarding(self) -> bool:
        """Whether a dropped segment is being written; its file is removed right afterwards."""
        with self._changed:
            return self._writing is not None and not self._wanted(self._writing)

    @property
    def full(self) -> bool:
        """Whether the queue is too full to accept more."""
        return self._bytes > MOST_PENDING_BYTES

    def waiting(self, key: str) -> Segment | None:
        """The segment, if it is not written yet."""
        return self._pending.get(key)

    def put(self, segment: Segment) -> None:
        """Queue a segment, replacing one with the same key; check `full` first."""
        with self._changed:
            self._bytes += segment.nbytes
            self._pending[segment.meta.key] = segment
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="biplane-disk", daemon=True)
            self._thread.start()
        self._queue.put(segment)

    def drop(self, key: str) -> None:
        """Drop a queued segment; one being written is removed right afterwards."""
        with self._changed:
            self._pending.pop(key, None)

    def wait(self, seconds: float) -> None:
        """Wait until something was written or the queue is empty, up to a limit."""
        with self._changed:
            before = self._bytes
            self._changed.wait_for(lambda: self._bytes < before or not before, seconds)

    def flush(self) -> None:
        """Wait until the queue is empty."""
        with self._changed:
            self._changed.wait_for(lambda: not self._bytes)

    def close(self) -> None:
        """Write the queue, and end."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while (segment := self._queue.get()) is not None:
            with self._changed:
                wanted = self._wanted(segment)
                self._writing = segment if wanted else None
            if wanted:
                self._write(segment)
            with self._changed:
                self._writing = None
                self._bytes -= segment.nbytes
                self._changed.notify_all()

    def _write(self, segment: Segment) -> None:
        written, why = None, ""
        try:
            written = write_segment(self._folder, segment, self._fingerprint)
        except OSError as error:
            why = error.strerror or str(error)
        except Exception as error:
            # Catch everything: if the thread died here, flush would wait forever.
            log.error("A segment could not be written.", exc_info=error)
            why = f"{type(error).__name__}; see the log"
        self.written_bytes += written or 0
        with self._changed:
            wanted = self._wanted(segment)
            if wanted:
                # Under the lock: from now on it is read from the file.
                self._done(segment, written, why)
                del self._pending[segment.meta.key]
                self._writing = None
        if not wanted and written is not None:
            self._remove(segment)

    def _remove(self, segment: Segment) -> None:
        """Remove the file of a segment that was dropped before the file existed."""
        try:
            self._folder.unlink(segment.meta.file_name)
        except OSError as error:
            log.error("A cache file could not be removed.", exc_info=error)

    def _wanted(self, segment: Segment) -> bool:
        return self._pending.get(segment.meta.key) is segment
