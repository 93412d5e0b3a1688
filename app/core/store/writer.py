"""The thread that writes: posting never waits, and texts that grow are written twice a second."""

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
    """Statements with their values; a later write with the same key replaces a waiting one."""

    key: Key
    statements: tuple[tuple[str, tuple[Value, ...]], ...]


class Writer:
    """Writes what is posted, in transactions at least `PERIOD_S` apart unless one is wanted now.

    Methods may be called from any thread.
    """

    def __init__(
        self,
        path: Path,
        report: Callable[[str], None],
        repair: Callable[[sqlite3.Connection], None] | None = None,
    ) -> None:
        """Start; the file is opened once there is something to write.

        Args:
            report: called on the writer's thread with a sentence if writing fails.
            repair: called there if the search index, which takes part in every change, is damaged.
        """
        self._path, self._report, self._repair = path, report, repair
        self._pending: dict[Key, Write] = {}
        self._changed = threading.Condition()
        self._now = self._closing = self._failing = self._busy = False
        self._failures = 0
        # Of the writer's thread.
        self._connection: sqlite3.Connection | None = None
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is posted meanwhile is written in one transaction."""
        with self._changed:
            yield

    def post(self, write: Write, *, now: bool = False) -> None:
        """Write this soon; `now` does not wait for the period to end."""
        with self._changed:
            waits = not self._pending
            self._pending[write.key] = write
            # A disk that fails is not asked again with each change.
            self._now = self._now or (now and not self._failing)
            # Else it sleeps until the period ends; waking it would take Python's lock from a
            # window that has just handed over a piece of a streaming answer.
            if waits or now:
                self._changed.notify_all()

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything posted so far is written; False if that fails or takes longer.

        A disk that has failed is tried once more: it may have room again.
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
        """Write what is left and end; False if something could not be written."""
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
        """Until something is due; False if there is nothing more to do."""
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
            # Whatever it is, this thread must live, and nothing may be lost.
            failed = batch
            self._fail(error)
        with self._changed:
            # What came meanwhile is newer.
            self._pending = {write.key: write for write in failed} | self._pending
            self._busy = False
            self._changed.notify_all()

    def _commit_all(self, connection: sqlite3.Connection, batch: list[Write]) -> None:
        """Raises sqlite3.Error, and then nothing of the batch is there."""
        try:
            if _commit(connection, batch):
                return
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_CORRUPT_VTAB:
                raise
        self._mend(connection)
        # If it was not the index, one breaks a rule of the tables: the others must not be lost.
        left = batch
        while left:
            # A message needs its conversation, which may stand behind it.
            refused = [write for write in left if not _commit(connection, [write])]
            if len(refused) == len(left):
                break
            left = refused
        for write in left:
            log.error("A change to the %s could not be saved.", write.key[0])

    def _mend(self, connection: sqlite3.Connection) -> None:
        if self._repair is not None:
            log.warning("The search index may be damaged and is made anew.")
            self._repair(connection)

    def _fail(self, error: Exception) -> None:
        with self._changed:
            first, self._failing = not self._failing, True
            self._failures += 1
            self._changed.notify_all()
        # Not at each attempt: the log may be on the same disk.
        if first:
            log.error("Conversations could not be saved.", exc_info=error)
            self._report(
                tr("Conversations cannot be saved now ({error}); Biplane keeps trying.").format(
                    error=error
                )
            )


def _commit(connection: sqlite3.Connection, batch: list[Write]) -> bool:
    """Write all or nothing; False if a rule of the tables forbids it.

    Raises sqlite3.Error for anything else, such as a full disk.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        for write in batch:
            for statement, values in write.statements:
                connection.execute(statement, values)
        connection.execute("COMMIT")
    except BaseException as error:
        # A full disk or an error of the disk may have rolled it back already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, sqlite3.IntegrityError):
            return False
        raise
    return True
