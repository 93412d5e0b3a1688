"""Checks a file, and distinguishes damage from other errors, such as a read-only folder."""

from __future__ import annotations

import sqlite3
from functools import cache
from pathlib import Path

from app.core.store.connection import connect
from app.core.store.records import MOST_ID
from app.core.store.schema import COLUMNS, migrate
from app.core.store.search import prepare_index

# In a damaged file even the text of an error may be undecodable.
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
# Errors that say nothing about the file's integrity.
_NOT_DAMAGE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}


_UNUSED = (
    "(SELECT max(id) + 1 FROM (SELECT id FROM messages UNION ALL SELECT id FROM conversations))"
)


class DamagedError(Exception):
    """The file is not a sound database of ours; the message is for the log."""


def make_ready(path: Path) -> None:
    """Create or migrate the file, check it, and prepare its search index.

    Raises DamagedError, NewerError, OSError, and sqlite3.Error if the file is not the cause.
    """
    try:
        # An empty file: SQLite would discard the log next to it.
        if path.is_file() and not path.stat().st_size:
            raise DamagedError("the file is empty")
        connection = connect(path)
        try:
            migrate(connection)
            _check(connection)
            prepare_index(connection)
            if _has_loose_links(connection):
                mend_links(connection)
        finally:
            connection.close()
    except UNREADABLE as error:
        # Python's own errors carry no code; the low byte is SQLite's primary code.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NOT_DAMAGE:
            raise
        raise DamagedError(repr(error)) from error


def mend_links(connection: sqlite3.Connection) -> None:
    """Repair every row that references a missing one. Raises sqlite3.Error.

    Messages without their conversation get a new one, a branch without its beginning starts
    where it is readable, and a conversation shows its last message.
    """
    connection.execute("BEGIN IMMEDIATE")
    for statement in (
        # Messages with an impossible conversation id share a new one.
        f"UPDATE messages SET conversation = {_UNUSED}"
        f" WHERE conversation NOT BETWEEN 1 AND {MOST_ID}",
        "INSERT INTO conversations (id, title, created, updated, named)"
        " SELECT conversation, 'Recovered conversation', min(created), max(created), 1"
        " FROM messages WHERE conversation NOT IN (SELECT id FROM conversations)"
        " GROUP BY conversation",
        "UPDATE messages SET parent_id = NULL WHERE parent_id IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM messages p WHERE p.id = messages.parent_id"
        " AND p.conversation = messages.conversation)",
        "UPDATE conversations SET leaf = (SELECT max(id) FROM messages"
        " WHERE conversation = conversations.id)"
        " WHERE leaf IS NULL OR leaf NOT IN (SELECT id FROM messages"
        " WHERE conversation = conversations.id)",
        *(
            f"DELETE FROM {table} WHERE conversation NOT IN (SELECT id FROM conversations)"
            for table in ("drafts", "draft_files", "queued")
        ),
    ):
        connection.execute(statement)
    connection.execute("COMMIT")


def _has_loose_links(connection: sqlite3.Connection) -> bool:
    leaves = (
        "SELECT 1 FROM conversations WHERE leaf IS NOT NULL AND NOT EXISTS (SELECT 1 FROM messages"
        " WHERE id = conversations.leaf AND conversation = conversations.id) LIMIT 1"
    )
    found = connection.execute("PRAGMA foreign_key_check").fetchone()
    return found is not None or connection.execute(leaves).fetchone() is not None


def definitions(connection: sqlite3.Connection) -> dict[str, str]:
    """The SQL of our tables and their indexes, without white space."""
    found = connection.execute("SELECT name, tbl_name, sql FROM sqlite_schema WHERE sql NOT NULL")
    ours = (row for row in found if row[1] in COLUMNS and not row[2].startswith("CREATE TRIGGER"))
    return {name: "".join(sql.split()) for name, _, sql in ours}


@cache
def _wanted() -> dict[str, str]:
    fresh = sqlite3.connect(":memory:", isolation_level=None)
    migrate(fresh)
    made = definitions(fresh)
    fresh.close()
    return made


def _check(connection: sqlite3.Connection) -> None:
    """Raises DamagedError or sqlite3.Error."""
    if definitions(connection) != _wanted():
        raise DamagedError("a table is not as it was made")
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise DamagedError(found)
    for table in ("conversations", "messages"):
        outside = f"SELECT 1 FROM {table} WHERE id NOT BETWEEN 1 AND {MOST_ID} LIMIT 1"
        if connection.execute(outside).fetchone() is not None:
            raise DamagedError(f"an id in {table} is out of range")
