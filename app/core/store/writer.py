"""The writer thread: posting never blocks, and growing texts are written twice a second."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.core.store.connection import connect
from app.core.words.tr import tr

PERIOD_S = 0.5
_RETRY_S = 1.0
Value = str | int | float | bytes | None
Key = tuple[str, int | str]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Write:
    """SQL statements with their values; replaces a pending write with the same key."""

    key: Key
    statements: tuple[tuple[str, tuple[Value, ...]], ...]


class Writer:
    """Writes posted statements in transactions at least `PERIOD_S` apart, unless one is urgent.

    Methods may be called from any thread.
    """

    def __init__(
        self,
        path: Path,
        report: Callable[[str], None],
        repair: Callable[[sqlite3.Connection], None] | None = None,
    ) -> None:
        """Start the thread; the file is opened for the first write.

        Args:
            report: called on the writer's thread with a sentence if writing fails.
            repair: called there if the search index is damaged, which every write updates.
        """
        self._path, self._report, self._repair = path, report, repair
        self._pending: dict[Key, Write] = {}
        self._changed = threading.Condition()
        self._now = self._closing = self._failing = self._busy = False
        self._failures = 0
        # Used by the writer thread only.
        self._connection: sqlite3.Connection | None = None
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Writes posted in this context go into one transaction."""
        with self._changed:
            yield

    def post(self, write: Write, *, now: bool = False) -> None:
        """Write soon; `now` does not wait for the period to end."""
        with self._changed:
            waits = not self._pending
            self._pending[write.key] = write
            # A failing disk is not retried on every change.
            self._now = self._now or (now and not self._failing)
            # Otherwise it sleeps until the period ends; waking it would take the GIL from a window
            # that has just posted a piece of a streaming answer.
            if waits or now:
                self._changed.notify_all()

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything posted so far is written; False if that fails or times out.

        Retries a disk that has failed once: it may have space again.
        """
        ends = time.monotonic() + timeout_s
        with self._changed:
            self._now, failures = True, self._failures
            self._changed.notify_all()
            while (
                (self._pending or self._busy)
                and self._failures == failures
                and self._thread.is_alive()
            ):
                if not self._changed.wait(max(0.0, ends - time.monotonic())):
                    break
            return not self._pending and not self._busy

    def close(self, timeout_s: float) -> bool:
        """Write what is pending and stop; False if something could not be written."""
        written = self.flush(timeout_s)
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(timeout_s)
        return written and not self._thread.is_alive()

    def _run(self) -> None:
        last = 0.0
        while self._wait(last):
            self._write(self._take())
            last = time.monotonic()
        if self._connection is not None:
            self._connection.close()

    def _wait(self, last: float) -> bool:
        """Wait until something is due; False if there is nothing more to do."""
        with self._changed:
            while True:
                due = last + (_RETRY_S if self._failing else PERIOD_S)
                left = due - time.monotonic()
                if self._closing and (self._failing or not self._pending):
                    return False
                if self._pending and (left <= 0 or self._now):
                    return True
                self._changed.wait(max(left, 0.0) if self._pending else None)

    def _take(self) -> list[Write]:
        with self._changed:
            batch = list(self._pending.values())
            self._pending.clear()
            self._now, self._busy = False, True
            return batch

    def _write(self, batch: list[Write]) -> None:
        failed: list[Write] = []
        try:
            if self._connection is None:
                self._connection = connect(self._path)
            self._commit_all(self._connection, batch)
            self._failing = False
        except Exception as error:
            # Whatever the error, this thread must survive, and no write may be lost.
            failed = batch
            self._fail(error)
        with self._changed:
            # Writes posted meanwhile are newer.
            self._pending = {write.key: write for write in failed} | self._pending
            self._busy = False
            self._changed.notify_all()

    def _commit_all(self, connection: sqlite3.Connection, batch: list[Write]) -> None:
        """Raises sqlite3.Error; then nothing of the batch was written."""
        try:
            if _commit(connection, batch):
                return
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_CORRUPT_VTAB:
                raise
        self._mend(connection)
        # If it was not the index, a write violates a constraint: the others must not be lost.
        left = batch
        while left:
            # A message needs its conversation, which may come later in the batch.
            refused = [write for write in left if not _commit(connection, [write])]
            if len(refused) == len(left):
                break
            left = refused
        for write in left:
            log.error("A change to the %s could not be saved.", write.key[0])

    def _mend(self, connection: sqlite3.Connection) -> None:
        if self._repair is not None:
            log.warning("The search index may be damaged; it is rebuilt.")
            self._repair(connection)

    def _fail(self, error: Exception) -> None:
        with self._changed:
            first, self._failing = not self._failing, True
            self._failures += 1
            self._changed.notify_all()
        # Not on each attempt: the log may be on the same disk.
        if first:
            log.error("Conversations could not be saved.", exc_info=error)
            self._report(
                tr("Conversations cannot be saved now ({error}); Biplane keeps trying.").format(
                    error=error
                )
            )


def _commit(connection: sqlite3.Connection, batch: list[Write]) -> bool:
    """Write all or nothing; False if a constraint is violated.

    Raises sqlite3.Error for anything else, such as a full disk.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        for write in batch:
            for statement, values in write.statements:
                connection.execute(statement, values)
        connection.execute("COMMIT")
    except BaseException as error:
        # SQLite may have rolled back already after a full disk or an I/O error.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, sqlite3.IntegrityError):
            return False
        raise
    return True
