"""The store: conversations, their message trees, unsent messages, and presets.

Reading is synchronous, on the thread that opened it, as of the last commit. Saving posts to the
writer's thread and never blocks.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from app.core.store import rows
from app.core.store.imported import Imported, renumbered
from app.core.store.lock import StoreLock
from app.core.store.reader import Reader
from app.core.store.records import (
    Preset,
    StoredConversation,
    StoredFile,
    StoredMessage,
    StoredQueued,
    StoreError,
)
from app.core.store.search import forget_deleted, rebuild_index, rebuilding
from app.core.store.writer import Value, Write, Writer
from app.core.words.tr import tr

Statement = tuple[str, tuple[Value, ...]]
_CLOSE_S = 10.0
# Imported conversations per transaction: other writes wait no longer than for one.
_AT_ONCE = 100
# A slow disk is not a failing one.
_IMPORT_S = 600.0


@dataclass(frozen=True, slots=True)
class Changed:
    """The ids of the conversations and messages that an operation changed."""

    conversations: tuple[int, ...] = ()
    messages: tuple[int, ...] = ()


class Store(Reader):
    """An open file.

    Attributes:
        path: of the file.
        numbers: unused ids for conversations and messages; from any thread.
    """

    def __init__(
        self,
        path: Path,
        report: Callable[[str], None],
        lock: StoreLock | None = None,
        folder: TemporaryDirectory[str] | None = None,
    ) -> None:
        """Open a file that has passed its checks; use `opening.open_store`.

        Args:
            report: called with a sentence, on any thread, when saving fails.
            lock, folder: released on closing.

        Raises OSError and sqlite3.Error.
        """
        super().__init__(path, self._mend_index)
        self.path = path
        self._lock, self._folder = lock, folder
        self.numbers: Iterator[int] = itertools.count(self.last_number() + 1)
        self._writer = Writer(path, report, rebuild_index if self.indexed else None)

    def reader(self) -> Reader:
        """A reader for another thread. Raises OSError and sqlite3.Error."""
        return Reader(self.path, self._mend_index)

    @property
    def temporary(self) -> bool:
        """Whether the saved data is lost at the end of this run."""
        return self._folder is not None

    # Saving: from any thread

    def together(self) -> AbstractContextManager[None]:
        """Writes in this context go into one transaction, all or none."""
        return self._writer.together()

    def save_conversation(self, one: StoredConversation, *, now: bool = True) -> Changed:
        """Add or replace a conversation; its messages are kept. Raises StoreError."""
        one.check()
        row = rows.conversation_row(one)
        self._post("conversation", one.id, (rows.upsert("conversations"), row), now=now)
        return Changed((one.id,))

    def save_message(self, one: StoredMessage) -> Changed:
        """Add or replace a message; an incomplete one may be delayed.

        Raises StoreError.
        """
        one.check()
        row = rows.message_row(one)
        self._post("message", one.id, (rows.upsert("messages"), row), now=one.complete)
        return Changed((one.conversation,), (one.id,))

    def remove_messages(self, ids: Iterable[int]) -> Changed:
        """Remove messages without children, such as those of a failed request."""
        gone = tuple(ids)
        for one in gone:
            # Nothing may reference it; the caller has saved another leaf before.
            unset = ("UPDATE conversations SET leaf = NULL WHERE leaf = ?", (one,))
            self._post("message", one, unset, ("DELETE FROM messages WHERE id = ?", (one,)))
        return Changed(messages=gone)

    def save_draft(self, conversation: int, text: str) -> Changed:
        """Save a draft; an empty text removes it."""
        row = (conversation, rows.writable(text), time.time())
        statement: Statement = (rows.upsert("drafts"), row)
        if not text:
            statement = ("DELETE FROM drafts WHERE conversation = ?", (conversation,))
        self._post("draft", conversation, statement, now=False)
        return Changed((conversation,))

    def save_file(self, one: StoredFile) -> None:
        """Save a file attached in a composer."""
        self._post("file", one.id, (rows.upsert("draft_files"), rows.file_row(one)))

    def remove_file(self, id: int) -> None:
        self._post("file", id, ("DELETE FROM draft_files WHERE id = ?", (id,)))

    def save_queued(self, one: StoredQueued) -> None:
        """Save a queued message."""
        self._post("queued", one.id, (rows.upsert("queued"), rows.queued_row(one)))

    def remove_queued(self, id: int) -> None:
        self._post("queued", id, ("DELETE FROM queued WHERE id = ?", (id,)))

    def add_imported(self, imported: Iterable[Imported]) -> list[StoredConversation]:
        """Add conversations under new ids; returns them.

        Waits for the disk, so not for the window's thread. Raises StoreError if they cannot be
        saved; then none is added.
        """
        made: list[StoredConversation] = []
        saved = True
        for number, one in enumerate(imported, 1):
            new = renumbered(one, self.numbers)
            with self.together():
                self.save_conversation(new.conversation, now=False)
                for message in new.messages:
                    self.save_message(message)
            made.append(new.conversation)
            if number % _AT_ONCE == 0 and not (saved := self.flush(_IMPORT_S)):
                break
        if not (saved and self.flush(_IMPORT_S)):
            self.purge(one.id for one in made)
            raise StoreError(
                tr(
                    "The conversations of the file cannot be saved, so none was imported. "
                    "Make room on the disk, and import the file again."
                )
            )
        return made

    def select(self, conversation: int) -> None:
        """Save which conversation is on screen; 0 for an empty one that is not stored."""
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
        """Delete conversations permanently, from the search index too."""
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
        """Wait until everything is saved; False if that fails or times out."""
        return self._writer.flush(timeout_s)

    def close(self, timeout_s: float = _CLOSE_S) -> bool:
        """Save what is pending and close the file; False if something could not be saved."""
        saved = self._writer.close(timeout_s)
        # The last connection to close checkpoints the log and removes it.
        self.disconnect()
        if self._lock is not None:
            self._lock.release()
        if self._folder is not None:
            self._folder.cleanup()
        return saved

    def _post(self, kind: str, id: int | str, *statements: Statement, now: bool = True) -> None:
        self._writer.post(Write((kind, id), statements), now=now)

    def _mend_index(self) -> None:
        self._post("index", "rebuild", *((statement, ()) for statement in rebuilding()))
