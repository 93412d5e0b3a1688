"""The thread that writes segments: the only file of this package that knows threads."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from pathlib import Path

from engine.storage.segment_file import Segment, write_segment

# Copies that wait to be written take memory; beyond this the writer is too slow and they are lost.
MOST_PENDING_BYTES = 1 << 30

log = logging.getLogger(__name__)

Done = Callable[[Segment, int | None, str], None]


class DiskWriter:
    """Writes segments in the order they come, in the background.

    A segment that still waits can be had from memory.
    """

    def __init__(self, folder: Path, fingerprint: str, done: Done) -> None:
        """`done(segment, bytes of the file or None, why not)` is called on the writer's thread."""
        self._folder = folder
        self._fingerprint = fingerprint
        self._done = done
        self._queue: queue.SimpleQueue[Segment | None] = queue.SimpleQueue()
        self._pending: dict[str, Segment] = {}
        self._bytes = 0
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def pending(self) -> int:
        """Segments that wait."""
        return len(self._pending)

    def waiting(self, key: str) -> Segment | None:
        """The segment where it is not written yet."""
        return self._pending.get(key)

    def put(self, segment: Segment) -> bool:
        """Queue a segment; False where too much waits already."""
        with self._changed:
            if self._bytes + segment.nbytes > MOST_PENDING_BYTES and self._pending:
                return False
            self._bytes += segment.nbytes
            self._pending[segment.meta.key] = segment
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="biplane-disk", daemon=True)
            self._thread.start()
        self._queue.put(segment)
        return True

    def flush(self) -> None:
        """Wait until nothing waits any more."""
        with self._changed:
            self._changed.wait_for(lambda: not self._pending)

    def close(self) -> None:
        """Write what waits, and end."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while (segment := self._queue.get()) is not None:
            written, why = None, ""
            try:
                written = write_segment(self._folder, segment, self._fingerprint)
            except OSError as error:
                why = error.strerror or str(error)
            except Exception as error:
                # Whatever it is: a thread that died here would leave flush waiting for ever.
                log.error("A segment could not be written.", exc_info=error)
                why = f"{type(error).__name__}, of which the log says more"
            self._done(segment, written, why)
            with self._changed:
                if self._pending.get(segment.meta.key) is segment:
                    del self._pending[segment.meta.key]
                self._bytes -= segment.nbytes
                self._changed.notify_all()
