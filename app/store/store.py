"""The store: conversations, their trees of messages, what is not sent yet, and presets.

Reading happens at once, on the thread that opened it, and sees what the last commit holds. Saving
posts to the writer's thread and never waits.
"""

from __future__ import annotations

import itertools
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from app.store import rows
from app.store.connection import connect
from app.store.importing import Imported, renumbered
from app.store.lock import StoreLock
from app.store.records import (
    Preset,
    StoredConversation,
    StoredFile,
    StoredMessage,
    StoredQueued,
    StoreError,
)
from app.store.search import (
    MOST_HITS,
    Hit,
    forget_deleted,
    has_fts5,
    rebuild_index,
    rebuilding,
    search,
)
from app.store.writer import Value, Write, Writer

Statement = tuple[str, tuple[Value, ...]]
_CLOSE_S = 10.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Changed:
    """What an operation changed: ids of conversations and of messages."""

    conversations: tuple[int, ...] = ()
    messages: tuple[int, ...] = ()


class Store:
    """One open file.

    Attributes:
        path: of the file.
        numbers: unused ids, for conversations and messages alike.
        indexed: whether searching has an index.
    """

    def __init__(
        self,
        path: Path,
        report: Callable[[str], None],
        lock: StoreLock | None = None,
        folder: TemporaryDirectory[str] | None = None,
    ) -> None:
        """Open a file that is known to be sound; `opening.open_store` sees to that.

        Args:
            report: called with a sentence, on any thread, when saving fails.
            lock, folder: given up at the end.

        Raises OSError and sqlite3.Error.
        """
        self.path = path
        self._lock, self._folder = lock, folder
        self._reader = connect(path)
        self.indexed = has_fts5(self._reader)
        self.numbers: Iterator[int] = itertools.count(self._last_number() + 1)
        self._writer = Writer(path, report, rebuild_index if self.indexed else None)

    # Reading

    def conversations(self) -> list[StoredConversation]:
        """All that are not deleted; pinned ones first, then the one changed last."""
        order = "WHERE deleted_at IS NULL ORDER BY pinned DESC, updated DESC, id DESC"
        return [
            rows.conversation(row) for row in self._read(f"{rows.select('conversations')} {order}")
        ]

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

    def draft_files(self) -> list[StoredFile]:
        """Files that wait in the composers, in the order in which they were added."""
        found = self._read(f"{rows.select('draft_files')} ORDER BY id")
        return [StoredFile(*row) for row in found]

    def queued(self) -> list[StoredQueued]:
        """Messages that wait to be sent, the first ones first."""
        return [StoredQueued(*row) for row in self._read(f"{rows.select('queued')} ORDER BY id")]

    def selected(self) -> int | None:
        """The conversation on screen when this was last saved."""
        found = self._read("SELECT value FROM state WHERE name = 'selected'")
        return found[0][0] if found else None

    def presets(self) -> list[Preset]:
        """By name."""
        return [Preset(*row) for row in self._read(f"{rows.select('presets')} ORDER BY name")]

    def search(self, query: str, limit: int = MOST_HITS) -> list[Hit]:
        """Titles and messages with all words of `query`, newest first. Raises StoreError."""
        if self.indexed:
            try:
                return search(self._reader, query, limit)
            except sqlite3.DatabaseError as error:
                log.warning("The search index is damaged and made anew.", exc_info=error)
                self._post("index", "rebuild", *((statement, ()) for statement in rebuilding()))
        try:
            return search(self._reader, query, limit, indexed=False)
        except sqlite3.Error as error:
            raise StoreError(f"The conversations cannot be searched ({error}).") from error

    # Saving

    def together(self) -> AbstractContextManager[None]:
        """What is saved meanwhile is saved in one transaction, whole or not at all."""
        return self._writer.together()

    def save_conversation(self, one: StoredConversation, *, now: bool = True) -> Changed:
        """Add or replace a conversation; its messages stay. Raises StoreError."""
        one.check()
        row = rows.conversation_row(one)
        self._post("conversation", one.id, (rows.upsert("conversations"), row), now=now)
        return Changed((one.id,))

    def save_message(self, one: StoredMessage) -> Changed:
        """Add or replace a message; one that is not complete may wait for its next text.

        Raises StoreError.
        """
        one.check()
        row = rows.message_row(one)
        self._post("message", one.id, (rows.upsert("messages"), row), now=one.complete)
        return Changed((one.conversation,), (one.id,))

    def remove_messages(self, ids: Iterable[int]) -> Changed:
        """Remove messages that nothing follows, such as those of a request that failed."""
        gone = tuple(ids)
        for one in gone:
            # Nothing may refer to it; whoever removes it has saved another leaf before.
            unset = ("UPDATE conversations SET leaf = NULL WHERE leaf = ?", (one,))
            self._post("message", one, unset, ("DELETE FROM messages WHERE id = ?", (one,)))
        return Changed(messages=gone)

    def save_draft(self, conversation: int, text: str) -> Changed:
        """Keep what is being written; an empty text removes it."""
        row = (conversation, rows.writable(text), time.time())
        statement: Statement = (rows.upsert("drafts"), row)
        if not text:
            statement = ("DELETE FROM drafts WHERE conversation = ?", (conversation,))
        self._post("draft", conversation, statement, now=False)
        return Changed((conversation,))

    def save_file(self, one: StoredFile) -> None:
        """Keep a file that waits in a composer."""
        self._post("file", one.id, (rows.upsert("draft_files"), rows.file_row(one)))

    def remove_file(self, id: int) -> None:
        self._post("file", id, ("DELETE FROM draft_files WHERE id = ?", (id,)))

    def save_queued(self, one: StoredQueued) -> None:
        """Keep a message that waits to be sent."""
        self._post("queued", one.id, (rows.upsert("queued"), rows.queued_row(one)))

    def remove_queued(self, id: int) -> None:
        self._post("queued", id, ("DELETE FROM queued WHERE id = ?", (id,)))

    def add_imported(self, imported: Iterable[Imported]) -> Changed:
        """Add conversations under new ids, beside those that are there. Raises StoreError."""
        conversations: list[int] = []
        messages: list[int] = []
        with self.together():
            for one in imported:
                made = renumbered(one, self.numbers)
                changed = self.save_conversation(made.conversation)
                conversations += changed.conversations
                for message in made.messages:
                    messages += self.save_message(message).messages
        return Changed(tuple(conversations), tuple(messages))

    def select(self, conversation: int) -> None:
        """Remember the conversation on screen; 0 for an empty one that is not saved."""
        self._post(
            "state", "selected", (rows.upsert("state"), ("selected", conversation)), now=False
        )

    def save_preset(self, preset: Preset) -> None:
        """Add or replace a preset. Raises StoreError."""
        preset.check()
        self._post("preset", preset.name, (rows.upsert("presets"), rows.preset_row(preset)))

    def remove_preset(self, name: str) -> None:
        self._post("preset", name, ("DELETE FROM presets WHERE name = ?", (rows.writable(name),)))

    def purge(self, ids: Iterable[int]) -> Changed:
        """Remove conversations for good, from the search index too."""
        gone = tuple(ids)
        for one in gone:
            self._post(
                "purge",
                one,
                ("DELETE FROM messages WHERE conversation = ?", (one,)),
                ("DELETE FROM drafts WHERE conversation = ?", (one,)),
                ("DELETE FROM draft_files WHERE conversation = ?", (one,)),
                ("DELETE FROM queued WHERE conversation = ?", (one,)),
                ("DELETE FROM conversations WHERE id = ?", (one,)),
            )
        if gone and self.indexed:
            self._post("index", "forget", *((statement, ()) for statement in forget_deleted()))
        return Changed(gone)

    def flush(self, timeout_s: float = _CLOSE_S) -> bool:
        """Wait until everything is saved; False if it cannot be, or takes longer."""
        return self._writer.flush(timeout_s)

    def close(self, timeout_s: float = _CLOSE_S) -> bool:
        """Save what is left and close the file; False if something could not be saved."""
        saved = self._writer.close(timeout_s)
        # The last connection to leave writes the log back into the file and removes it.
        self._reader.close()
        if self._lock is not None:
            self._lock.release()
        if self._folder is not None:
            self._folder.cleanup()
        return saved

    def _post(self, kind: str, id: int | str, *statements: Statement, now: bool = True) -> None:
        self._writer.post(Write((kind, id), statements), now=now)

    def _read(self, query: str, *values: Value) -> list[tuple[Any, ...]]:
        try:
            return self._reader.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(
                f"This part of the conversations cannot be read ({error}); "
                "the next start saves what is readable."
            ) from error

    def _last_number(self) -> int:
        """The highest id in use."""
        tables = ("conversations", "messages", "draft_files", "queued")
        all_of_them = " UNION ALL ".join(f"SELECT id FROM {table}" for table in tables)
        return int(self._read(f"SELECT coalesce(max(id), 0) FROM ({all_of_them})")[0][0])
