"""Writes a trace file off the engine's thread: the only module here that uses threads.

The recorder only queues immutable entries. Encoding, hashing, compression and writing happen on the
writer's own thread; a full disk ends the recording with a message, but never fails a request.
"""

from __future__ import annotations

import gzip
import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import IO

from msgspec.structs import replace

from engine.cache.journal.changes import EntriesLost
from engine.cache.journal.journal import Entry
from engine.errors import TraceError
from engine.private_files import open_private
from engine.sentence import say

PENDING = 200_000
# Entries come in bursts; waiting for the rest of a burst saves wake-ups of the engine's thread.
GATHER_S = 0.1


log = logging.getLogger(__name__)


def ignore(sentence: str) -> None:
    """Ignores the message."""


class TraceWriter:
    """Writes lines to a file, in the order they were queued.

    Attributes:
        problem: why writing stopped early, "" if it did not.
        written: lines written.
    """

    def __init__(
        self,
        path: Path,
        first: str,
        encode: Callable[[Entry], str],
        notify: Callable[[str], None] = ignore,
    ) -> None:
        """Create the file and write its first line.

        Args:
            encode: called on the writer's thread for every entry, in order.
            notify: called there with the problem, if one occurs.

        Raises:
            TraceError: the file cannot be written.
        """
        self._path = path
        self._encode = encode
        self._notify = notify
        self._queue: SimpleQueue[Entry | None] = SimpleQueue()
        self._closing = threading.Event()
        self._lost = 0
        self.problem = ""
        self.written = 0
        try:
            self._file = _open(path)
            self._file.write(first.encode())
            self._file.flush()
        except OSError as error:
            raise TraceError(self._sentence(error)) from error
        self.written = 1
        self._thread = threading.Thread(target=self._main, name="biplane-trace", daemon=True)
        self._thread.start()

    def put(self, entry: Entry) -> None:
        """Queue an entry; never waits and never raises. Entries that do not fit are counted."""
        if self.problem or self._closing.is_set():
            return
        if self._queue.qsize() >= PENDING:
            self._lost += 1
            return
        if self._lost:
            self._queue.put(replace(entry, what=EntriesLost(self._lost)))
            self._lost = 0
        self._queue.put(entry)

    def close(self, timeout_s: float | None = 30.0) -> None:
        """Write the queue and close the file. Idempotent."""
        if not self._closing.is_set():
            self._closing.set()
            self._queue.put(None)
        self._thread.join(timeout_s)

    def _main(self) -> None:
        try:
            try:
                self._write_all()
            finally:
                self._file.close()
        except OSError as error:
            self._fail(self._sentence(error))
        except Exception as error:
            # Whatever fails, the engine continues without its recording.
            log.error("Writing a trace failed.", exc_info=error)
            kind = type(error).__name__
            self._fail(
                say(
                    "The trace {name} was cut short by an error ({kind}); see the log.",
                    name=self._path.name,
                    kind=kind,
                )
            )

    def _write_all(self) -> None:
        while (entry := self._queue.get()) is not None:
            self._write(entry)
            self._closing.wait(GATHER_S)
            while not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    return
                self._write(following)
            self._file.flush()

    def _write(self, entry: Entry) -> None:
        lines = self._encode(entry)
        self._file.write(lines.encode())
        self.written += lines.count("\n")

    def _fail(self, sentence: str) -> None:
        self.problem = sentence
        self._notify(sentence)

    def _sentence(self, error: OSError) -> str:
        reason = error.strerror or str(error)
        return say(
            "The trace {name} cannot be written: {reason}.", name=self._path.name, reason=reason
        )


def _open(path: Path) -> IO[bytes]:
    """Compressed if the name ends in .gz; readable by the user alone, since it holds prompts."""
    os.close(open_private(path))
    if path.suffix == ".gz":
        return gzip.open(path, "wb", compresslevel=6)  # type: ignore[return-value]
    return path.open("wb")
