"""The schema, as numbered migrations from an empty file; `PRAGMA user_version` counts them.

A released migration is never changed. Derived data, such as the search index, has no migration:
it is rebuilt wherever it is missing.
"""

from __future__ import annotations

import sqlite3

from app.core.store.records import StoreError
from app.core.words.tr import tr

_CONVERSATIONS_AND_MESSAGES = (
    """CREATE TABLE conversations (
        id INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        created REAL NOT NULL,
        updated REAL NOT NULL,
        named INTEGER NOT NULL DEFAULT 0,
        pinned INTEGER NOT NULL DEFAULT 0,
        deleted_at REAL,
        system TEXT NOT NULL DEFAULT '',
        thinking INTEGER NOT NULL DEFAULT 0,
        sampling TEXT NOT NULL DEFAULT '',
        model TEXT NOT NULL DEFAULT '',
        leaf INTEGER
    ) STRICT""",
    # Only messages reference conversations, so that each row can be saved on its own. No cascade
    # along parent_id: SQLite recurses there, and gives up at 1,000 messages.
    """CREATE TABLE messages (
        id INTEGER PRIMARY KEY,
        conversation INTEGER NOT NULL
            REFERENCES conversations(id) DEFERRABLE INITIALLY DEFERRED,
        parent_id INTEGER REFERENCES messages(id) DEFERRABLE INITIALLY DEFERRED,
        role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
        content TEXT NOT NULL,
        created REAL NOT NULL,
        thinking TEXT NOT NULL DEFAULT '',
        token_ids BLOB NOT NULL DEFAULT x'',
        model TEXT NOT NULL DEFAULT '',
        stop TEXT NOT NULL DEFAULT '',
        report TEXT NOT NULL DEFAULT '',
        complete INTEGER NOT NULL DEFAULT 1,
        thinking_tokens INTEGER NOT NULL DEFAULT 0,
        thinking_s REAL NOT NULL DEFAULT 0
    ) STRICT""",
    "CREATE INDEX messages_by_conversation ON messages(conversation)",
    "CREATE INDEX messages_by_parent ON messages(parent_id)",
    """CREATE TABLE drafts (
        conversation INTEGER PRIMARY KEY
            REFERENCES conversations(id) DEFERRABLE INITIALLY DEFERRED,
        text TEXT NOT NULL,
        updated REAL NOT NULL
    ) STRICT""",
    "CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT",
)
_PRESETS = (
    """CREATE TABLE presets (
        name TEXT PRIMARY KEY,
        system TEXT NOT NULL DEFAULT '',
        sampling TEXT NOT NULL DEFAULT ''
    ) STRICT""",
)
# What is unsent apart from drafts: attached files, and queued messages.
_FILES_AND_QUEUE = (
    """CREATE TABLE draft_files (
        id INTEGER PRIMARY KEY,
        conversation INTEGER NOT NULL
            REFERENCES conversations(id) DEFERRABLE INITIALLY DEFERRED,
        name TEXT NOT NULL,
        text TEXT NOT NULL,
        size INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX draft_files_by_conversation ON draft_files(conversation)",
    """CREATE TABLE queued (
        id INTEGER PRIMARY KEY,
        conversation INTEGER NOT NULL
            REFERENCES conversations(id) DEFERRABLE INITIALLY DEFERRED,
        text TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX queued_by_conversation ON queued(conversation)",
)
_SYSTEM_DRAFTS = ("ALTER TABLE conversations ADD COLUMN system_draft TEXT",)
STEPS: tuple[tuple[str, ...], ...] = (
    _CONVERSATIONS_AND_MESSAGES,
    _PRESETS,
    _FILES_AND_QUEUE,
    _SYSTEM_DRAFTS,
)
VERSION = len(STEPS)
# The columns that the program reads and writes, in this order.
COLUMNS: dict[str, list[str]] = {
    "conversations": [
        "id",
        "title",
        "created",
        "updated",
        "named",
        "pinned",
        "deleted_at",
        "system",
        "thinking",
        "sampling",
        "model",
        "leaf",
        "system_draft",
    ],
    "messages": [
        "id",
        "conversation",
        "parent_id",
        "role",
        "content",
        "created",
        "thinking",
        "token_ids",
        "model",
        "stop",
        "report",
        "complete",
        "thinking_tokens",
        "thinking_s",
    ],
    "drafts": ["conversation", "text", "updated"],
    "presets": ["name", "system", "sampling"],
    "draft_files": ["id", "conversation", "name", "text", "size"],
    "queued": ["id", "conversation", "text"],
    "state": ["name", "value"],
}


class NewerError(StoreError):
    """The file was written by a newer version of the program."""


def version_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, steps: int = VERSION) -> int:
    """Apply migrations up to `steps`, one transaction each; returns how many were applied.

    Raises NewerError if the file is ahead of this program, and sqlite3.Error.
    """
    before = version_of(connection)
    if before > VERSION:
        raise NewerError(tr("The conversations were saved by a newer version of Biplane."))
    for number in range(before + 1, steps + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in STEPS[number - 1]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    return max(0, steps - before)
