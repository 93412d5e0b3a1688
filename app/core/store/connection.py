"""Opens connections to the file, with the pragmas that all of them need."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from engine.private_files import open_private

NAME = "conversations.sqlite"
_BUSY_S = 5.0
_SETTINGS = (
    "journal_mode = WAL",
    # Every commit is durable, even if the power fails; only the writer's thread waits for it.
    "synchronous = FULL",
    "foreign_keys = ON",
    # Deleted content is overwritten.
    "secure_delete = ON",
    "cell_size_check = ON",
)


def connect(path: Path) -> sqlite3.Connection:
    """Open the file; a missing one is created, private to the user.

    Transactions are begun explicitly. One thread at a time may use the connection. Raises OSError
    and sqlite3.Error.
    """
    # SQLite creates the -wal and -shm files with the same permissions.
    os.close(open_private(path, os.O_RDWR | os.O_CREAT))
    connection = sqlite3.connect(
        path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
    )
    try:
        connection.text_factory = as_text
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
    except BaseException:
        connection.close()
        raise
    return connection


def as_text(raw: bytes) -> str:
    """Decode a text; invalid bytes from damage are replaced rather than rejected."""
    return raw.decode("utf-8", "replace")
