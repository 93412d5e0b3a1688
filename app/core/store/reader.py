"""Reads the conversations as of the last commit, without waiting for the writer."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.core.store import rows
from app.core.store.connection import connect
from app.core.store.records import (
    Preset,
    StoredConversation,
    StoredFile,
    StoredMessage,
    StoredQueued,
    StoreError,
)
from app.core.store.search import MOST_HITS, Hit, has_fts5, search
from app.core.store.writer import Value
from app.core.words.tr import tr

log = logging.getLogger(__name__)


class Reader:
    """A read-only connection, for one thread at a time.

    Attributes:
        indexed: whether there is a search index.
    """

    def __init__(self, path: Path, mend: Callable[[], None]) -> None:
        """Open a file that has passed its checks.

        mend: called when the search index turns out to be damaged; must not block.

        Raises OSError and sqlite3.Error.
        """
        self._connection = connect(path)
        self._mend = mend
        self.indexed = has_fts5(self._connection)

    def conversations(self) -> list[StoredConversation]:
        """All that are not deleted: pinned ones first, then by last change.

        Those with the same time, as in an imported file, are in the order of their ids: the file's.
        """
        order = "WHERE deleted_at IS NULL ORDER BY pinned DESC, updated DESC, id"
        found = self._read(f"{rows.select('conversations')} {order}")
        return list(map(rows.conversation, found))

    def deleted(self) -> tuple[int, ...]:
        """Conversations that are deleted, but not purged yet."""
        found = self._read("SELECT id FROM conversations WHERE deleted_at IS NOT NULL ORDER BY id")
        return tuple(row[0] for row in found)

    def messages(self, conversation: int) -> list[StoredMessage]:
        """All messages of a conversation, in order of creation. Raises StoreError."""
        query = f"{rows.select('messages')} WHERE conversation = ? ORDER BY id"
        return [rows.message(row) for row in self._read(query, conversation)]

    def firsts(self, length: int) -> dict[int, tuple[str, ...]]:
        """The beginnings of first messages, by conversation. Raises StoreError."""
        query = "SELECT conversation, substr(content, 1, ?) FROM messages WHERE parent_id IS NULL"
        found: dict[int, tuple[str, ...]] = {}
        for conversation, text in self._read(query, length):
            found[conversation] = (*found.get(conversation, ()), text)
        return found

    def drafts(self) -> dict[int, str]:
        """Drafts by conversation."""
        return dict(self._read("SELECT conversation, text FROM drafts"))

    def draft_files(self) -> list[StoredFile]:
        """Files in the composers, in the order in which they were attached."""
        found = self._read(f"{rows.select('draft_files')} ORDER BY id")
        return [StoredFile(*row) for row in found]

    def queued(self) -> list[StoredQueued]:
        """Queued messages, in order of sending."""
        return [StoredQueued(*row) for row in self._read(f"{rows.select('queued')} ORDER BY id")]

    def selected(self) -> int | None:
        """The conversation on screen when this was last saved."""
        found = self._read("SELECT value FROM state WHERE name = 'selected'")
        return found[0][0] if found else None

    def presets(self) -> list[Preset]:
        """Presets, sorted by name."""
        return [Preset(*row) for row in self._read(f"{rows.select('presets')} ORDER BY name")]

    def last_number(self) -> int:
        """The highest id in use."""
        tables = ("conversations", "messages", "draft_files", "queued")
        all_of_them = " UNION ALL ".join(f"SELECT id FROM {table}" for table in tables)
        return int(self._read(f"SELECT coalesce(max(id), 0) FROM ({all_of_them})")[0][0])

    def search(self, query: str, limit: int = MOST_HITS) -> list[Hit]:
        """Titles and messages with all words of `query`, newest first. Raises StoreError."""
        if self.indexed:
            try:
                return search(self._connection, query, limit)
            except sqlite3.DatabaseError as error:
                if _was_interrupted(error):
                    return []
                log.warning("The search index is damaged; it is rebuilt.", exc_info=error)
                self._mend()
        try:
            return search(self._connection, query, limit, indexed=False)
        except sqlite3.Error as error:
            if _was_interrupted(error):
                return []
            raise StoreError(
                tr("The conversations cannot be searched ({error}).").format(error=error)
            ) from error

    def interrupt(self) -> None:
        """Abort a running search, whose results are discarded. From any thread."""
        self._connection.interrupt()

    def disconnect(self) -> None:
        self._connection.close()

    def _read(self, query: str, *values: Value) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(
                tr(
                    "This part of the conversations cannot be read ({error}); the "
                    "next start saves what is readable."
                ).format(error=error)
            ) from error


def _was_interrupted(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT
