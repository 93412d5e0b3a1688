"""Writing a trace file, away from the engine's thread: the one file here that knows threads.

Whoever records only puts immutable entries into a queue. Encoding, hashing, compressing and writing
happen on the writer's own thread; a full disk ends the recording with a sentence, never a request.
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

from engine.cache.journal.changes import EntriesLost
from engine.cache.journal.journal import Entry
from engine.errors import TraceError
from engine.private_files import open_private

PENDING = 200_000
# Entries come in bursts; waiting for the rest of one spares the engine's thread the wake-ups.
GATHER_S = 0.1


log = logging.getLogger(__name__)


def unheard(sentence: str) -> None:
    """Tells nobody."""


class TraceWriter:
    """Lines into a file, in the order they were put.

    Attributes:
        problem: why the writing stopped before its end, "" where it did not.
        written: lines written.
    """

    def __init__(
        self,
        path: Path,
        first: str,
        encode: Callable[[Entry], str],
        told: Callable[[str], None] = unheard,
    ) -> None:
        """Creates the file and writes its first line.

        Args:
            encode: called on the writer's thread, for every entry in order.
            told: called there with the problem, where there comes to be one.

        Raises:
            TraceError: the file cannot be written.
        """
        self._path = path
        self._encode = encode
        self._told = told
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
        """Queue an entry; never waits and never raises. What finds no room is counted."""
        if self.problem or self._closing.is_set():
            return
        if self._queue.qsize() >= PENDING:
            self._lost += 1
            return
        if self._lost:
            self._queue.put(entry._replace(what=EntriesLost(self._lost)))
            self._lost = 0
        self._queue.put(entry)

    def close(self, timeout_s: float | None = 30.0) -> None:
        """Write what is queued and close the file. Calling it again does nothing."""
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
            # The engine goes on without its recording, whatever is wrong with that.
            log.error("Writing a trace failed.", exc_info=error)
            kind = type(error).__name__
            self._fail(
                f"The trace {self._path.name} was cut short by an error ({kind}); see the log."
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
        self._file.write(self._encode(entry).encode())
        self.written += 1

    def _fail(self, sentence: str) -> None:
        self.problem = sentence
        self._told(sentence)

    def _sentence(self, error: OSError) -> str:
        reason = error.strerror or str(error)
        return f"The trace {self._path.name} cannot be written: {reason}."


def _open(path: Path) -> IO[bytes]:
    """Compressed where the name ends in .gz; the user's alone, for it tells what was asked."""
    os.close(open_private(path))
    if path.suffix == ".gz":
        return gzip.open(path, "wb", compresslevel=6)  # type: ignore[return-value]
    return path.open("wb")
