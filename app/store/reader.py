"""Reads the conversations: at once, and as the last commit left them."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.store import rows
from app.store.connection import connect
from app.store.records import Preset, StoredConversation, StoredMessage, StoreError
from app.store.search import MOST_HITS, Hit, has_fts5, search
from app.store.writer import Value

log = logging.getLogger(__name__)


class Reader:
    """A connection that only reads; one thread at a time may use it.

    Attributes:
        indexed: whether searching has an index.
    """

    def __init__(self, path: Path, mend: Callable[[], None]) -> None:
        """Open a file that is known to be sound.

        mend: called where the search index turns out to be damaged; what it does is not waited for.

        Raises OSError and sqlite3.Error.
        """
        self._connection = connect(path)
        self._mend = mend
        self.indexed = has_fts5(self._connection)

    def conversations(self) -> list[StoredConversation]:
        """All that are not deleted; pinned ones first, then the one changed last."""
        order = "WHERE deleted_at IS NULL ORDER BY pinned DESC, updated DESC, id DESC"
        found = self._read(f"{rows.select('conversations')} {order}")
        return list(map(rows.conversation, found))

    def deleted(self) -> tuple[int, ...]:
        """Conversations that are deleted, but not purged yet."""
        found = self._read("SELECT id FROM conversations WHERE deleted_at IS NOT NULL ORDER BY id")
        return tuple(row[0] for row in found)

    def messages(self, conversation: int) -> list[StoredMessage]:
        """The whole tree of a conversation, in the order of writing. Raises StoreError."""
        query = f"{rows.select('messages')} WHERE conversation = ? ORDER BY id"
        return [rows.message(row) for row in self._read(query, conversation)]

    def drafts(self) -> dict[int, str]:
        """What is being written, by conversation."""
        return dict(self._read("SELECT conversation, text FROM drafts"))

    def selected(self) -> int | None:
        """The conversation on screen when this was last saved."""
        found = self._read("SELECT value FROM state WHERE name = 'selected'")
        return found[0][0] if found else None

    def presets(self) -> list[Preset]:
        """By name."""
        return [Preset(*row) for row in self._read(f"{rows.select('presets')} ORDER BY name")]

    def last_number(self) -> int:
        """The highest id in use."""
        both = "SELECT id FROM conversations UNION ALL SELECT id FROM messages"
        return int(self._read(f"SELECT coalesce(max(id), 0) FROM ({both})")[0][0])

    def search(self, query: str, limit: int = MOST_HITS) -> list[Hit]:
        """Titles and messages with all words of `query`, newest first. Raises StoreError."""
        if self.indexed:
            try:
                return search(self._connection, query, limit)
            except sqlite3.DatabaseError as error:
                if _was_interrupted(error):
                    return []
                log.warning("The search index is damaged and made anew.", exc_info=error)
                self._mend()
        try:
            return search(self._connection, query, limit, indexed=False)
        except sqlite3.Error as error:
            if _was_interrupted(error):
                return []
            raise StoreError(f"The conversations cannot be searched ({error}).") from error

    def interrupt(self) -> None:
        """Let a search end that takes long; what it found does not matter. From any thread."""
        self._connection.interrupt()

    def disconnect(self) -> None:
        self._connection.close()

    def _read(self, query: str, *values: Value) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(
                f"This part of the conversations cannot be read ({error}); "
                "the next start saves what is readable."
            ) from error


def _was_interrupted(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT
